#include "interpreter/host/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/words.h"
#include "interpreter/host/file.h"
#include "runtime/element/dtype.h"
#include "runtime/element/number.h"

namespace shard {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// The format wants the first element at a multiple of 64 bytes.
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kBlock = std::size_t{1} << 16;  // bytes per read and per write

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// The types that NumPy writes, as messages name them; others, such as the V2 of bf16, are read as well.
std::string written_kinds() {
  std::vector<std::string> kinds;
  for (const DTypeInfo& type : dtypes()) {
    if (type.saved_as == type.dtype) kinds.emplace_back(type.npy);
  }
  return join_words(kinds);
}

std::size_t bytes_in_file(const DTypeInfo& kind) {
  constexpr int kBitsInByte = 8;
  return static_cast<std::size_t>(kind.bits / kBitsInByte);
}

// What follows `'key':` in the header, up to the next key or the end.
std::optional<std::string> value_of(const std::string& header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string::npos) return std::nullopt;
  std::size_t begin = at + key.size() + 3;
  while (begin < header.size() && header[begin] == ' ') ++begin;
  const bool tuple = begin < header.size() && header[begin] == '(';
  const std::size_t end = header.find_first_of(tuple ? ")" : ",}", begin);
  if (end == std::string::npos) return std::nullopt;
  return header.substr(begin, end - begin);
}

// "(3, 4" as numbers; nullopt for anything else.
std::optional<std::vector<std::int64_t>> shape_of(std::string_view text) {
  if (text.empty() || text.front() != '(') return std::nullopt;
  std::vector<std::int64_t> shape;
  const char* next = text.data() + 1;
  const char* end = text.data() + text.size();
  while (true) {
    while (next != end && (*next == ' ' || *next == ',')) ++next;
    if (next == end) return shape;
    std::int64_t length = 0;
    const auto [rest, error] = std::from_chars(next, end, length);
    if (error != std::errc() || length < 0) return std::nullopt;
    shape.push_back(length);
    next = rest;
  }
}

std::optional<Header> parse_header(const std::string& text) {
  const auto descr = value_of(text, "descr");
  const auto order = value_of(text, "fortran_order");
  const auto tuple = value_of(text, "shape");
  const auto shape = tuple ? shape_of(*tuple) : std::nullopt;
  if (!descr || descr->size() < 3 || !order || !shape) return std::nullopt;
  if (*order != "True" && *order != "False") return std::nullopt;
  return Header{descr->substr(1, descr->size() - 2), *order == "True", *shape};
}

// The number of elements; nullopt if it overflows.
std::optional<std::size_t> count_of(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(count, static_cast<std::size_t>(length), &count))
      return std::nullopt;
  }
  return count;
}

// A file whose header was read and whose size matches it.
struct OpenNpy {
  std::ifstream file;  // at its first element
  Header header;
  const DTypeInfo* kind = nullptr;
  std::size_t count = 0;
};

// What is wrong after the header; nullopt if nothing is.
std::optional<std::string> check_size(const OpenNpy& npy, std::uintmax_t bytes) {
  if (bytes / bytes_in_file(*npy.kind) < npy.count) return "ends before its last element";
  if (bytes != npy.count * bytes_in_file(*npy.kind)) return "has bytes after its last element";
  return std::nullopt;
}

// The text of the header after the magic word; leaves the file positioned after it.
Result<std::string> read_header(std::ifstream& file) {
  unsigned char start[12] = {};
  auto* const bytes = reinterpret_cast<char*>(start);
  // Bytes: the magic word, two of the version, and two of the length, which versions 2 and 3 continue with two more.
  constexpr std::size_t kPreamble = 10;
  if (!file.read(bytes, kPreamble) || std::memcmp(bytes, kMagic.data(), kMagic.size()) != 0)
    return failure("is no .npy file");
  const unsigned char version = start[kMagic.size()];
  if (version < 1 || version > 3) return failure("has a version of the format that is not known");
  if (version >= 2 && !file.read(bytes + kPreamble, 2)) return failure("ends within its header");
  const std::size_t length = start[8] + (std::size_t{start[9]} << 8U) +
                             (std::size_t{start[10]} << 16U) + (std::size_t{start[11]} << 24U);
  std::string text;
  // Block by block, so that a header with a false length takes no more memory than the file has bytes.
  char block[1 << 12];
  while (text.size() < length) {
    const std::size_t wanted = std::min(length - text.size(), sizeof block);
    if (!file.read(block, static_cast<std::streamsize>(wanted)))
      return failure("ends within its header");
    text.append(block, wanted);
  }
  return text;
}

Result<OpenNpy> open_npy(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return failure(fmt::format("there is no file {}", path));
  if (!std::filesystem::is_regular_file(status))
    return failure(fmt::format("{} is no regular file", path));
  OpenNpy npy{.file = std::ifstream(path, std::ios::binary)};
  if (!npy.file) return failure(fmt::format("{} cannot be opened: {}", path, std::strerror(errno)));
  const auto wrong = [&](std::string_view what) {
    return failure(fmt::format("{} {}", path, what));
  };
  const auto text = read_header(npy.file);
  if (!text) return wrong(text.error().message);
  auto header = parse_header(*text);
  if (!header) return wrong("has a header that cannot be read");
  npy.header = std::move(*header);
  const std::string& descr = npy.header.descr;
  for (const DTypeInfo& type : dtypes()) {
    if (!type.npy.empty() && descr.substr(1) == type.npy) npy.kind = &type;
  }
  if (npy.kind == nullptr)
    return wrong(fmt::format("has elements of type {}; {} are read", descr, written_kinds()));
  const auto count = count_of(npy.header.shape);
  if (!count) return wrong("ends before its last element");
  npy.count = *count;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return wrong("cannot be read");
  const auto mistake = check_size(npy, size - static_cast<std::uintmax_t>(npy.file.tellg()));
  return mistake ? Result<OpenNpy>(wrong(*mistake)) : Result<OpenNpy>(std::move(npy));
}

double element_at(const char* bytes, const DTypeInfo& kind, bool swap) {
  alignas(8) char element[8] = {};
  std::memcpy(element, bytes, bytes_in_file(kind));
  if (swap) std::reverse(element, element + bytes_in_file(kind));
  return read_element(reinterpret_cast<const std::byte*>(element), kind.dtype, 0);
}

// The row-major position of an element of a file in Fortran order, where the first dimension is the minor one.
std::size_t row_major_place(std::size_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto length = static_cast<std::size_t>(shape[d]);
    index[d] = element % length;
    element /= length;
  }
  std::size_t place = 0;
  for (std::size_t d = 0; d < shape.size(); ++d)
    place = place * static_cast<std::size_t>(shape[d]) + index[d];
  return place;
}

// Elements in row-major order, block by block; nullopt if the file ends early.
std::optional<std::vector<double>> read_elements(OpenNpy& npy) {
  const DTypeInfo& kind = *npy.kind;
  const bool big = npy.header.descr.front() == '>';
  const bool swap = big != (std::endian::native == std::endian::big);
  std::vector<double> values(npy.count);
  char block[kBlock];
  const std::size_t in_block = kBlock / bytes_in_file(kind);
  for (std::size_t at = 0; at < npy.count; at += in_block) {
    const std::size_t here = std::min(in_block, npy.count - at);
    if (!npy.file.read(block, static_cast<std::streamsize>(here * bytes_in_file(kind))))
      return std::nullopt;
    for (std::size_t i = 0; i < here; ++i) {
      const std::size_t place =
          npy.header.fortran_order ? row_major_place(at + i, npy.header.shape) : at + i;
      values[place] = element_at(block + i * bytes_in_file(kind), kind, swap);
    }
  }
  return values;
}

std::string header_text(const std::vector<std::int64_t>& lengths, const DTypeInfo& kind) {
  std::string shape;
  for (const std::int64_t length : lengths) shape += fmt::format("{}, ", length);
  if (lengths.size() > 1) shape.resize(shape.size() - 2);
  if (lengths.size() == 1) shape.pop_back();
  const char order = bytes_in_file(kind) == 1                     ? '|'
                     : std::endian::native == std::endian::little ? '<'
                                                                  : '>';
  std::string text = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                 order, kind.npy, shape);
  const std::size_t before = kMagic.size() + 4;
  text.append(kAlignment - (before + text.size() + 1) % kAlignment, ' ');
  return text + "\n";
}

}  // namespace

Result<NpyArray> read_npy_header(const std::string& path) {
  const auto npy = open_npy(path);
  if (!npy) return tl::unexpected(npy.error());
  return NpyArray{.shape = npy->header.shape, .dtype = npy->kind->dtype, .values = {}};
}

Result<NpyArray> read_npy(const std::string& path) {
  auto npy = open_npy(path);
  if (!npy) return tl::unexpected(npy.error());
  auto values = read_elements(*npy);
  if (!values) return failure(fmt::format("{} cannot be read", path));
  return NpyArray{.shape = std::move(npy->header.shape),
                  .dtype = npy->kind->dtype,
                  .values = std::move(*values)};
}

Result<void> write_npy(const std::string& path, const std::vector<std::int64_t>& shape, DType dtype,
                       std::span<const double> values, const std::function<bool()>& cancelled) {
  const DTypeInfo& kind = info_of(info_of(dtype).saved_as);
  const std::string header = header_text(shape, kind);
  std::string start(kMagic);
  start += std::string("\x01\x00", 2);
  start += static_cast<char>(header.size() & 0xffU);
  start += static_cast<char>(header.size() >> 8U);
  start += header;
  return write_file(path, [&](std::FILE* file) {
    if (std::fwrite(start.data(), 1, start.size(), file) != start.size()) return false;
    alignas(8) std::byte block[kBlock];
    const std::size_t in_block = kBlock / bytes_in_file(kind);
    for (std::size_t at = 0; at < values.size(); at += in_block) {
      if (cancelled && cancelled()) {
        errno = EINTR;
        return false;
      }
      const std::size_t here = std::min(in_block, values.size() - at);
      for (std::size_t i = 0; i < here; ++i) write_element(block, kind.dtype, i, values[at + i]);
      if (std::fwrite(block, bytes_in_file(kind), here, file) != here) return false;
    }
    return true;
  });
}

bool may_load(DType array, DType file) {
  constexpr int kNarrow = 16;  // bits
  const bool narrows = !is_integer(array) && info_of(array).bits <= kNarrow;
  return array == file || file == info_of(array).saved_as ||
         (narrows && (file == DType::Fp32 || file == DType::Fp64));
}

}  // namespace shard

#include "interpreter/npy.h"

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

#include "interpreter/file.h"
#include "runtime/number.h"

namespace shard {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

struct ElementKind {
  std::string_view name;
  DType dtype;
  std::size_t bytes;
};
constexpr ElementKind kKinds[] = {{"f8", DType::Fp64, 8},   {"f4", DType::Fp32, 4},
                                  {"f2", DType::Fp16, 2},   {"i4", DType::Int32, 4},
                                  {"u4", DType::UInt32, 4}, {"i1", DType::Int8, 1},
                                  {"V2", DType::Bf16, 2}};

// What stands behind `'key':` in the header, up to where the next key or the end begins.
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

// The number of elements; nullopt if it does not fit.
std::optional<std::size_t> count_of(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(count, static_cast<std::size_t>(length), &count))
      return std::nullopt;
  }
  return count;
}

Result<std::string> read_bytes(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return failure(fmt::format("there is no file {}", path));
  if (!std::filesystem::is_regular_file(status))
    return failure(fmt::format("{} is no regular file", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(fmt::format("{} cannot be opened: {}", path, std::strerror(errno)));
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return failure(fmt::format("{} cannot be read", path));
  return bytes;
}

double element_at(const std::string& bytes, std::size_t offset, const ElementKind& kind,
                  bool swap) {
  alignas(8) char element[8] = {};
  std::memcpy(element, bytes.data() + offset, kind.bytes);
  if (swap) std::reverse(element, element + kind.bytes);
  return read_element(reinterpret_cast<const std::byte*>(element), kind.dtype, 0);
}

// Elements in row-major order.
std::vector<double> elements_of(const std::string& bytes, std::size_t begin, const Header& header,
                                const ElementKind& kind, std::size_t count) {
  const bool big = header.descr.front() == '>';
  const bool swap = big != (std::endian::native == std::endian::big);
  std::vector<std::size_t> strides(header.shape.size(), 1);
  for (std::size_t d = 1; d < strides.size(); ++d)
    strides[d] = strides[d - 1] * static_cast<std::size_t>(header.shape[d - 1]);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t place = i;
    if (header.fortran_order) {
      place = 0;
      std::size_t rest = i;
      for (std::size_t d = strides.size(); d-- > 0;) {
        const auto length = static_cast<std::size_t>(header.shape[d]);
        place += rest % length * strides[d];
        rest /= length;
      }
    }
    values[i] = element_at(bytes, begin + place * kind.bytes, kind, swap);
  }
  return values;
}

// Of 8 bits, or bf16.
bool is_small(DType dtype) {
  return dtype == DType::Bf16 || dtype == DType::Fp8E4M3 || dtype == DType::Fp8E5M2;
}

const ElementKind& kind_for(DType dtype) {
  // NumPy has no such type: the next larger one that has.
  const DType written = dtype == DType::Int4 ? DType::Int8 : is_small(dtype) ? DType::Fp32 : dtype;
  for (const ElementKind& kind : kKinds) {
    if (kind.dtype == written) return kind;
  }
  check_failed("an element type that NumPy has", __FILE__, __LINE__);
}

std::string header_text(const NpyArray& array, const ElementKind& kind) {
  std::string shape;
  for (const std::int64_t length : array.shape) shape += fmt::format("{}, ", length);
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.pop_back();
  const char order = kind.bytes == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  std::string text = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                 order, kind.name, shape);
  const std::size_t before = kMagic.size() + 4;
  text.append(kAlignment - (before + text.size() + 1) % kAlignment, ' ');
  return text + "\n";
}

}  // namespace

Result<NpyArray> read_npy(const std::string& path) {
  const auto bytes = read_bytes(path);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto wrong = [&](std::string_view what) {
    return failure(fmt::format("{} {}", path, what));
  };
  constexpr std::size_t kPreamble = 10;
  if (bytes->size() < kPreamble || bytes->compare(0, kMagic.size(), kMagic) != 0)
    return wrong("is no .npy file");
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>((*bytes)[i]); };
  const bool wide = byte(6) >= 2;
  if (byte(6) < 1 || byte(6) > 3) return wrong("has a version of the format that is not known");
  if (wide && bytes->size() < kPreamble + 2) return wrong("ends within its header");
  std::size_t length = byte(8) + (byte(9) << 8U);
  if (wide) length += (std::size_t{byte(10)} << 16U) + (std::size_t{byte(11)} << 24U);
  const std::size_t begin = kPreamble + (wide ? 2 : 0);
  if (bytes->size() - begin < length) return wrong("ends within its header");
  const auto header = parse_header(bytes->substr(begin, length));
  if (!header) return wrong("has a header that cannot be read");
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const ElementKind& one) {
    return header->descr.substr(1) == one.name;
  });
  if (kind == std::end(kKinds)) {
    return wrong(
        fmt::format("has elements of type {}; f8, f4, f2, i4, u4 and i1 are read", header->descr));
  }
  const auto count = count_of(header->shape);
  const std::size_t data = begin + length;
  const std::size_t there = bytes->size() - data;
  if (!count || there / kind->bytes < *count) return wrong("ends before its last element");
  if (there != *count * kind->bytes) return wrong("goes on behind its last element");
  return NpyArray{.shape = header->shape,
                  .dtype = kind->dtype,
                  .values = elements_of(*bytes, data, *header, *kind, *count)};
}

Result<void> write_npy(const std::string& path, const NpyArray& array) {
  const ElementKind& kind = kind_for(array.dtype);
  const std::string header = header_text(array, kind);
  std::string bytes(kMagic);
  bytes += std::string("\x01\x00", 2);
  bytes += static_cast<char>(header.size() & 0xffU);
  bytes += static_cast<char>(header.size() >> 8U);
  bytes += header;
  const std::size_t begin = bytes.size();
  bytes.resize(begin + array.values.size() * kind.bytes);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    write_element(reinterpret_cast<std::byte*>(bytes.data() + begin), kind.dtype, i,
                  array.values[i]);
  }
  return write_file(path, bytes);
}

bool may_load(DType array, DType file) {
  const bool narrows = array == DType::Fp16 || is_small(array);
  return array == file || (narrows && (file == DType::Fp32 || file == DType::Fp64)) ||
         (array == DType::Int4 && file == DType::Int8);
}

}  // namespace shard

#include "interpreter/host/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "interpreter/host/part_file.h"

namespace shard {

namespace {

namespace fs = std::filesystem;

Result<std::string> read_stream(std::istream& stream, const std::string& name) {
  std::string text;
  char block[1 << 16];
  while (stream.read(block, sizeof block) || stream.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMaxFileSize) {
      return failure(
          fmt::format("{} is larger than {} MiB, the most that is read", name, kMaxFileSize >> 20));
    }
  }
  return text;
}

// How many links are followed in a row; the same limit as the kernel's.
constexpr int kMostLinks = 40;

// The descriptor that the path stands for, if it is such a path.
std::optional<int> descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = 0;
    const char* end = path.data() + path.size();
    const auto [rest, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error == std::errc() && rest == end && number >= 0) return number;
  }
  return std::nullopt;
}

tl::unexpected<Error> unwritable(const std::string& path, const std::string& why) {
  return failure(fmt::format("{} cannot be written: {}", path, why));
}

// Opening an already open file again would truncate it and write from its start.
int open_as_it_is(const std::string& path) {
  const auto number = descriptor_of(path);
  if (!number) return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  std::cout.flush();
  return ::fcntl(*number, F_DUPFD_CLOEXEC, 0);
}

Result<void> write_as_it_is(const std::string& path, bool is_text,
                            const std::function<bool(std::FILE*)>& write) {
  struct stat status {};
  if (!descriptor_of(path) && ::stat(path.c_str(), &status) == 0 && !S_ISFIFO(status.st_mode) &&
      !S_ISCHR(status.st_mode))
    return unwritable(path, "it is no regular file");
  const int descriptor = open_as_it_is(path);
  if (descriptor < 0) return unwritable(path, std::strerror(errno));
  if (!is_text && ::isatty(descriptor) == 1) {
    ::close(descriptor);
    return unwritable(path, "it is a terminal, and this is no text");
  }
  std::FILE* file = ::fdopen(descriptor, "wb");
  if (file == nullptr) return unwritable(path, std::strerror(errno));
  int reason = write(file) ? 0 : errno;
  if (std::fclose(file) != 0 && reason == 0) reason = errno;
  return reason == 0 ? Result<void>() : unwritable(path, std::strerror(reason));
}

Result<void> write_to(const std::string& path, bool is_text,
                      const std::function<bool(std::FILE*)>& write) {
  if (path.empty()) return failure("nothing can be written: the name of the file is empty");
  const auto target = target_of(path);
  if (!target) return write_as_it_is(path, is_text, write);
  std::error_code error;
  const bool exists = fs::exists(*target, error);
  // From the creation of the part until it is renamed or removed, nothing allocates memory.
  int reason = 0;
  {
    PartFile part;
    std::FILE* file = part.open(*target);
    if (file == nullptr && exists && errno == ENOENT)
      return unwritable(path, "no file can be made next to it");
    if (file == nullptr || !write(file) || !part.become_target()) reason = errno;
  }
  return reason == 0 ? Result<void>() : unwritable(path, std::strerror(reason));
}

}  // namespace

Result<std::string> read_text(const std::string& path) {
  if (path == "-") return read_stream(std::cin, "standard input");
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return failure(fmt::format("there is no file {}", path));
  if (error) return failure(fmt::format("{}: {}", path, error.message()));
  if (fs::is_directory(status))
    return failure(fmt::format("{} is a folder, and not a script", path));
  if (!fs::is_regular_file(status)) {
    return failure(fmt::format("{} is no regular file; use `-` to read standard input", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(fmt::format("{} cannot be opened: {}", path, std::strerror(errno)));
  return read_stream(file, path);
}

std::optional<fs::path> target_of(const std::string& path) {
  std::error_code error;
  if (path.empty() || descriptor_of(path)) return std::nullopt;
  // `weakly_canonical` takes a dangling link for the file itself.
  fs::path file = path;
  for (int links = 0; links < kMostLinks && !fs::exists(file, error); ++links) {
    const fs::path next = fs::read_symlink(file, error);
    if (error) break;
    file = file.parent_path() / next;
  }
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return std::nullopt;
  fs::path target = fs::weakly_canonical(fs::absolute(file, error), error);
  if (error) return std::nullopt;
  return target;
}

Result<void> write_file(const std::string& path, const std::string& text) {
  return write_to(path, true, [&](std::FILE* file) {
    return std::fwrite(text.data(), 1, text.size(), file) == text.size();
  });
}

Result<void> write_file(const std::string& path, const std::function<bool(std::FILE*)>& write) {
  return write_to(path, false, write);
}

}  // namespace shard

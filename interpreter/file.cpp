#include "interpreter/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace shard {

namespace {

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

}  // namespace

Result<std::string> read_text(const std::string& path) {
  if (path == "-") return read_stream(std::cin, "standard input");
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return failure(fmt::format("there is no file {}", path));
  if (error) return failure(fmt::format("{}: {}", path, error.message()));
  if (std::filesystem::is_directory(status))
    return failure(fmt::format("{} is a folder, and not a script", path));
  if (!std::filesystem::is_regular_file(status)) {
    return failure(fmt::format("{} is no regular file; use `-` to read standard input", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(fmt::format("{} cannot be opened: {}", path, std::strerror(errno)));
  return read_stream(file, path);
}

Result<void> write_file(const std::string& path, const std::string& bytes) {
  return write_file(path, [&](std::FILE* file) {
    return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  });
}

Result<void> write_file(const std::string& path, const std::function<bool(std::FILE*)>& write) {
  // Behind a link its file is written, and what is no file stays what it is.
  std::error_code error;
  const std::filesystem::path file_path = std::filesystem::weakly_canonical(path, error);
  const bool exists = !error && std::filesystem::exists(file_path, error);
  if (exists && !std::filesystem::is_regular_file(file_path, error))
    return failure(fmt::format("{} cannot be written: it is no regular file", path));
  if (path.empty()) return failure("nothing can be written: the name of the file is empty");
  // Once the part is there nothing asks for memory before it has its name or is gone.
  const std::filesystem::path part = fmt::format("{}.{}.part", file_path.string(), ::getpid());
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) {
    const bool beside = exists && errno == ENOENT;
    return failure(fmt::format("{} cannot be written: {}", path,
                               beside ? "no file can be made beside it" : std::strerror(errno)));
  }
  int reason = write(file) ? 0 : errno;
  if (std::fclose(file) != 0 && reason == 0) reason = errno;
  if (reason == 0 && std::rename(part.c_str(), file_path.c_str()) == 0) return {};
  if (reason == 0) reason = errno;
  std::remove(part.c_str());
  return failure(fmt::format("{} cannot be written: {}", path, std::strerror(reason)));
}

}  // namespace shard

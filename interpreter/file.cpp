#include "interpreter/file.h"

#include <fmt/format.h>

#include <cerrno>
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

}  // namespace shard

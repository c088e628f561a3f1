// Files on disk.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "base/result.h"

namespace shard {

inline constexpr std::size_t kMaxFileSize = std::size_t{64} << 20;  // bytes

// The text of a regular file, or of standard input for "-". Fails, with a reason, for folders, files that cannot be
// read, pipes and devices, and files above kMaxFileSize.
Result<std::string> read_text(const std::string& path);

// The file is there whole or not at all; what is no regular file stays what it is.
Result<void> write_file(const std::string& path, const std::string& bytes);
// The same of what `write` puts into the file, part by part; false if it cannot, for what errno says. REQUIRES: it throws
// nothing.
Result<void> write_file(const std::string& path, const std::function<bool(std::FILE*)>& write);

}  // namespace shard

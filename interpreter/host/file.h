// Files on disk.
//
// In this folder:
//   file.h, part_file.h  files on disk, and unfinished ones
//   npy.h                arrays in NumPy's format
//   interrupt.h          Ctrl-C, and signals that end the process
//   exit_status.h        how a run of the command ends
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace shard {

// Bytes; docs/language.md states it. Far more than scripts have, so what is larger is the wrong file.
inline constexpr std::size_t kMaxFileSize = std::size_t{64} << 20;

// The text of a regular file, or of standard input for "-". Fails with a reason for folders, unreadable files, pipes,
// devices, and files larger than kMaxFileSize.
Result<std::string> read_text(const std::string& path);

// The file that a write to this path ends up in: its full path with all links resolved, whether it exists or not.
// nullopt if the path is written to directly because it is, or names, something other than a regular file: folders,
// pipes, devices, `/dev/stdout`.
std::optional<std::filesystem::path> target_of(const std::string& path);

// After `leave_no_parts` was called, the file is written completely or not at all, whatever signal arrives. Pipes,
// character devices and whatever is already open (`/dev/stdout`, `/dev/fd/5`) receive the bytes as they come. Fails
// with a reason.
Result<void> write_file(const std::string& path, const std::string& text);
// Writes what `write` puts into the file piece by piece; `write` returns false on failure, with the reason in errno.
// The content is binary, so terminals are refused. REQUIRES: `write` does not throw.
Result<void> write_file(const std::string& path, const std::function<bool(std::FILE*)>& write);

}  // namespace shard

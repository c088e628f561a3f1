// Files on disk.
//
// In this folder:
//   file.h, part_file.h  files on disk, and those that are not whole yet
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

inline constexpr std::size_t kMaxFileSize = std::size_t{64} << 20;  // bytes

// The text of a regular file, or of standard input for "-". Fails, with a reason, for folders, files that cannot be
// read, pipes and devices, and files above kMaxFileSize.
Result<std::string> read_text(const std::string& path);

// The file that is written where one writes to a path: its full path, behind all links, whether it is there or not. nullopt
// for what is written to as it is, since it is or names no regular file: folders, pipes, devices, `/dev/stdout`.
std::optional<std::filesystem::path> target_of(const std::string& path);

// The file is there whole or not at all, whatever signal comes, if `leave_no_parts` was called. Pipes, character devices and
// what is open already (`/dev/stdout`, `/dev/fd/5`) take the bytes as they come. Fails with a reason.
Result<void> write_file(const std::string& path, const std::string& text);
// The same of what `write` puts into the file, part by part; false if it cannot, for what errno says. It is no text, and no
// terminal takes it. REQUIRES: it throws nothing.
Result<void> write_file(const std::string& path, const std::function<bool(std::FILE*)>& write);

}  // namespace shard

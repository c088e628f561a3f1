// A file that is not complete yet, and what signals do to it.
#pragma once

#include <cstdio>
#include <filesystem>
#include <mutex>
#include <string>

namespace shard {

// Lies next to the file that it will become, under its own name, until it has all its bytes. Unless it has become that
// file it is removed, by the destructor or by `remove_part`. One at a time per process; a second one waits.
class PartFile {
 public:
  PartFile() = default;
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile();

  // Creates it, with the permissions of the file that it replaces, if there is one. Null on failure, with the reason in
  // errno.
  std::FILE* open(const std::filesystem::path& target);
  // Closes it and renames it to the target. False on failure, with the reason in errno.
  bool become_target();

 private:
  bool make(const std::filesystem::path& folder);

  std::unique_lock<std::mutex> turn_;
  std::string part_;  // empty: there is none
  std::string target_;
  std::FILE* file_ = nullptr;
};

// Removes the part that is being written, if there is one. For handlers of signals that end the process.
void remove_part() noexcept;

}  // namespace shard

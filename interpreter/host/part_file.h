// A file that is not whole yet, and what signals do to it.
#pragma once

#include <cstdio>
#include <filesystem>
#include <mutex>
#include <string>

namespace shard {

// Lies beside the file that it is to become, under a name of its own, until it has all its bytes. It is removed unless it
// has become that file: at its end, and by `remove_part`. One at a time in a process; another waits.
class PartFile {
 public:
  PartFile() = default;
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile();

  // Makes it, with the permissions of the file that it replaces, if that is there. Null if it cannot, for what errno says.
  std::FILE* open(const std::filesystem::path& target);
  // Closes it and gives it its name. False if it cannot, for what errno says.
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

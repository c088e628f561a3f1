#include "interpreter/host/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>

namespace shard {

namespace {

// A handler may only touch an atomic of the process, which can name one part, so there is one part at a time.
std::mutex one_at_a_time;
std::atomic<const char*> named_part{nullptr};
static_assert(std::atomic<const char*>::is_always_lock_free, "a handler may not wait");

// A killed process leaves its part behind, and a later process may get its number; in containers that is the usual
// case. After a thousand such parts the write fails.
constexpr int kMostNames = 1000;

}  // namespace

PartFile::~PartFile() {
  const int reason = errno;
  if (file_ != nullptr) std::fclose(file_);
  if (!part_.empty()) ::unlink(part_.c_str());
  if (turn_) named_part = nullptr;
  errno = reason;
}

// The part is named before it exists: a signal in between removes nothing, and a later one finds it.
bool PartFile::make(const std::filesystem::path& folder) {
  for (int i = 0; i < kMostNames; ++i) {
    // The name does not contain the target's, which may already be as long as names can be.
    std::string name = folder / fmt::format(".shard.{}.{}.part", ::getpid(), i);
    named_part = nullptr;
    part_ = std::move(name);
    named_part = part_.c_str();
    const int descriptor = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      file_ = ::fdopen(descriptor, "wb");
      return file_ != nullptr;
    }
    if (errno != EEXIST) break;
  }
  named_part = nullptr;
  part_.clear();
  return false;
}

std::FILE* PartFile::open(const std::filesystem::path& target) {
  turn_ = std::unique_lock(one_at_a_time);
  target_ = target.string();
  if (!make(target.parent_path())) return nullptr;
  struct stat before {};
  if (::stat(target_.c_str(), &before) != 0) return file_;
  // Renaming over a file that is write-protected would bypass the protection.
  if (::access(target_.c_str(), W_OK) != 0) return nullptr;
  ::fchmod(::fileno(file_), before.st_mode & 07777);
  return file_;
}

bool PartFile::become_target() {
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!closed || ::rename(part_.c_str(), target_.c_str()) != 0) return false;
  named_part = nullptr;
  part_.clear();
  return true;
}

void remove_part() noexcept {
  if (const char* part = named_part) ::unlink(part);
}

}  // namespace shard

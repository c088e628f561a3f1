#include "interpreter/driver/editor/history.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/words.h"

namespace shard {

namespace {

// The first line of libedit's files.
constexpr std::string_view kHeading = "_HiStOrY_V2_";
// Entries that are kept. The file grows to twice as many before it is cut, so that few sessions write it anew.
constexpr std::size_t kMost = 5000;

// A descriptor that is closed with it.
class Opened {
 public:
  explicit Opened(int descriptor) : descriptor_(descriptor) {}
  Opened(Opened&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  Opened& operator=(Opened&&) = delete;
  ~Opened() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_that_file(int descriptor, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// The file, locked against other sessions. A pipe that nobody reads is opened without waiting, and then refused.
Opened open_locked(const std::string& path) {
  constexpr int kOwnerOnly = 0600;
  // Another session may put a shorter file in its place while this one waits for the lock.
  for (int i = 0; i < 10; ++i) {
    Opened file(::open(
        path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, kOwnerOnly));
    if (!file || !is_regular(file.get())) return Opened(-1);
    if (::flock(file.get(), LOCK_EX) != 0) return Opened(-1);
    if (is_that_file(file.get(), path)) return file;
  }
  return Opened(-1);
}

std::string read_all(int descriptor) {
  constexpr std::size_t kBlock = std::size_t{1} << 16;
  std::string text;
  while (true) {
    const std::size_t size = text.size();
    text.resize(size + kBlock);
    const ssize_t count = ::pread(descriptor, text.data() + size, kBlock, static_cast<off_t>(size));
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count <= 0) return text;
  }
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Puts a file with these entries in the place of the other.
void cut(const std::string& path, const std::vector<std::string>& entries) {
  std::string pattern = path + ".XXXXXX";
  const Opened file(::mkstemp(pattern.data()));
  if (!file) return;
  std::string text = std::string(kHeading) + "\n";
  for (const std::string& entry : entries) text += encoded_entry(entry) + "\n";
  if (!write_all(file.get(), text) || ::rename(pattern.c_str(), path.c_str()) != 0)
    ::unlink(pattern.c_str());
}

}  // namespace

std::string history_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if ((state == nullptr || *state == '\0') && (home == nullptr || *home == '\0')) return "";
  const std::filesystem::path base = state != nullptr && *state != '\0'
                                         ? std::filesystem::path(state)
                                         : std::filesystem::path(home) / ".local" / "state";
  std::error_code error;
  std::filesystem::create_directories(base / "shard", error);
  return error ? "" : (base / "shard" / "history").string();
}

// libedit's own way, so that either reads what the other wrote: blanks and controls as octal numbers.
std::string encoded_entry(std::string_view entry) {
  std::string line;
  for (const char c : entry) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\')
      line += "\\\\";
    else if (byte <= ' ' || byte == 0x7f)
      line += fmt::format("\\{:03o}", static_cast<unsigned>(byte));
    else
      line += c;
  }
  return line;
}

std::string decoded_entry(std::string_view line) {
  constexpr std::size_t kDigits = 3;
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string entry;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escaped = line[i] == '\\' && i + 1 < line.size();
    if (escaped && i + kDigits < line.size() && is_octal(line[i + 1]) && is_octal(line[i + 2]) &&
        is_octal(line[i + 3])) {
      entry += static_cast<char>((line[i + 1] - '0') * 64 + (line[i + 2] - '0') * 8 +
                                 (line[i + 3] - '0'));
      i += kDigits;
      continue;
    }
    if (escaped && line[i + 1] == '\\') ++i;
    entry += line[i];
  }
  return entry;
}

HistoryFile::HistoryFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    refusal_ = fmt::format("{} is no regular file, so no history is kept", path_);
    path_.clear();
  }
}

std::vector<std::string> HistoryFile::load() {
  std::vector<std::string> entries;
  if (path_.empty()) return entries;
  const Opened file = open_locked(path_);
  if (!file) {
    refusal_ = fmt::format("{} cannot be read and written, so no history is kept", path_);
    path_.clear();
    return entries;
  }
  const std::string text = read_all(file.get());
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (!line.empty() && line != kHeading) entries.push_back(decoded_entry(line));
    begin = end + 1;
  }
  const bool is_long = entries.size() > 2 * kMost;
  if (entries.size() > kMost)
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(kMost));
  if (is_long) cut(path_, entries);
  return entries;
}

void HistoryFile::append(const std::string& entry) {
  if (path_.empty()) return;
  const Opened file = open_locked(path_);
  if (!file) return;
  std::string text = encoded_entry(entry) + "\n";
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(file.get(), &last, 1, size - 1) == 1 && last != '\n') text = "\n" + text;
  if (size == 0) text = std::string(kHeading) + "\n" + text;
  // In one piece: what reads the file meanwhile sees whole entries.
  write_all(file.get(), text);
}

}  // namespace shard

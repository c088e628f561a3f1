// What was typed, kept between sessions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shard {

// A file of entries, each on a line of its own in libedit's format: an entry of several lines keeps them and its comments.
class HistoryFile {
 public:
  // `path`: empty if nothing is to be kept.
  explicit HistoryFile(std::string path);

  // Oldest first, the last ones; of a file that has become long only these are left in it. None if there is no such file yet, or
  // if it is something else than a file, a pipe or a device, which is never read or written.
  std::vector<std::string> load();
  // At the end of the file at once, whatever becomes of the process, and whatever other sessions append meanwhile.
  void append(const std::string& entry);
  // Why nothing is kept; empty if it is, or nothing was to be.
  const std::string& refusal() const { return refusal_; }

 private:
  std::string path_;
  std::string refusal_;
};

// $XDG_STATE_HOME/shard/history, or ~/.local/state/shard/history, with folders made; empty if there is no home.
std::string history_path();

// As it stands in the file, and back.
std::string encoded_entry(std::string_view entry);
std::string decoded_entry(std::string_view line);

}  // namespace shard

// The command behind a pseudo-terminal, typed to.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shard::testing {

inline constexpr const char* kPrompt = "shard> ";
inline constexpr const char* kContinued = "  ... ";
inline constexpr const char* kEnter = "\r";
inline constexpr const char* kTab = "\t";
inline constexpr const char* kUp = "\x1b[A";
inline constexpr const char* kDown = "\x1b[B";
inline constexpr const char* kInterrupt = "\x03";
inline constexpr const char* kEndOfFile = "\x04";

inline std::string shard_path;  // NOLINT: set once by main

// What a terminal would show: without escape sequences and carriage returns.
inline std::string plain(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\x1b' && i + 1 < bytes.size()) {
      ++i;
      if (bytes[i] != '[') continue;
      while (i + 1 < bytes.size() && (bytes[i + 1] < '@' || bytes[i + 1] > '~')) ++i;
      ++i;
    } else if (bytes[i] != '\r' && bytes[i] != '\a') {
      text += bytes[i];
    }
  }
  return text;
}

struct Window {
  unsigned short columns = 200;
  bool colour = false;
  const char* kind = "xterm";  // TERM; null: not set
};

class Terminal {
 public:
  // The command with these arguments; a session without any.
  explicit Terminal(const std::filesystem::path& state,
                    const std::vector<std::string>& arguments = {}, Window window = {}) {
    winsize size{};
    size.ws_row = 40;
    size.ws_col = window.columns;
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ != 0) {
      // Other commands must not hold this window open.
      fcntl(terminal_, F_SETFD, FD_CLOEXEC);
      return;
    }
    setenv("XDG_STATE_HOME", state.c_str(), 1);
    if (window.kind == nullptr)
      unsetenv("TERM");
    else
      setenv("TERM", window.kind, 1);
    if (window.colour)
      unsetenv("NO_COLOR");
    else
      setenv("NO_COLOR", "1", 1);
    std::vector<char*> argv = {shard_path.data()};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(shard_path.c_str(), argv.data());
    _exit(127);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    if (terminal_ >= 0) close(terminal_);
  }

  // The window is given another width.
  void resize(unsigned short columns) {
    winsize size{};
    size.ws_row = 40;
    size.ws_col = columns;
    ioctl(terminal_, TIOCSWINSZ, &size);
  }
  // The window is closed.
  void hang_up() {
    close(terminal_);
    terminal_ = -1;
    for (int i = 0; i < 1000 && waitpid(child_, nullptr, WNOHANG) != child_; ++i) usleep(10'000);
    child_ = -1;
  }
  // All that was written, with what a terminal would act on.
  const std::string& bytes() const { return seen_; }

  void type(const std::string& keys) {
    std::size_t written = 0;
    while (written < keys.size()) {
      const ssize_t count = write(terminal_, keys.data() + written, keys.size() - written);
      if (count <= 0) return;
      written += static_cast<std::size_t>(count);
    }
  }

  // Everything that appears up to and with `text`, which must come within the time limit; what was
  // awaited before is not looked at again.
  std::string await(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + kLimit;
    while (true) {
      const std::string now = plain(seen_);
      const auto found = now.find(text, from_);
      if (found != std::string::npos) {
        const std::string part = now.substr(from_, found + text.size() - from_);
        from_ = found + text.size();
        if (text == kPrompt || text == kContinued) await_editor();
        return part;
      }
      if (!read_until(deadline)) {
        ADD_FAILURE() << "`" << text << "` did not appear; since the last there was:\n" << rest();
        return rest();
      }
    }
  }

  // A line, and what is answered to it.
  std::string enter(const std::string& line) {
    type(line + kEnter);
    return await(kPrompt);
  }

  // What has appeared since the last that was awaited.
  std::string rest() const {
    const std::string now = plain(seen_);
    return now.substr(std::min(from_, now.size()));
  }

  // The exit status, once the command has left; nullopt if it does not leave in time.
  std::optional<int> leave(const std::string& keys) {
    type(keys);
    const auto deadline = std::chrono::steady_clock::now() + kLimit;
    while (read_until(deadline)) {
    }
    for (int i = 0; i < 1000; ++i) {
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) == child_) {
        child_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
      usleep(10'000);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::chrono::seconds kLimit{20};

  // The prompt may stand there before the editor has the terminal: until then the terminal itself
  // echoes and keeps lines.
  void await_editor() const {
    for (int i = 0; i < 1000; ++i) {
      termios modes{};
      if (tcgetattr(terminal_, &modes) != 0 || (modes.c_lflag & ICANON) == 0) return;
      usleep(2'000);
    }
  }

  // Reads what there is; false at the end and when the time is up.
  bool read_until(std::chrono::steady_clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd wait{terminal_, POLLIN, 0};
    if (left.count() <= 0 || poll(&wait, 1, static_cast<int>(left.count())) <= 0) return false;
    char block[4096];
    const ssize_t count = read(terminal_, block, sizeof block);
    if (count <= 0) return false;
    seen_.append(block, static_cast<std::size_t>(count));
    return true;
  }

  int terminal_ = -1;
  pid_t child_ = -1;
  std::string seen_;
  std::size_t from_ = 0;
};

}  // namespace shard::testing

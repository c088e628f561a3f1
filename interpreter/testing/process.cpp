#include "interpreter/testing/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>

#include "base/check.h"
#include "interpreter/host/interrupt.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace shard::test {
namespace {

using Clock = std::chrono::steady_clock;

// A nameless file instead of a pipe: nothing blocks, however slowly it is read.
using InputFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

InputFile file_with(std::string_view text) {
  InputFile file(std::tmpfile(), &std::fclose);
  SHARD_CHECK(file != nullptr);
  SHARD_CHECK(std::fwrite(text.data(), 1, text.size(), file.get()) == text.size());
  std::rewind(file.get());
  return file;
}

// What a process writes. No other process gets an end of it, so that it ends with that process.
class Pipe {
 public:
  Pipe() { SHARD_CHECK(::pipe2(ends_.data(), O_CLOEXEC) == 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() { close_end(1); }
  bool is_open() const { return ends_[0] >= 0; }

  // Takes what there is; closes it at its end.
  void read_some(std::string& text) {
    std::array<char, 65536> chunk{};
    const ssize_t count = ::read(ends_[0], chunk.data(), chunk.size());
    if (count > 0)
      text.append(chunk.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      close_end(0);
  }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_{-1, -1};
};

// The process id; 0 if it cannot be started.
pid_t start(const Launch& launch, int input, const Pipe& output, const Pipe& errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.writing(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.writing(), STDERR_FILENO);
  if (!launch.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, launch.folder.c_str());
  std::vector<char*> words;
  for (const std::string& word : launch.command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t process = 0;
  const int failed = posix_spawn(&process, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? process : 0;
}

// Reads until the process has closed both. How it came to its end, as far as that is known here.
Ended read_both(Pipe& output, Pipe& errors, Clock::time_point until, Execution& execution) {
  // An interrupt reaches one thread of many, so that each looks for it at times.
  constexpr std::chrono::milliseconds kLook{50};
  while (output.is_open() || errors.is_open()) {
    if (interrupted()) return Ended::Interrupted;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return Ended::TimedOut;
    // A closed one is -1, which poll passes over.
    std::array<pollfd, 2> waits{pollfd{.fd = output.reading(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = errors.reading(), .events = POLLIN, .revents = 0}};
    if (::poll(waits.data(), waits.size(), static_cast<int>(std::min(left, kLook).count())) <= 0)
      continue;
    if (waits[0].revents != 0) output.read_some(execution.output);
    if (waits[1].revents != 0) errors.read_some(execution.errors);
    if (std::max(execution.output.size(), execution.errors.size()) > kMostOutput)
      return Ended::WroteTooMuch;
  }
  return Ended::Exited;
}

}  // namespace

Execution execute(const Launch& launch) {
  const InputFile input = file_with(launch.input);
  Pipe output;
  Pipe errors;
  Execution execution;
  const pid_t process = start(launch, ::fileno(input.get()), output, errors);
  if (process == 0) return {.status = 127, .ended = Ended::NotStarted};
  output.close_writing();
  errors.close_writing();
  constexpr double kLongest = 1e9;  // seconds; the clock counts no further than some centuries
  const std::chrono::duration<double> time(std::min(launch.timeout, kLongest));
  execution.ended = read_both(
      output, errors, Clock::now() + std::chrono::duration_cast<Clock::duration>(time), execution);
  if (execution.ended != Ended::Exited) ::kill(process, SIGKILL);
  int status = 0;
  while (::waitpid(process, &status, 0) != process) SHARD_CHECK(errno == EINTR);
  if (WIFEXITED(status)) {
    execution.status = WEXITSTATUS(status);
  } else {
    constexpr int kSignalled = 128;  // as a shell says it
    execution.signal = WTERMSIG(status);
    execution.status = kSignalled + execution.signal;
    if (execution.ended == Ended::Exited) execution.ended = Ended::Signalled;
  }
  // Ctrl-C at a terminal reaches the process as well, which may end by it first.
  if (interrupted()) execution.ended = Ended::Interrupted;
  return execution;
}

Execution execute(const std::vector<std::string>& command, std::string_view input) {
  return execute({.command = command, .input = std::string(input), .folder = ""});
}

}  // namespace shard::test

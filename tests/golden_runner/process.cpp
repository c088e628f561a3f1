#include "tests/golden_runner/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>

#include "base/check.h"

namespace shard::golden {
namespace {

// Nameless files instead of pipes: nothing can block, however much the command writes.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File new_file(std::string_view text) {
  File file(std::tmpfile(), &std::fclose);
  SHARD_CHECK(file != nullptr);
  SHARD_CHECK(std::fwrite(text.data(), 1, text.size(), file.get()) == text.size());
  std::rewind(file.get());
  return file;
}

std::string read_back(const File& file) {
  std::string text;
  std::array<char, 65536> chunk{};
  SHARD_CHECK(lseek(fileno(file.get()), 0, SEEK_SET) == 0);
  while (true) {
    const ssize_t count = read(fileno(file.get()), chunk.data(), chunk.size());
    SHARD_CHECK(count >= 0);
    if (count == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

Execution execute(const std::vector<std::string>& command, std::string_view input) {
  const File in = new_file(input);
  const File out = new_file("");
  const File err = new_file("");
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  const pid_t child = fork();
  SHARD_CHECK(child >= 0);
  if (child == 0) {
    // The alarm outlives exec. Between fork and exec only calls that are safe in a signal handler
    // are allowed.
    alarm(kSecondsLimit);
    dup2(fileno(in.get()), STDIN_FILENO);
    dup2(fileno(out.get()), STDOUT_FILENO);
    dup2(fileno(err.get()), STDERR_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  SHARD_CHECK(waitpid(child, &status, 0) == child);
  return {read_back(out), read_back(err),
          WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

}  // namespace shard::golden

#include "interpreter/driver/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <new>
#include <string_view>

#include "grammar/diagnostics/render.h"
#include "grammar/source/visible.h"
#include "interpreter/host/exit_status.h"

namespace shard {

bool shows_colour(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
         *terminal != '\0' && std::string_view(terminal) != "dumb";
}

void say(const std::string& message) { std::cerr << visible_line(message) << "\n"; }

int fail(const std::string& message) {
  say("shard: " + message);
  return static_cast<int>(ExitStatus::Usage);
}

void show(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources) {
  std::cerr << render(diagnostics, sources, shows_colour(STDERR_FILENO));
}

int finish(int status) {
  std::cout.flush();
  // Some file systems report a full disk only on close.
  const int copy = ::dup(STDOUT_FILENO);
  const bool closed = copy < 0 || ::close(copy) == 0;
  if (std::cout && closed) return status;
  return fail("the output cannot be written");
}

void hold_standard_numbers() {
  int opened = 0;
  do opened = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened >= 0) ::close(opened);
}

void leave(int status) { std::_Exit(finish(status)); }

int within_memory(const std::function<int()>& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    // There is no memory left to say more.
    std::cerr << "shard: there is not enough memory to go on\n";
    return static_cast<int>(ExitStatus::RunFailed);
  }
}

}  // namespace shard

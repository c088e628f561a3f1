#include "interpreter/driver/console.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>

#include "base/format.h"
#include "base/line_width.h"
#include "grammar/diagnostics/render.h"
#include "grammar/source/visible.h"
#include "interpreter/driver/colour.h"
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

std::size_t columns_of(int descriptor) {
  if (isatty(descriptor) != 1) return kLineWidth;
  const char* said = std::getenv("COLUMNS");
  std::size_t columns = 0;
  if (said != nullptr) std::from_chars(said, said + std::strlen(said), columns);
  winsize size{};
  if (columns == 0 && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  return columns == 0 ? kLineWidth : columns;
}

void show(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources) {
  const LineWidth width(columns_of(STDERR_FILENO));
  const std::string text = render(diagnostics, sources, shows_colour(STDERR_FILENO));
  std::cerr << (isatty(STDERR_FILENO) == 1 ? wrapped_diagnostics(text) : text);
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

std::string own_path() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "/proc/self/exe" : path.string();
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

// The command.
#include <csignal>
#include <variant>

#include "interpreter/driver/arguments.h"
#include "interpreter/driver/commands.h"
#include "interpreter/driver/console.h"
#include "interpreter/host/interrupt.h"

// What jemalloc reads before `main`. Arrays come and go all the time, and fresh memory from the system costs a fault per page:
// what was freed is kept, but for blocks above 32 MiB, which go back at once.
extern "C" {
extern const char* const malloc_conf;  // NOLINT(readability-identifier-naming): jemalloc's
const char* const malloc_conf = "dirty_decay_ms:-1,muzzy_decay_ms:-1,oversize_threshold:33554432";
}

int main(int argc, char** argv) {
  using namespace shard;  // NOLINT(google-build-using-namespace)
  hold_standard_numbers();
  leave_no_parts();
  // A file at its size limit makes the write fail, which is reported, instead of ending the process.
  std::signal(SIGXFSZ, SIG_IGN);
  return finish(within_memory([&] {
    const auto read = read_arguments(argc, argv);
    const int* ended = std::get_if<int>(&read);
    return ended != nullptr ? *ended : carry_out(std::get<Arguments>(read));
  }));
}

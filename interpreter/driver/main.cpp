// The command.
#include <csignal>
#include <variant>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "interpreter/driver/arguments.h"
#include "interpreter/driver/commands.h"
#include "interpreter/driver/console.h"
#include "interpreter/host/interrupt.h"

namespace {

// Large arrays come and go all the time, and fresh memory from the system costs a fault per page. glibc therefore keeps
// up to 256 MiB of freed memory and maps only arrays above 32 MiB separately.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestKept = 32 << 20;  // bytes; the largest threshold that glibc accepts
  constexpr int kKept = 256 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestKept);
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  using namespace shard;  // NOLINT(google-build-using-namespace)
  keep_freed_memory();
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

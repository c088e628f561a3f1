#include "interpreter/interrupt.h"

#include <atomic>
#include <csignal>

namespace shard {

namespace {

// A signal handler can reach nothing but a flag of the process, and any thread looks at that.
std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may not wait");

extern "C" {
static void raise_flag(int /*signal*/) { flag = true; }
}

}  // namespace

void catch_interrupts(Interrupts caught) {
  struct sigaction action {};
  action.sa_handler = raise_flag;
  sigemptyset(&action.sa_mask);
  if (caught == Interrupts::First) action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return flag; }
void clear_interrupt() { flag = false; }

}  // namespace shard

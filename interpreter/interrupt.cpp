#include "interpreter/interrupt.h"

#include <csignal>

namespace shard {

namespace {

// A signal handler can reach nothing but a flag of the process.
volatile std::sig_atomic_t flag = 0;

extern "C" void raise_flag(int /*signal*/) { flag = 1; }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = raise_flag;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return flag != 0; }
void clear_interrupt() { flag = 0; }

}  // namespace shard

#include "interpreter/interrupt.h"

#include <csignal>

namespace shard {

namespace {

// A signal handler can reach nothing but a flag of the process.
volatile std::sig_atomic_t flag = 0;

extern "C" {
static void raise_flag(int /*signal*/) { flag = 1; }
}

}  // namespace

void catch_interrupts(Interrupts caught) {
  struct sigaction action {};
  action.sa_handler = raise_flag;
  sigemptyset(&action.sa_mask);
  if (caught == Interrupts::First) action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return flag != 0; }
void clear_interrupt() { flag = 0; }

}  // namespace shard

#include "interpreter/host/interrupt.h"

#include <array>
#include <atomic>
#include <csignal>

#include "base/contains.h"
#include "interpreter/host/part_file.h"

namespace shard {

namespace {

// A signal handler can reach nothing but a flag of the process, and any thread looks at that.
std::atomic<bool> flag{false};
std::atomic<bool> flag_once{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may not wait");

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

extern "C" {
// The handler is gone when it runs, so that the signal, sent again, ends the process as it would have.
static void end_process(int signal) {
  remove_part();
  std::raise(signal);
}

static void raise_flag(int signal) {
  flag = true;
  if (flag_once) handle(signal, end_process, static_cast<int>(SA_RESETHAND));
}
}

}  // namespace

// All that end a process unless it handles them. The rest is ignored unless somebody asks for it, stops the process for a
// while, or cannot be handled.
void leave_no_parts() {
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (contains(std::array{SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG,
                            SIGWINCH},
                 signal))
      continue;
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == SIG_DFL) handle(signal, end_process, static_cast<int>(SA_RESETHAND));
  }
}

void catch_interrupts(Interrupts caught) {
  flag_once = caught == Interrupts::First;
  handle(SIGINT, raise_flag, 0);
}

bool interrupted() { return flag; }
void clear_interrupt() { flag = false; }

}  // namespace shard

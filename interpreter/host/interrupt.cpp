#include "interpreter/host/interrupt.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

#include "base/contains.h"
#include "interpreter/host/part_file.h"

namespace shard {

namespace {

// A signal handler may only touch a flag of the process, which any thread can read.
std::atomic<bool> flag{false};
std::atomic<bool> flag_once{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may not wait");

// The stack of handlers on the thread that computes, which the executor leaves signals to: kernels that oneDNN compiles have
// the stack pointer point into their own memory at times, and what lies below is theirs. A frame has all registers, with those
// of matrix units some 11 kB.
void give_handlers_a_stack() {
  constexpr std::size_t kBytes = std::size_t{1} << 16;
  alignas(64) static std::array<std::byte, kBytes> memory;
  stack_t now{};
  sigaltstack(nullptr, &now);
  if ((now.ss_flags & SS_DISABLE) == 0) return;  // a sanitizer's
  const stack_t stack{.ss_sp = memory.data(), .ss_flags = 0, .ss_size = memory.size()};
  sigaltstack(&stack, nullptr);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

extern "C" {
// The handler has been reset when it runs, so raising the signal again ends the process as it would have without it.
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

// Every signal that ends a process by default. The excluded ones are ignored by default, only stop the process, or
// cannot be caught.
void leave_no_parts() {
  give_handlers_a_stack();
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
  give_handlers_a_stack();
  handle(SIGINT, raise_flag, 0);
}

bool interrupted() { return flag; }
void clear_interrupt() { flag = false; }

}  // namespace shard

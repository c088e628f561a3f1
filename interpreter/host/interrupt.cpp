#include "interpreter/host/interrupt.h"

#include <poll.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <ctime>

#include "base/contains.h"
#include "interpreter/host/part_file.h"

namespace shard {

namespace {

// A signal handler may only touch a flag of the process, which any thread can read.
std::atomic<bool> flag{false};
std::atomic<bool> flag_once{false};
std::atomic<int> end_signal{0};
std::atomic<bool> resized{false};
std::atomic<bool> continued{false};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may not wait");
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

static void note_end(int signal) {
  end_signal = signal;
  handle(signal, end_process, static_cast<int>(SA_RESETHAND));
}

static void note_resized(int /*signal*/) { resized = true; }
static void note_continued(int /*signal*/) { continued = true; }
}

// Those that a person at a terminal causes.
sigset_t noted_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGHUP, SIGTERM, SIGWINCH, SIGCONT}) sigaddset(&signals, signal);
  return signals;
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

bool interrupted() { return flag || end_signal != 0; }
void clear_interrupt() { flag = false; }

void catch_ends() {
  for (const int signal : {SIGHUP, SIGTERM}) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) handle(signal, note_end, 0);
  }
}

bool is_to_end() { return end_signal != 0; }

void end_if_asked() {
  if (end_signal != 0) std::raise(end_signal);
}

void note_window() {
  handle(SIGWINCH, note_resized, 0);
  handle(SIGCONT, note_continued, 0);
}

bool take_resized() { return resized.exchange(false); }
bool take_continued() { return continued.exchange(false); }

HeldSignals::HeldSignals() {
  const sigset_t signals = noted_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

HeldSignals::~HeldSignals() {
  const sigset_t signals = noted_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

Waited wait_for_input(int descriptor, int milliseconds) {
  sigset_t open;
  pthread_sigmask(SIG_SETMASK, nullptr, &open);
  for (const int signal : {SIGINT, SIGHUP, SIGTERM, SIGWINCH, SIGCONT}) sigdelset(&open, signal);
  constexpr int kMilli = 1000;
  constexpr long kNanoseconds = 1'000'000;
  const timespec time{.tv_sec = milliseconds / kMilli,
                      .tv_nsec = milliseconds % kMilli * kNanoseconds};
  pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
  const int ready = ppoll(&wait, 1, milliseconds < 0 ? nullptr : &time, &open);
  if (ready > 0) return Waited::Input;
  return ready == 0 ? Waited::Time : Waited::Signal;
}

}  // namespace shard

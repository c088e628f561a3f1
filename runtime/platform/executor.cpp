#include "runtime/platform/executor.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <thread>
#include <utility>

namespace shard {
namespace {

// Thousands of small bodies are handed out in groups, so that threads do not contend for the shared counter; 512 groups
// still balance the load.
constexpr std::size_t kMostHandouts = 512;
// Bytes that one thread handles in some 20 us, about what waking another one takes.
constexpr std::size_t kLittleWork = std::size_t{1} << 17;

using Body = std::function<void(std::size_t)>;

// Runs one body. Which of several exceptions would escape a parallel loop varies, so only the fact is kept.
void run_guarded(const Body& body, std::size_t index, std::atomic<bool>& out_of_memory) noexcept {
  try {
    body(index);
  } catch (const std::bad_alloc&) {
    out_of_memory.store(true, std::memory_order_relaxed);
  }
}

// Whether this thread is running a body. A loop started by a body runs on its thread alone: threads waiting for the
// body cannot help, and it must not wait for them.
thread_local bool in_a_body = false;

// One loop, whose indices threads take in groups until none are left.
class SharedLoop {
 public:
  SharedLoop(std::size_t count, const Body& guarded)
      : count_(count), group_(1 + count / kMostHandouts), guarded_(guarded) {}
  bool is_open() const { return next_.load(std::memory_order_relaxed) < count_; }
  void work() {
    in_a_body = true;
    while (is_open()) {
      const std::size_t begin = next_.fetch_add(group_);
      for (std::size_t i = begin; i < std::min(begin + group_, count_); ++i) guarded_(i);
    }
    in_a_body = false;
  }

 private:
  std::size_t count_;
  std::size_t group_;
  const Body& guarded_;
  std::atomic<std::size_t> next_{0};
};

// A sleeping thread wakes up to some milliseconds late, which is longer than most loops take. So after helping, a
// thread looks for the next loop for a while before it sleeps.
constexpr auto kLinger = std::chrono::microseconds(500);
// Between two looks at the clock, which takes longer than a look for work.
constexpr int kPauses = 64;

// What the calling thread and its helpers share.
struct Shared {
  std::atomic<SharedLoop*> loop{nullptr};
  std::atomic<int> inside{0};   // helpers that may have seen `loop`
  std::atomic<int> helpers{0};  // running or about to run
  std::atomic<bool> ended{false};
};

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Returns whether there was something to do.
bool help_once(Shared& shared) {
  if (shared.loop.load(std::memory_order_relaxed) == nullptr) return false;
  ++shared.inside;
  SharedLoop* loop = shared.loop.load();
  const bool helps = loop != nullptr && loop->is_open();
  if (helps) loop->work();
  --shared.inside;
  return helps;
}

// While a thread helps, signals are left to the others. Kernels that oneDNN compiles have the stack pointer point into their
// own memory at times, and a handler that runs on such a stack overwrites what lies below. Signals that are a thread's own
// doing stay as they are.
class SignalsLeft {
 public:
  SignalsLeft() {
    sigset_t left;
    sigfillset(&left);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
      sigdelset(&left, own);
    pthread_sigmask(SIG_BLOCK, &left, &before_);
  }
  ~SignalsLeft() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsLeft(const SignalsLeft&) = delete;
  SignalsLeft& operator=(const SignalsLeft&) = delete;

 private:
  sigset_t before_{};
};

void help(Shared& shared, bool crowded) {
  const SignalsLeft signals_left;
  auto last = std::chrono::steady_clock::now();
  while (!shared.ended && std::chrono::steady_clock::now() - last < kLinger) {
    for (int i = 0; i < kPauses; ++i) {
      if (help_once(shared)) last = std::chrono::steady_clock::now();
      pause_briefly();
    }
    if (crowded) std::this_thread::yield();
  }
  --shared.helpers;
}

// Helpers as oneTBB tasks.
struct Tasks {
  explicit Tasks(int threads)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        arena(threads) {}
  template <class Help>
  void begin(const Help& help) {
    arena.enqueue(helpers.defer(help));
  }
  // Runs any helper that no thread has picked up; it ends at once.
  void wait() {
    arena.execute([this] { helpers.wait(); });
  }

  tbb::global_control limit;  // without it TBB warns on stderr about more threads than processors
  tbb::task_arena arena;
  tbb::task_group helpers;
};

}  // namespace

struct Executor::Arena {
  Arena(int threads, ExecutorBackend backend)
      : crowded(static_cast<unsigned>(threads) > std::thread::hardware_concurrency()) {
    if (backend == ExecutorBackend::Tbb) tasks.emplace(threads);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  // Detached threads are not joined: after decrementing `helpers`, one touches nothing of this.
  ~Arena() {
    shared.ended = true;
    if (tasks) tasks->wait();
    while (!tasks && shared.helpers != 0) std::this_thread::yield();
  }

  void run(std::size_t count, std::size_t most_helpers, const Body& guarded) {
    call_helpers(most_helpers);
    SharedLoop loop(count, guarded);
    SharedLoop* idle = nullptr;
    // Two threads may each have a loop; one of them gets no help.
    if (!shared.loop.compare_exchange_strong(idle, &loop)) return loop.work();
    loop.work();
    shared.loop = nullptr;
    while (shared.inside != 0) {
      pause_briefly();
      if (crowded) std::this_thread::yield();
    }
  }

  // If no more threads can be had, those that exist do the work. A task still waiting for a thread stays counted as a
  // helper and runs when this is destroyed.
  void call_helpers(std::size_t most) {
    while (has_threads && static_cast<std::size_t>(shared.helpers) < most) {
      ++shared.helpers;
      try {
        begin_helper();
      } catch (const std::exception&) {
        --shared.helpers;
        has_threads = false;
      }
    }
  }

  void begin_helper() {
    const auto helper = [this] { help(shared, crowded); };
    if (tasks) return tasks->begin(helper);
    std::thread(helper).detach();
  }

  // More threads than processors: waiting threads yield, as they may be in the way of the one they wait for.
  bool crowded;
  std::atomic<bool> has_threads{true};
  Shared shared;
  std::optional<Tasks> tasks;  // otherwise helpers are plain threads
};

ExecutorBackend default_backend() {
#ifdef SHARD_THREADS_EXECUTOR
  return ExecutorBackend::Threads;
#else
  return ExecutorBackend::Tbb;
#endif
}

Executor::Executor(int threads, std::function<bool()> cancelled, ExecutorBackend backend)
    : threads_(threads > 0 ? threads
                           : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      cancelled_(std::move(cancelled)),
      // With plain threads, which are there to find races, even little work is shared.
      little_work_(backend == ExecutorBackend::Tbb ? kLittleWork : 0),
      arena_(std::make_unique<Arena>(threads_, backend)) {}

Executor::~Executor() = default;

void Executor::parallel_for_each_shard(std::size_t count, const Body& body,
                                       std::size_t work) const {
  std::atomic<bool> out_of_memory{false};
  std::atomic<bool> stopped{false};
  const auto guarded = [&](std::size_t index) {
    if (cancelled_ && cancelled_()) {
      stopped.store(true, std::memory_order_relaxed);
    } else {
      run_guarded(body, index, out_of_memory);
    }
  };
  if (count <= 1 || threads_ == 1 || work <= little_work_ || in_a_body) {
    for (std::size_t i = 0; i < count; ++i) guarded(i);
  } else {
    arena_->run(count, std::min(static_cast<std::size_t>(threads_), count) - 1, guarded);
  }
  if (stopped) throw Cancelled();
  if (out_of_memory) throw std::bad_alloc();
}

void Executor::throw_if_cancelled() const {
  if (cancelled_ && cancelled_()) throw Cancelled();
}

}  // namespace shard

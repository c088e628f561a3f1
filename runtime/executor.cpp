#include "runtime/executor.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace shard {
namespace {

// Thousands of small bodies are handed out in groups.
constexpr std::size_t kMostTasks = 512;

using Body = std::function<void(std::size_t)>;

// Runs one body; which of several exceptions would survive a parallel loop varies, so only the fact
// is kept.
void run_guarded(const Body& body, std::size_t index, std::atomic<bool>& out_of_memory) noexcept {
  try {
    body(index);
  } catch (const std::bad_alloc&) {
    out_of_memory.store(true, std::memory_order_relaxed);
  }
}

void run_on_threads(int threads, std::size_t count,
                    const std::function<void(std::size_t)>& guarded) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) guarded(i);
  };
  std::vector<std::jthread> helpers;
  const std::size_t wanted = std::min(static_cast<std::size_t>(threads), count);
  for (std::size_t t = 1; t < wanted; ++t) helpers.emplace_back(work);
  work();
}

}  // namespace

struct Executor::Arena {
  explicit Arena(int threads)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        arena(threads) {}
  tbb::global_control limit;  // without it TBB warns on stderr about more threads than processors
  tbb::task_arena arena;
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
      cancelled_(std::move(cancelled)) {
  if (backend == ExecutorBackend::Tbb) arena_ = std::make_unique<Arena>(threads_);
}

Executor::~Executor() = default;

void Executor::parallel_for_each_shard(std::size_t count, const Body& body) const {
  std::atomic<bool> out_of_memory{false};
  std::atomic<bool> stopped{false};
  const auto guarded = [&](std::size_t index) {
    if (cancelled_ && cancelled_()) {
      stopped.store(true, std::memory_order_relaxed);
    } else {
      run_guarded(body, index, out_of_memory);
    }
  };
  if (count <= 1 || threads_ == 1) {
    for (std::size_t i = 0; i < count; ++i) guarded(i);
  } else if (arena_ == nullptr) {
    run_on_threads(threads_, count, guarded);
  } else {
    arena_->arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, count, 1 + count / kMostTasks),
          [&](const auto& range) {
            for (std::size_t i = range.begin(); i != range.end(); ++i) guarded(i);
          },
          tbb::simple_partitioner());
    });
  }
  if (stopped) throw Cancelled();
  if (out_of_memory) throw std::bad_alloc();
}

}  // namespace shard

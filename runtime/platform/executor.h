// Sharing work on shards between threads. The only place that knows about oneTBB.
//
// In this folder:
//   executor.h             work shared between threads
//   buffer.h               memory of blocks, and how it is reused
//   simd.h, stream_copy.h  vector instructions; copies past the caches
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/cancellation.h"

namespace shard {

enum class ExecutorBackend {
  Tbb,
  // std::thread, which ThreadSanitizer understands. Little work is shared as well, to give it more to see.
  Threads,
};

// Tbb, unless built with SHARD_THREADS_EXECUTOR.
ExecutorBackend default_backend();

class Executor {
 public:
  // threads 0: as many as the machine has. `cancelled` is called before each body, on any thread.
  explicit Executor(int threads, std::function<bool()> cancelled = nullptr,
                    ExecutorBackend backend = default_backend());
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int threads() const { return threads_; }

  // Calls body(0) … body(count − 1), each once, on up to `threads()` threads in any order, and waits for all of them. A
  // body writes only to its own slot, so that results do not depend on which thread ran it. It may throw only
  // std::bad_alloc, which is rethrown here once, after all bodies have run. Throws Cancelled if `cancelled` became
  // true; some bodies were not called then. `work`: roughly the bytes that all bodies together read, write or compute;
  // the calling thread does little work alone, as waking another one takes longer. A body may start a loop, which runs
  // entirely on its thread.
  void parallel_for_each_shard(std::size_t count, const std::function<void(std::size_t)>& body,
                               std::size_t work = SIZE_MAX) const;
  // For sequential work: throws Cancelled if `cancelled` became true.
  void throw_if_cancelled() const;

 private:
  struct Arena;
  int threads_;
  std::function<bool()> cancelled_;
  std::size_t little_work_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace shard

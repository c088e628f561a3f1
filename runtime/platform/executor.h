// Work on shards, shared between threads. The only place that knows oneTBB.
//
// In this folder:
//   executor.h             work shared between threads
//   buffer.h               memory of blocks, and how it is used again
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
  Threads,  // std::thread: ThreadSanitizer understands it. They share little work as well, for it to see more
};

// Tbb, unless built with SHARD_THREADS_EXECUTOR.
ExecutorBackend default_backend();

class Executor {
 public:
  // threads 0: as many as the machine has. `cancelled` is asked before each body, on any thread.
  explicit Executor(int threads, std::function<bool()> cancelled = nullptr,
                    ExecutorBackend backend = default_backend());
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int threads() const { return threads_; }

  // Calls body(0) … body(count − 1), each once, on up to `threads()` threads in any order, and
  // waits for all. A body writes to its own slot only, so that results do not depend on who ran it.
  // It throws nothing but std::bad_alloc, which ends in one std::bad_alloc here after all bodies
  // have run. Throws Cancelled if `cancelled` became true: some bodies were not called then. `work`: about how many bytes all bodies together read, write
  // or compute; of little work the calling thread does all, as waking another one takes longer. A body may begin a loop:
  // its thread does all of that.
  void parallel_for_each_shard(std::size_t count, const std::function<void(std::size_t)>& body,
                               std::size_t work = SIZE_MAX) const;
  // For work that is done one after the other: throws Cancelled if `cancelled` became true.
  void throw_if_cancelled() const;

 private:
  struct Arena;
  int threads_;
  std::function<bool()> cancelled_;
  std::size_t little_work_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace shard

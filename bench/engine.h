// What execution benchmarks share: programs run by the engine, peers called directly, both in turn.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/machine/mesh.h"
#include "runtime/plan/plan.h"

namespace shard::bench {

// Seconds that one execution took.
struct Timing {
  double best = 0;
  double median = 0;
};
struct Sides {
  Timing engine;
  Timing peer;
};

// The text is planned once by a session. What follows its inputs is then executed `rounds` times by the runtime's `run`,
// which `shard run` calls: from arrays to results, and each time into memory of its own. A few executions and as many
// calls of the peer take turns, so that a noisy machine disturbs both alike. Aborts if the text has errors.
Sides measure(const std::string& text, int rounds, const std::function<void()>& peer = nullptr);

// Executes what follows the text's inputs up to `most` times, as long as `another` says so. It is asked after each
// execution, with its seconds; those of the first one are all that a user waits for if inputs are there: reading, checking
// and planning the text, preparing the run, executing. Making inputs is in none. Aborts if the text has errors.
void execute_repeatedly(const std::string& text, int most,
                        const std::function<bool(double seconds)>& another);

// Calls body(0) and body(1) on two threads of OpenMP.
void on_two_threads(const std::function<void(int)>& body);

// Memory on huge pages, written once.
class Memory {
 public:
  explicit Memory(std::size_t bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  char* data() const { return data_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }
  std::size_t size() const { return size_; }

 private:
  char* data_;
  std::size_t size_;
};

}  // namespace shard::bench

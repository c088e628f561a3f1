// Cancelling long-running work, by Ctrl-C or by whoever started it.
#pragma once

#include <functional>

namespace shard {

// Thrown by work that was cancelled and therefore has no result.
struct Cancelled {};

// While it lives, `throw_if_cancelled` on this thread asks this one and no other. It is thread-local because planning,
// pricing and report writing have many layers between whoever may cancel and the loop that takes long.
class Cancellation {
 public:
  // An empty function never cancels; it masks any outer Cancellation.
  explicit Cancellation(std::function<bool()> cancelled);
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

 private:
  friend void throw_if_cancelled();
  std::function<bool()> cancelled_;
  const Cancellation* outer_;
};

// Throws Cancelled. Costs nanoseconds, so call it in loops whose iterations take microseconds.
void throw_if_cancelled();

}  // namespace shard

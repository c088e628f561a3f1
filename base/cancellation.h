// Work that takes long ends when it is cancelled, by Ctrl-C or whoever runs it.
#pragma once

#include <functional>

namespace shard {

// Thrown by work that was cancelled and has no result.
struct Cancelled {};

// While it lives, `throw_if_cancelled` on this thread asks it and no other. What plans, prices or writes a report has many
// layers between the one who may cancel and the loop that takes long.
class Cancellation {
 public:
  // Without a function nothing is cancelled.
  explicit Cancellation(std::function<bool()> cancelled);
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

 private:
  friend void throw_if_cancelled();
  std::function<bool()> cancelled_;
  const Cancellation* outer_;
};

// For loops whose passes take microseconds: it takes nanoseconds. Throws Cancelled.
void throw_if_cancelled();

}  // namespace shard

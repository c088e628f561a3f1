#include "base/cancellation.h"

#include <utility>

namespace shard {

namespace {

thread_local const Cancellation* innermost = nullptr;

}  // namespace

Cancellation::Cancellation(std::function<bool()> cancelled)
    : cancelled_(std::move(cancelled)), outer_(std::exchange(innermost, this)) {}

Cancellation::~Cancellation() { innermost = outer_; }

void throw_if_cancelled() {
  if (innermost != nullptr && innermost->cancelled_ && innermost->cancelled_()) throw Cancelled();
}

}  // namespace shard

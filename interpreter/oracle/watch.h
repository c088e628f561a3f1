// Ctrl-C while the unsharded computation runs.
#pragma once

#include <cstddef>
#include <functional>

namespace shard::oracle {

// Loops call it, and end with what it throws.
class Watch {
 public:
  explicit Watch(std::function<void()> look = {}) : look_(std::move(look)) {}

  void look() const {
    if (look_) look_();
  }
  // Once in a while of a loop over elements.
  void look(std::size_t element) const {
    constexpr std::size_t kEach = std::size_t{1} << 14;
    if (element % kEach == 0) look();
  }

 private:
  std::function<void()> look_;
};

}  // namespace shard::oracle

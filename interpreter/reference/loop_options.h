// How the unsharded computation runs: on how many threads, and until Ctrl-C.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <thread>

namespace shard::oracle {

// Loops call it, and end with what it throws.
class Watch {
 public:
  // threads 0: as many as the machine has. With more than one `look` is called on any of them.
  explicit Watch(std::function<void()> look = {}, int threads = 1)
      : look_(std::move(look)),
        threads_(threads > 0 ? threads
                             : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {
  }

  int threads() const { return threads_; }
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
  int threads_;
};

}  // namespace shard::oracle

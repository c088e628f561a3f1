// How the unsharded computation runs: on how many threads, and until Ctrl-C.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <thread>

namespace shard::oracle {

// Loops call `look`, which ends them by throwing.
class Watch {
 public:
  // threads 0: as many as the machine has. With more than one thread, any of them may call `look`.
  explicit Watch(std::function<void()> look = {}, int threads = 1)
      : look_(std::move(look)),
        threads_(threads > 0 ? threads
                             : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {
  }

  int threads() const { return threads_; }
  void look() const {
    if (look_) look_();
  }
  // For loops over elements: looks once every 16,384 of them, so that looking costs nothing and an interrupt is still
  // seen at once.
  void look(std::size_t element) const {
    constexpr std::size_t kEach = std::size_t{1} << 14;
    if (element % kEach == 0) look();
  }

 private:
  std::function<void()> look_;
  int threads_;
};

}  // namespace shard::oracle

#include "interpreter/reference/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace shard::oracle {

namespace {

// What the threads of a loop share.
class Ranges {
 public:
  Ranges(const Watch& watch, std::size_t count, std::size_t at_once,
         const std::function<void(std::size_t, std::size_t)>& body)
      : watch_(watch), count_(count), at_once_(at_once), body_(body) {}

  void work() noexcept {
    try {
      for (std::size_t begin = next_.fetch_add(at_once_); begin < count_ && !failed_;
           begin = next_.fetch_add(at_once_)) {
        watch_.look();
        body_(begin, std::min(begin + at_once_, count_));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failed_) failure_ = std::current_exception();
      failed_ = true;
    }
  }
  // REQUIRES: no thread is still working.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const Watch& watch_;
  std::size_t count_;
  std::size_t at_once_;
  const std::function<void(std::size_t, std::size_t)>& body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void in_ranges(const Watch& watch, std::size_t count, std::size_t at_once,
               const std::function<void(std::size_t, std::size_t)>& body) {
  Ranges ranges(watch, count, at_once, body);
  const std::size_t number = (count + at_once - 1) / at_once;
  const std::size_t threads = std::min(static_cast<std::size_t>(watch.threads()), number);
  {
    std::vector<std::jthread> helpers;
    helpers.reserve(threads);
    try {
      for (std::size_t t = 1; t < threads; ++t) helpers.emplace_back([&ranges] { ranges.work(); });
    } catch (const std::system_error&) {
      // The system has no more threads; those that exist do the work.
    }
    ranges.work();
  }
  ranges.rethrow();
}

}  // namespace shard::oracle

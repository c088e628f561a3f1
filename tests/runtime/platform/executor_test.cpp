#include "runtime/platform/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

namespace shard::executor_test {
namespace {

class ExecutorTest : public ::testing::TestWithParam<ExecutorBackend> {
 protected:
  void SetUp() override {
    if (default_backend() == ExecutorBackend::Threads && GetParam() == ExecutorBackend::Tbb)
      GTEST_SKIP() << "built to do without oneTBB";
  }
};

TEST_P(ExecutorTest, RunsEveryBodyOnceAtEveryThreadCount) {
  for (int threads : {1, 2, 4, 7}) {
    const Executor executor(threads, nullptr, GetParam());
    EXPECT_EQ(executor.threads(), threads);
    for (std::size_t count : {0u, 1u, 2u, 5u, 1000u}) {
      std::vector<int> runs(count, 0);
      executor.parallel_for_each_shard(count, [&](std::size_t i) { ++runs[i]; });
      EXPECT_EQ(runs, std::vector<int>(count, 1)) << threads << " threads";
    }
  }
}

// For the thread sanitizer: helpers stay for loop after loop, whose bodies read what others wrote.
TEST_P(ExecutorTest, EachLoopSeesWhatTheOneBeforeWrote) {
  const Executor executor(4, nullptr, GetParam());
  const auto caller = std::this_thread::get_id();
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 0);
  std::vector<int> next(values.size());
  std::atomic<int> helped{0};
  int loops = 0;
  // Until helpers have done something, if they come at all.
  for (; loops < 300 || (helped < 1000 && loops < 30'000); ++loops) {
    executor.parallel_for_each_shard(values.size(), [&](std::size_t i) {
      next[i] = values[(i + 1) % values.size()] + 1;
      if (std::this_thread::get_id() != caller) helped.fetch_add(1, std::memory_order_relaxed);
    });
    std::swap(values, next);
  }
  const auto moved = static_cast<std::size_t>(loops);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], static_cast<int>((i + moved) % values.size()) + loops);
}

// A helper whose loop began after the last body of the outer one had been handed out waited for all helpers to be done, itself
// among them.
TEST_P(ExecutorTest, RunsALoopInsideOfALoop) {
  const Executor executor(2, nullptr, GetParam());
  const auto caller = std::this_thread::get_id();
  std::atomic<int> begun{0};
  std::vector<std::vector<int>> runs(2, std::vector<int>(100, 0));
  executor.parallel_for_each_shard(runs.size(), [&](std::size_t i) {
    ++begun;
    for (int wait = 0; begun < 2 && wait < 2000; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (std::this_thread::get_id() != caller)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    executor.parallel_for_each_shard(runs[i].size(), [&](std::size_t j) { ++runs[i][j]; });
  });
  EXPECT_EQ(runs, std::vector(2, std::vector<int>(100, 1)));
}

TEST_P(ExecutorTest, TakesAllOfTheMachineUnlessTold) {
  EXPECT_GE(Executor(0, nullptr, GetParam()).threads(), 1);
}

TEST_P(ExecutorTest, ThrowsOneBadAllocAfterAllBodiesRan) {
  for (int threads : {1, 4}) {
    const Executor executor(threads, nullptr, GetParam());
    std::vector<int> runs(100, 0);
    const auto body = [&](std::size_t i) {
      ++runs[i];
      if (i % 3 == 0) throw std::bad_alloc();
    };
    EXPECT_THROW(executor.parallel_for_each_shard(runs.size(), body), std::bad_alloc);
    EXPECT_EQ(runs, std::vector<int>(100, 1));
  }
}

TEST_P(ExecutorTest, CallsNoMoreBodiesOnceItIsCancelled) {
  for (int threads : {1, 4}) {
    std::atomic<int> runs{0};
    const Executor executor(
        threads, [&] { return runs.load() >= 10; }, GetParam());
    EXPECT_THROW(executor.parallel_for_each_shard(1000, [&](std::size_t) { ++runs; }), Cancelled);
    EXPECT_GE(runs.load(), 10);
    EXPECT_LT(runs.load(), 10 + threads);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ExecutorTest,
                         ::testing::Values(ExecutorBackend::Tbb, ExecutorBackend::Threads),
                         [](const auto& test) {
                           return test.param == ExecutorBackend::Tbb ? "Tbb" : "Threads";
                         });

}  // namespace
}  // namespace shard::executor_test

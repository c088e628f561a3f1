#include "runtime/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <vector>

namespace shard {
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
}  // namespace shard

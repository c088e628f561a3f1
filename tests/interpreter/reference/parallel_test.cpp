#include "interpreter/reference/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <new>
#include <stdexcept>
#include <vector>

#include "interpreter/reference/unsharded.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::oracle::parallel_test {
namespace {

TEST(InRanges, CallsForEachIndexOnce) {
  for (const int threads : {1, 2, 5}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      std::vector<int> calls(count, 0);
      in_ranges(Watch({}, threads), count, 7, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++calls[i];
      });
      EXPECT_EQ(calls, std::vector<int>(count, 1));
    }
  }
}

TEST(InRanges, ThrowsWhatABodyThrows) {
  for (const int threads : {1, 3}) {
    EXPECT_THROW(in_ranges(Watch({}, threads), 100, 1,
                           [](std::size_t, std::size_t) { throw std::bad_alloc(); }),
                 std::bad_alloc);
  }
}

TEST(InRanges, EndsWithWhatTheWatchThrows) {
  for (const int threads : {1, 3}) {
    std::atomic<int> looks = 0;
    std::atomic<int> calls = 0;
    const Watch watch(
        [&] {
          if (++looks > 10) throw std::runtime_error("enough");
        },
        threads);
    EXPECT_THROW(in_ranges(watch, 1000, 1, [&](std::size_t, std::size_t) { ++calls; }),
                 std::runtime_error);
    EXPECT_EQ(calls, 10);
  }
}

// Large enough for several ranges and several calls of the product.
TEST(Oracle, HasTheSameBitsOnAnyNumberOfThreads) {
  const testing::Ran ran(
      "I = 600, J = 90, K = 70\nA[I, J]\nB[K, J]\nC[K, I] = A ·_J B\n"
      "D[K, I] = where(C > 0, tanh(C), 2 * C)\nS = softmax_I(D)");
  const auto computed = [&](int threads) {
    Unsharded oracle(ran.session.state().scope, ran.session.state().programs.front().machine.mesh,
                     [](const InputStep& step, std::uint64_t index, DType) {
                       return std::sin(static_cast<double>(index) * 1.7 + step.seed[0]);
                     },
                     {.watch = Watch({}, threads), .bounds = Bounds::Carried});
    std::vector<double> all;
    for (const StatementRecord& statement : ran.session.state().programs.front().statements) {
      oracle.run(statement.flow.get());
      const Array array = *oracle.array(statement.target);
      all.insert(all.end(), array.value.begin(), array.value.end());
      all.insert(all.end(), array.bound.begin(), array.bound.end());
    }
    return all;
  };
  const std::vector<double> alone = computed(1);
  EXPECT_GT(alone.size(), 6u * 600 * 70 - 1);
  EXPECT_EQ(computed(2), alone);
  EXPECT_EQ(computed(3), alone);
}

}  // namespace
}  // namespace shard::oracle::parallel_test

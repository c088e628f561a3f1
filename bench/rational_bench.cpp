// Exact arithmetic underlies every cost, so the planner's speed depends on it.
#include <benchmark/benchmark.h>

#include "base/rational.h"

namespace shard {
namespace {

void sum_of_fractions(benchmark::State& state) {
  for (auto _ : state) {
    Rational sum;
    for (int i = 1; i <= 20; ++i) sum = sum + Rational::fraction(1, i);
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(sum_of_fractions);

void compare_close_fractions(benchmark::State& state) {
  const Rational big = power(2, 120);
  const Rational below = big / (big + 1);
  const Rational above = (big + 1) / (big + 2);
  for (auto _ : state) benchmark::DoNotOptimize(below < above);
}
BENCHMARK(compare_close_fractions);

}  // namespace
}  // namespace shard

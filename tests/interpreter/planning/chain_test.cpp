// Chains of products under `plan cheapest`: as cheap as the cheapest of all associations that one could write.
#include "interpreter/planning/chain.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

#include "interpreter/planning/cheapest.h"
#include "interpreter/planning/objective.h"
#include "runtime/network/link_time_cache.h"
#include "tests/interpreter/support/machines.h"
#include "tests/property.h"

namespace shard::planning::chain_test {
namespace {

using Random = std::mt19937_64;

std::size_t below(std::size_t bound, Random& random) { return random() % bound; }

// Each axis splits one of two dimensions, or none.
Layout any_layout(std::size_t axes, bool unreduced, Random& random) {
  Layout layout = replicated(2);
  for (std::size_t a = 0; a < axes; ++a) {
    const AxisId axis{static_cast<std::int32_t>(a)};
    const std::size_t place = below(unreduced ? 4 : 3, random);
    if (place < 2) layout.dims.edit()[place].push_back(axis);
    if (place == 3) layout.unreduced.edit().push_back(axis);
  }
  return layout;
}

// Factor i has the labels i and i + 1.
struct Problem {
  std::vector<std::int64_t> lengths;
  std::vector<Layout> layouts;
  Layout target;

  Term factor(std::size_t i) const {
    return {.node = Source{{layouts[i]}},
            .labels = {static_cast<int>(i), static_cast<int>(i) + 1},
            .shape = testing::shape_of({lengths[i], lengths[i + 1]})};
  }
  Term product(Term left, Term right) const {
    const int first = left.labels.front();
    const int last = right.labels.back();
    const Shape shape = testing::shape_of(
        {lengths[static_cast<std::size_t>(first)], lengths[static_cast<std::size_t>(last)]});
    return {.node = Box<Product>(Product{std::move(left), std::move(right)}),
            .labels = {first, last},
            .shape = shape};
  }
  // All ways to set parentheses.
  std::vector<Term> associations(std::size_t first, std::size_t last) const {
    if (last == first + 1) return {factor(first)};
    std::vector<Term> all;
    for (std::size_t cut = first + 1; cut < last; ++cut) {
      for (const Term& left : associations(first, cut)) {
        for (const Term& right : associations(cut, last)) all.push_back(product(left, right));
      }
    }
    return all;
  }
};

Problem any_problem(const Machine& machine, Random& random) {
  static const std::vector<std::int64_t> lengths = {16, 64, 512, 4096, 16384};
  const std::size_t axes = machine.mesh.axes.size();
  Problem problem;
  const std::size_t count = 3 + below(axes == 1 ? 3 : 2, random);
  for (std::size_t i = 0; i <= count; ++i)
    problem.lengths.push_back(lengths[below(lengths.size(), random)]);
  for (std::size_t i = 0; i < count; ++i)
    problem.layouts.push_back(any_layout(axes, below(4, random) == 0, random));
  problem.target = any_layout(axes, false, random);
  return problem;
}

TEST(CheapestChain, IsTheCheapestOfAllAssociations) {
  Random random(rc::detail::configuration().testParams.seed);
  std::vector<Machine> machines;
  for (const auto& sizes : std::vector<std::vector<std::int64_t>>{{4}, {8}, {2, 2}, {4, 2}}) {
    machines.push_back(testing::rings(sizes));
    machines.back().link_times = std::make_shared<LinkTimes>();
  }
  int otherwise = 0;
  int by_objective = 0;
  const int cases = scaled_cases(200);
  for (int i = 0; i < cases && !HasFailure(); ++i) {
    const Machine& machine = machines[below(machines.size(), random)];
    const Problem problem = any_problem(machine, random);
    const Objective objective = below(3, random) == 0 ? Objective::Bytes : Objective::Time;
    CheapestLimits written;
    written.useful.aim.objective = objective;
    written.associates = false;
    Rank best;
    std::vector<Rank> ranks;
    const std::vector<Term> terms = problem.associations(0, problem.layouts.size());
    for (const Term& term : terms) {
      const CheapestWay way = cheapest_way(term, problem.target, machine, written);
      ASSERT_TRUE(way.made != nullptr && way.is_complete);
      ranks.push_back(rank_of(term, *way.made, machine, objective));
      if (is_better(ranks.back(), best)) best = ranks.back();
    }
    CheapestLimits free = written;
    free.associates = true;
    const std::size_t chosen = below(terms.size(), random);
    const CheapestWay way = cheapest_way(terms[chosen], problem.target, machine, free);
    ASSERT_TRUE(way.made != nullptr && way.is_complete);
    const Rank own = rank_of(terms[chosen], *way.made, machine, objective);
    EXPECT_FALSE(differ(own.figure, best.figure)) << own.figure << " and " << best.figure;
    // What is as good as written stays as written.
    EXPECT_EQ(way.made->term != nullptr, is_better(own, ranks[chosen]));
    if (way.made->term != nullptr) ++otherwise;
    if (objective == Objective::Bytes) ++by_objective;
  }
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(otherwise, scaled_cases(50));
  EXPECT_GE(by_objective, scaled_cases(30));
}

TEST(Chain, IsOneOfThreeFactorsThatSumOverEachDimensionOnce) {
  const Machine machine = testing::rings({4});
  Problem problem;
  problem.lengths = {8, 8, 8, 8};
  problem.layouts.assign(3, replicated(2));
  for (const Term& term : problem.associations(0, 3)) EXPECT_TRUE(Chain::of(term).has_value());
  EXPECT_FALSE(Chain::of(problem.associations(0, 2).front()).has_value());
  // Σ_j a(i, j) b(j, k), times what has another j.
  Term left = problem.product(problem.factor(0), problem.factor(1));
  Term other = problem.factor(1);
  Term whole{.node = Source{}, .labels = {0, 1}, .shape = testing::shape_of({8, 8})};
  whole.node = Box<Product>(Product{std::move(left), std::move(other)});
  EXPECT_FALSE(Chain::of(whole).has_value());
  // Sums that are rounded to another type on the way.
  Term rounded = problem.associations(0, 3).front();
  Product& product = *std::get<Box<Product>>(rounded.node);
  Term& part = std::holds_alternative<Source>(product.left.node) ? product.right : product.left;
  part.shape.dtype = DType::Fp32;
  EXPECT_FALSE(Chain::of(rounded).has_value());
}

}  // namespace
}  // namespace shard::planning::chain_test

// The rules: each has the least of what it counts, among all rules and all ways of the cases.
#include "interpreter/planning/objective.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

#include "runtime/network/link_time_cache.h"
#include "tests/interpreter/planning/contraction_oracle.h"
#include "tests/interpreter/support/machines.h"
#include "tests/property.h"

namespace shard::planning::objective_test {
namespace {

using Random = std::mt19937_64;

std::size_t below(std::size_t bound, Random& random) { return random() % bound; }

constexpr PlanRule kRules[] = {PlanRule::Cheapest, PlanRule::Overlap, PlanRule::Bytes,
                               PlanRule::Memory};

struct Arrays {
  explicit Arrays(const Machine& machine)
      : left(machine, 2),
        right(machine, 2),
        result(machine, 2),
        product(left, right, result, {0, 1}, {1, 2}, {0, 2}) {}
  testing::BlockOracle left;
  testing::BlockOracle right;
  testing::BlockOracle result;
  testing::ContractionOracle product;
};

Term source(const Layout& layout, const Labels& labels, const std::vector<Amount>& lengths) {
  Term term{.node = Source{{layout}}, .labels = labels, .shape = {}};
  term.shape.lengths = lengths;
  return term;
}

// Of A[I, J] · B[J, K] → C[I, K], and of the re-layout of A to the layout of C.
TEST(PlanRules, HaveTheLeastOfWhatTheyCount) {
  Random random(rc::detail::configuration().testParams.seed);
  static const std::vector<std::int64_t> lengths = {8, 48, 1024, 4096, 65536};
  std::vector<std::unique_ptr<Arrays>> arrays;
  for (const auto& sizes : std::vector<std::vector<std::int64_t>>{{4}, {2, 2}, {4, 2}}) {
    Machine machine = testing::rings(sizes);
    machine.link_times = std::make_shared<LinkTimes>();
    arrays.push_back(std::make_unique<Arrays>(machine));
  }
  std::map<PlanRule, int> differ_from_time;
  int unproven = 0;
  const int cases = scaled_cases(300);
  for (int i = 0; i < cases && !HasFailure();) {
    Arrays& some = *arrays[below(arrays.size(), random)];
    const Machine& machine = some.left.machine();
    testing::ContractionOracle::Lengths size;
    for (int label = 0; label < 3; ++label) size[label] = lengths[below(lengths.size(), random)];
    const auto any = [&](const testing::BlockOracle& oracle) -> const Layout& {
      return oracle.layouts()[below(oracle.layouts().size(), random)];
    };
    const Layout& left = any(some.left);
    const Layout& right = any(some.right);
    const Layout& target = any(some.result);
    if (!target.unreduced.empty()) continue;
    ++i;
    Term term = source(target, {0, 2}, some.product.shape({0, 2}, size));
    term.node = Box<Product>(Product{source(left, {0, 1}, some.product.shape({0, 1}, size)),
                                     source(right, {1, 2}, some.product.shape({1, 2}, size))});
    if (indivisible_dimension(term.shape.lengths, target, machine.mesh)) continue;
    std::map<PlanRule, MadePtr> chosen;
    std::map<PlanRule, std::vector<MadePtr>> found;
    for (const PlanRule rule : kRules) {
      const auto ways = plan_term(term, target, machine, {}, rule);
      ASSERT_FALSE(ways.empty());
      chosen[rule] = ways.front();
      found[rule] = ways;
    }
    for (const PlanRule rule : kRules) {
      const Objective objective = objective_of(rule);
      const Rank own = rank_of(term, *chosen[rule], machine, objective);
      EXPECT_EQ(chosen[rule]->layout, target);
      // A search that used up its budget says so (PlanBudget), and promises nothing.
      if (chosen[rule]->unproven > 0) {
        ++unproven;
        continue;
      }
      for (const auto& [by, ways] : found) {
        // Of timelines those of the other two are none that it looks at.
        if (rule == PlanRule::Overlap && (by == PlanRule::Bytes || by == PlanRule::Memory))
          continue;
        for (const MadePtr& other : ways) {
          EXPECT_FALSE(is_better(rank_of(term, *other, machine, objective), own))
              << name_of(rule) << ": " << own.figure << " and "
              << rank_of(term, *other, machine, objective).figure;
        }
      }
      if (is_better(own, rank_of(term, *chosen[PlanRule::Cheapest], machine, objective)))
        ++differ_from_time[rule];
    }
  }
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_LE(unproven, cases * int(std::size(kRules)) / 10);
  for (const PlanRule rule : {PlanRule::Overlap, PlanRule::Bytes, PlanRule::Memory})
    EXPECT_GE(differ_from_time[rule], scaled_cases(rule == PlanRule::Overlap ? 3 : 20))
        << name_of(rule);
}

}  // namespace
}  // namespace shard::planning::objective_test

#include "interpreter/planning/cheapest.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>

#include "runtime/network/link_time_cache.h"
#include "tests/interpreter/planning/contraction_oracle.h"
#include "tests/interpreter/support/machines.h"
#include "tests/property.h"

namespace shard::planning::cheapest_test {
namespace {

using testing::BlockOracle;
using testing::ContractionOracle;
using testing::layout_of;
using Random = std::mt19937_64;

std::size_t pick(std::size_t bound, Random& random) { return random() % bound; }

// Products of one or two dimensions each, with and without a batch dimension, and over two dimensions at once.
struct Form {
  Labels left;
  Labels right;
  Labels result;
};
const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {{0, 1}, {1, 2}, {0, 2}},          {{0, 1}, {1}, {0}}, {{1}, {1}, {}},
      {{3, 0, 1}, {3, 1}, {3, 0}},       {{0}, {2}, {0, 2}}, {{0, 1, 3}, {3, 1}, {0}},
      {{3, 0, 1}, {3, 1, 2}, {3, 0, 2}},
  };
  return all;
}

Term source(const Layout& layout, const Labels& labels, const std::vector<Amount>& lengths) {
  Term term{.node = Source{{layout}}, .labels = labels, .shape = {}};
  term.shape.lengths = lengths;
  term.shape.dtype = DType::Bf16;
  return term;
}

// Oracles for each mesh and form: what meets where is the same for all lengths.
struct Problem {
  std::vector<std::unique_ptr<BlockOracle>> arrays;
  std::unique_ptr<ContractionOracle> product;
};

// On the torus, and with some of the axes over other networks.
Problem& problem_of(std::size_t mesh, std::size_t form, std::size_t networks) {
  static const std::vector<std::vector<std::int64_t>> meshes = {
      {4}, {2, 2}, {4, 2}, {2, 3}, {2, 2, 2}};
  static std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Problem> known;
  Problem& problem = known[{mesh, form, networks}];
  if (problem.product != nullptr) return problem;
  Machine machine = testing::rings(meshes[mesh]);
  machine.link_times = std::make_shared<LinkTimes>();
  if (networks > 0)
    machine = testing::over_networks(std::move(machine), testing::sets_of_networks()[networks - 1]);
  const Form& labels = forms()[form];
  for (const Labels* array : {&labels.left, &labels.right, &labels.result})
    problem.arrays.push_back(std::make_unique<BlockOracle>(machine, array->size()));
  problem.product = std::make_unique<ContractionOracle>(*problem.arrays[0], *problem.arrays[1],
                                                        *problem.arrays[2], labels.left,
                                                        labels.right, labels.result);
  return problem;
}

TEST(CheapestWay, IsWhatAnOracleOfBlocksFinds) {
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  Random random(seed);
  const std::vector<std::vector<std::int64_t>> lengths = {
      {48, 48, 48, 48},       {4096, 48, 16384, 12},    {12, 65536, 4096, 24}, {65536, 4096, 48, 6},
      {4096, 4096, 4096, 48}, {16384, 16384, 16384, 2}, {12, 4096, 4096, 4096}};
  int communicating = 0;
  int better = 0;
  const int cases = scaled_cases(500);
  for (int i = 0; i < cases && !HasFailure();) {
    const std::size_t mesh = pick(5, random);
    // The largest takes long to enumerate on three axes.
    const std::size_t form = pick(mesh == 4 ? forms().size() - 1 : forms().size(), random);
    const std::size_t sets = testing::sets_of_networks().size();
    const std::size_t networks = pick(2, random) == 0 ? 0 : 1 + pick(sets, random);
    Problem& problem = problem_of(mesh, form, networks);
    const Form& labels = forms()[form];
    ContractionOracle::Lengths size;
    const auto& some = lengths[pick(lengths.size(), random)];
    for (int label = 0; label < 4; ++label) size[label] = some[static_cast<std::size_t>(label)];
    const Machine& machine = problem.arrays[0]->machine();
    const auto any = [&](std::size_t array) {
      return pick(problem.arrays[array]->layouts().size(), random);
    };
    const std::size_t left = any(0);
    const std::size_t right = any(1);
    const std::size_t target = any(2);
    const auto lefts = problem.product->shape(labels.left, size);
    const auto rights = problem.product->shape(labels.right, size);
    const auto results = problem.product->shape(labels.result, size);
    const Layout& left_layout = problem.arrays[0]->layouts()[left];
    const Layout& right_layout = problem.arrays[1]->layouts()[right];
    const Layout& goal = problem.arrays[2]->layouts()[target];
    if (indivisible_dimension(lefts, left_layout, machine.mesh) ||
        indivisible_dimension(rights, right_layout, machine.mesh) ||
        indivisible_dimension(results, goal, machine.mesh) || !goal.unreduced.empty())
      continue;
    ++i;
    Term product = source(goal, labels.result, results);
    product.node = Box<Product>(Product{source(left_layout, labels.left, lefts),
                                        source(right_layout, labels.right, rights)});
    const auto best = problem.product->cheapest(left, right, target, size);
    const auto ways = plan_term(product, goal, machine, {}, PlanRule::Cheapest);
    ASSERT_TRUE(best.has_value());
    ASSERT_FALSE(ways.empty());
    Weight own = ways.front()->weight;
    own.steps = 0;
    const std::string what = to_string(left_layout, testing::letters(), machine.mesh) + " · " +
                             to_string(right_layout, testing::letters(), machine.mesh) + " → " +
                             to_string(goal, testing::letters(), machine.mesh) + " form " +
                             std::to_string(form) + " mesh " + std::to_string(mesh) + " networks " +
                             std::to_string(networks) + " seed " + std::to_string(seed);
    EXPECT_FALSE(lighter(own, *best) || lighter(*best, own))
        << what << ": " << own.seconds << " s, and the oracle's " << best->seconds << " s; "
        << own.bytes << " B and " << best->bytes << " B";
    EXPECT_EQ(ways.front()->unproven, 0) << what;
    const auto by_cases = plan_term(product, goal, machine);
    if (own.bytes > 0) ++communicating;
    if (by_cases.empty() || lighter(own, by_cases.front()->weight)) ++better;
  }
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(communicating, scaled_cases(200));
  EXPECT_GE(better, scaled_cases(100));
}

// A[I_X, J] · B[J_X, K] → C[I_X, K] with few rows.
TEST(CheapestWay, ExchangesASmallOperand) {
  const Machine machine = testing::rings({4});
  const Mesh& mesh = machine.mesh;
  Term product = source(layout_of(mesh, {"X", ""}), {0, 2}, {4, 4096});
  product.node = Box<Product>(Product{source(layout_of(mesh, {"X", ""}), {0, 1}, {4, 4096}),
                                      source(layout_of(mesh, {"X", ""}), {1, 2}, {4096, 4096})});
  const auto cheapest =
      plan_term(product, layout_of(mesh, {"X", ""}), machine, {}, PlanRule::Cheapest).front();
  const auto cases = plan_term(product, layout_of(mesh, {"X", ""}), machine).front();
  const auto& operands = std::get<MadeFrom>(cheapest->origin).operands;
  ASSERT_EQ(operands[0]->moves.size(), 1U);
  EXPECT_EQ(operands[0]->moves.front().kind, CollectiveKind::AllToAll);
  EXPECT_TRUE(operands[1]->moves.empty());
  ASSERT_EQ(cheapest->moves.size(), 1U);
  EXPECT_EQ(cheapest->moves.front().kind, CollectiveKind::ReduceScatter);
  EXPECT_LT(cheapest->weight.bytes, 65536);
  EXPECT_LT(cheapest->weight.seconds, cases->weight.seconds / 4);
  const MadePtr noted = cheaper_way(product, layout_of(mesh, {"X", ""}), machine, *cases);
  ASSERT_NE(noted, nullptr);
  EXPECT_EQ(noted->weight.seconds, cheapest->weight.seconds);
  EXPECT_EQ(cheaper_way(product, layout_of(mesh, {"X", ""}), machine, *cheapest), nullptr);
}

}  // namespace
}  // namespace shard::planning::cheapest_test

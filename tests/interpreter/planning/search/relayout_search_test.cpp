#include "interpreter/planning/search/relayout_search.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <random>

#include "interpreter/planning/search/distance_bound.h"
#include "interpreter/planning/search/neighbours.h"
#include "interpreter/planning/search/prices.h"
#include "interpreter/planning/search/route_search.h"
#include "runtime/network/link_time_cache.h"
#include "tests/interpreter/planning/search/block_oracle.h"
#include "tests/interpreter/support/machines.h"
#include "tests/property.h"

namespace shard::planning::relayout_search_test {
namespace {

using testing::BlockOracle;
using Random = std::mt19937_64;

std::size_t below(std::size_t bound, Random& random) { return random() % bound; }

// Rings, lines, and the torus with other networks.
constexpr std::size_t kLines = 1;
std::size_t any_form(Random& random) {
  return below(2 + testing::sets_of_networks().size(), random);
}

Machine machine_of(const std::vector<std::int64_t>& sizes, std::size_t form) {
  Machine machine = testing::rings(sizes);
  for (MeshAxis& axis : machine.mesh.axes) {
    for (TorusAxis& torus : axis.torus) torus.wraps = form != kLines;
  }
  return testing::over_networks(std::move(machine), form <= kLines
                                                        ? std::vector<testing::Network>{}
                                                        : testing::sets_of_networks()[form - 2]);
}

// An oracle for each machine and rank: what leads where is the same for all lengths and networks.
BlockOracle& any_oracle(Random& random, CostModel model = CostModel::Book) {
  static const std::vector<std::vector<std::int64_t>> meshes = {
      {4}, {2, 2}, {2, 4}, {3, 2}, {2, 2, 2}, {4, 4}, {2, 2, 4}, {2, 4, 4}, {2, 3, 4}};
  constexpr std::size_t kFewDevices = 5;
  static std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<BlockOracle>> blocks;
  static std::map<std::tuple<std::size_t, std::size_t, std::size_t, CostModel>,
                  std::unique_ptr<BlockOracle>>
      known;
  const std::size_t mesh = below(model == CostModel::Book ? meshes.size() : kFewDevices, random);
  const std::size_t rank = 1 + below(model == CostModel::Book ? 3 : 2, random);
  const std::size_t form = any_form(random);
  auto& base = blocks[{mesh, rank}];
  if (base == nullptr) base = std::make_unique<BlockOracle>(machine_of(meshes[mesh], 0), rank);
  auto& oracle = known[{mesh, rank, form, model}];
  if (oracle == nullptr) {
    Machine machine = machine_of(meshes[mesh], form);
    machine.model = model;
    oracle = std::make_unique<BlockOracle>(base->on(std::move(machine)));
  }
  return *oracle;
}

Shape any_shape(std::size_t rank, Random& random) {
  static const std::vector<std::vector<std::int64_t>> lengths = {
      {48, 48, 48},      {4096, 48, 16},     {192, 8, 12},
      {65536, 4096, 48}, {4096, 4096, 4096}, {6, 96, 2}};
  std::vector<std::int64_t> shape = lengths[below(lengths.size(), random)];
  shape.resize(rank);
  return testing::shape_of(shape);
}

std::string way(const BlockOracle& oracle, std::size_t to) {
  std::string text;
  for (const Layout& layout : oracle.way(to))
    text += to_string(layout, testing::letters(), oracle.machine().mesh) + " ";
  return text;
}

std::string text_of(const Mesh& mesh) {
  std::string text;
  for (const MeshAxis& axis : mesh.axes) {
    text += axis.name + ": " + axis.size.to_string();
    for (const TorusAxis& torus : axis.torus) text += torus.wraps ? " (ring)" : " (line)";
    text += "; ";
  }
  return text;
}

// How many routes have so many moves.
using Lengths = std::map<std::size_t, int>;

Lengths compare_with_oracle(CostModel model, int cases) {
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  Random random(seed);
  Lengths by_length;
  for (int i = 0; i < cases && !::testing::Test::HasFailure();) {
    BlockOracle& oracle = any_oracle(random, model);
    const auto& layouts = oracle.layouts();
    const std::size_t from = below(layouts.size(), random);
    const std::size_t to = below(layouts.size(), random);
    const Shape shape = any_shape(layouts.front().rank(), random);
    const Mesh& mesh = oracle.machine().mesh;
    if (indivisible_dimension(shape.lengths, layouts[from], mesh) ||
        indivisible_dimension(shape.lengths, layouts[to], mesh))
      continue;
    ++i;
    const auto best = oracle.cheapest(from, to, shape.lengths);
    const auto found = cheapest_route({layouts[from]}, layouts[to], shape, oracle.machine());
    const std::string what = to_string(layouts[from], testing::letters(), mesh) + " → " +
                             to_string(layouts[to], testing::letters(), mesh) + " of " +
                             shape.lengths.front().to_string() + " on " + text_of(mesh) +
                             ", seed " + std::to_string(seed);
    EXPECT_EQ(found.has_value(), best.has_value()) << what;
    if (!found || !best) continue;
    EXPECT_FALSE(found->bound.has_value()) << what;
    Weight own = found->weight;
    own.steps = 0;
    EXPECT_FALSE(lighter(own, *best) || lighter(*best, own))
        << what << ": " << own.seconds << " s, and the oracle's way " << best->seconds << " s; "
        << own.bytes << " B and " << best->bytes << " B, "
        << ::testing::PrintToString(testing::names_of(found->moves, mesh)) << " and "
        << way(oracle, to);
    Layout at = layouts[from];
    for (const Move& move : found->moves) {
      EXPECT_EQ(move.from, at) << what;
      at = move.to;
    }
    EXPECT_EQ(at, layouts[to]) << what;
    ++by_length[found->moves.size()];
  }
  return by_length;
}

TEST(RelayoutSearch, FindsWhatAnOracleOfBlocksFinds) {
  Lengths by_length = compare_with_oracle(CostModel::Book, scaled_cases(10'000));
  SHARD_COUNTS_IN_FULL_RUNS();
  for (const std::size_t length : {1U, 2U, 3U, 4U})
    EXPECT_GE(by_length[length], scaled_cases(100)) << length;
}

TEST(RelayoutSearch, FindsWhatAnOracleOfBlocksFindsOnLinks) {
  Lengths by_length = compare_with_oracle(CostModel::Links, scaled_cases(1'000));
  SHARD_COUNTS_IN_FULL_RUNS();
  for (const std::size_t length : {1U, 2U, 3U})
    EXPECT_GE(by_length[length], scaled_cases(20)) << length;
}

// Four axes, of which an oracle takes its time to enumerate what leads where.
TEST(RelayoutSearch, FindsWhatAnOracleOfBlocksFindsOnFourAxes) {
  Random random(rc::detail::configuration().testParams.seed);
  std::vector<std::unique_ptr<BlockOracle>> oracles;
  for (const std::size_t rank : {1U, 2U}) {
    oracles.push_back(std::make_unique<BlockOracle>(machine_of({2, 2, 2, 2}, 0), rank));
    for (std::size_t form = 2; form < 2 + testing::sets_of_networks().size(); ++form)
      oracles.push_back(std::make_unique<BlockOracle>(
          oracles[oracles.size() - form + 1]->on(machine_of({2, 2, 2, 2}, form))));
  }
  int moved = 0;
  const int cases = scaled_cases(400);
  for (int i = 0; i < cases && !HasFailure();) {
    BlockOracle& oracle = *oracles[below(oracles.size(), random)];
    const auto& layouts = oracle.layouts();
    const std::size_t from = below(layouts.size(), random);
    const std::size_t to = below(layouts.size(), random);
    const Shape shape = any_shape(layouts.front().rank(), random);
    const Mesh& mesh = oracle.machine().mesh;
    if (indivisible_dimension(shape.lengths, layouts[from], mesh) ||
        indivisible_dimension(shape.lengths, layouts[to], mesh))
      continue;
    ++i;
    const auto best = oracle.cheapest(from, to, shape.lengths);
    const auto found = cheapest_route({layouts[from]}, layouts[to], shape, oracle.machine());
    ASSERT_EQ(found.has_value(), best.has_value());
    if (!found) continue;
    EXPECT_FALSE(found->bound.has_value());
    Weight own = found->weight;
    own.steps = 0;
    EXPECT_FALSE(lighter(own, *best) || lighter(*best, own))
        << to_string(layouts[from], testing::letters(), mesh) << " → "
        << to_string(layouts[to], testing::letters(), mesh) << ": " << own.seconds << " s, and "
        << way(oracle, to) << best->seconds << " s";
    if (own.bytes > 0) ++moved;
  }
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(moved, scaled_cases(60));
}

// Collects hops.
class Hops final : public HopSink {
 public:
  bool add(const Hop& hop) override {
    hops.push_back(hop);
    return true;
  }
  std::vector<Hop> hops;
};

// Prices are those of runtime/cost; bounds are none above them.
TEST(RelayoutSearch, PricesAsTheCostModelDoes) {
  Random random(rc::detail::configuration().testParams.seed);
  const int cases = scaled_cases(10'000);
  std::map<HopKind, int> by_kind;
  for (int i = 0; i < cases && !HasFailure();) {
    BlockOracle& oracle = any_oracle(random);
    Machine machine = oracle.machine();
    if (below(4, random) == 0) machine.model = CostModel::Links;
    const auto& layouts = oracle.layouts();
    const std::vector<Layout> sources = {layouts[below(layouts.size(), random)]};
    const Layout& target = layouts[below(layouts.size(), random)];
    const Shape shape = any_shape(target.rank(), random);
    const Relayout problem{sources, target, shape, machine};
    const auto ground = Ground::of(problem);
    ASSERT_TRUE(ground.has_value());
    const Places from = ground->sources().front().places;
    Hops found;
    Neighbours neighbours(from, *ground, found);
    neighbours.find_others();
    neighbours.find_permutes();
    Prices prices(problem, *ground);
    const double local = ground->local_bytes(from);
    for (int j = 0; j < 4 && !found.hops.empty(); ++j, ++i) {
      const Hop& hop = found.hops[below(found.hops.size(), random)];
      const Move move = prices.move(from, hop, false);
      const Weight weight = weigh(cost_of(move, shape, machine));
      const Price exact = prices.exact(from, hop, local, false);
      const Price quick = prices.quick(hop, local);
      const std::string name = name_of(move, testing::letters(), machine.mesh);
      constexpr double kEqual = 1e-9;
      EXPECT_NEAR(exact.seconds, weight.seconds, kEqual * weight.seconds) << name;
      EXPECT_NEAR(exact.bytes, weight.bytes, kEqual * weight.bytes) << name;
      EXPECT_LE(quick.seconds, weight.seconds * (1 + kEqual)) << name;
      if (hop.kind == HopKind::Permute) {
        EXPECT_LE(prices.counted(from, hop, local).seconds, weight.seconds * (1 + kEqual)) << name;
      }
      ++by_kind[hop.kind];
    }
  }
  SHARD_COUNTS_IN_FULL_RUNS();
  for (const HopKind kind : {HopKind::AllGather, HopKind::ReduceScatter, HopKind::AllReduce,
                             HopKind::AllToAll, HopKind::Permute, HopKind::Slice})
    EXPECT_GE(by_kind[kind], scaled_cases(100)) << static_cast<int>(kind);
}

Machine pairs(int count) {
  std::vector<DeclaredAxis> axes;
  for (int i = 0; i < count; ++i)
    axes.push_back({"X" + std::to_string(i), {2}, AxisKind::Ici, true, std::nullopt});
  Machine machine = testing::rings({2});
  machine.mesh = std::get<Mesh>(fit_mesh(machine.chip, std::nullopt, axes));
  return machine;
}

std::vector<AxisId> axes_numbered(const std::vector<std::int32_t>& numbers) {
  std::vector<AxisId> axes;
  for (const std::int32_t number : numbers) axes.push_back(AxisId{number});
  return axes;
}

TEST(RelayoutSearch, SaysWhatIsNotProven) {
  const Machine machine = pairs(7);
  Layout from = replicated(3);
  from.dims = {axes_numbered({0, 1}), axes_numbered({2, 3}), axes_numbered({4})};
  from.unreduced = axes_numbered({5, 6});
  Layout to = replicated(3);
  to.dims = {axes_numbered({2, 4}), axes_numbered({0}), axes_numbered({3, 1})};
  const auto found = cheapest_route({from}, to, testing::shape_of({65536, 65536, 65536}), machine);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->moves.back().to, to);
  ASSERT_TRUE(found->bound.has_value());
  EXPECT_LT(*found->bound, found->weight.seconds);
  EXPECT_GT(*found->bound, 0);
}

TEST(RelayoutSearch, EndsOnSixteenAxesAndDimensions) {
  const Machine machine = pairs(16);
  Layout from = replicated(16);
  Layout to = replicated(16);
  for (std::int32_t i = 0; i < 16; ++i) {
    from.dims.edit()[static_cast<std::size_t>(i / 4)].push_back(AxisId{i});
    to.dims.edit()[static_cast<std::size_t>(15 - i % 5)].push_back(AxisId{i});
  }
  const Shape shape = testing::shape_of(std::vector<std::int64_t>(16, 16));
  const auto found = cheapest_route({from}, to, shape, machine);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->moves.back().to, to);
}

}  // namespace
}  // namespace shard::planning::relayout_search_test

// The model `book` of collectives. Numbers are those of facts/answers.md.
#include "runtime/cost/collective_cost.h"

#include <algorithm>

#include "runtime/network/collective_schedule.h"
#include "runtime/network/link_simulation.h"
#include "tests/property.h"
#include "tests/runtime/support/machines.h"

namespace shard::collective_cost_test {
namespace {

using namespace shard::testing;  // NOLINT(google-build-using-namespace)

constexpr auto kGather = CollectiveKind::AllGather;
constexpr auto kScatter = CollectiveKind::ReduceScatter;
constexpr auto kReduce = CollectiveKind::AllReduce;
constexpr auto kExchange = CollectiveKind::AllToAll;

Cost gather(const Machine& m, std::string_view over, const std::vector<Amount>& shape,
            const Layout& from) {
  return collective(kGather, m, over, shape, from, replicated(from.rank()));
}
Cost reduce(const Machine& m, std::string_view over, const std::vector<Amount>& shape,
            const Layout& from) {
  Layout to = from;
  to.unreduced = {};
  return collective(kReduce, m, over, shape, from, to);
}
Cost exchange(const Machine& m, std::string_view over, const std::vector<Amount>& shape,
              const std::string& axes) {
  return collective(kExchange, m, over, shape, layout(m, {axes, ""}), layout(m, {"", axes}));
}

// Two axes behind a switch with a bandwidth each ran in the order in which they were written.
TEST(CollectiveCost, OfTwoNetworksOfOneKindTheFasterOneComesFirst) {
  DeclaredAxis slow{"X", {4}, AxisKind::Switch, std::nullopt, Rational(10'000'000'000)};
  DeclaredAxis fast{"Y", {4}, AxisKind::Switch, std::nullopt, Rational(40'000'000'000)};
  const Machine m = machine(tpu_v5p(), {slow, fast});
  const auto groups = groups_of({AxisId{0}, AxisId{1}}, m);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].axes, std::vector<AxisId>{AxisId{1}});
  // V = 1.6 MB: three quarters over the fast one, three quarters of a quarter over the slow one.
  const Cost cost = gather(m, "XY", {1600, 500}, layout(m, {"XY", ""}));
  EXPECT_EQ(cost.comms.constant()->to_double(), 1.2e6 / 4e10 + 0.3e6 / 1e10);
  slow.bandwidth = fast.bandwidth;
  EXPECT_EQ(groups_of({AxisId{0}, AxisId{1}}, machine(tpu_v5p(), {slow, fast})).size(), 1U);
}

TEST(CollectiveCost, AFullNodeExchangesOverALinkToEachOther) {
  const Machine m = machine(mi300x(), {axis("X", {2}), axis("Y", {4})});
  constexpr double kLink = 6.4e10;
  const auto group = [&](std::string_view over) { return groups_of(axes(m, over), m).front(); };
  for (const auto& [over, links] :
       {std::pair{"X", 1.0}, std::pair{"Y", 3.0}, std::pair{"XY", 7.0}, std::pair{"YX", 7.0}}) {
    EXPECT_EQ(group(over).bandwidth.constant()->to_double(), links * kLink) << over;
    EXPECT_EQ(group(over).link.constant()->to_double(), kLink) << over;
    EXPECT_EQ(rates_of(group(over))->bandwidth, kLink) << over;
    EXPECT_EQ(torus_of(group(over), m.mesh)->fabric(), Fabric::Full) << over;
  }
  // V = 1.6 MB, of which all but the own part comes over those links.
  const auto seconds_over = [&](const std::string& over) {
    return gather(m, over, {1600, 500}, layout(m, {over, ""})).comms.constant()->to_double();
  };
  EXPECT_EQ(seconds_over("X"), 1.6e6 / 2 / kLink);
  EXPECT_EQ(seconds_over("Y"), 1.6e6 / 4 / kLink);
  EXPECT_EQ(seconds_over("XY"), 1.6e6 / 8 / kLink);
}

// What is written at an axis is a network's own, and no link of the node.
TEST(CollectiveCost, AnAxisWithABandwidthIsNoPartOfAFullNode) {
  const DeclaredAxis own{"Z", {4}, AxisKind::Switch, std::nullopt, Rational(64'000'000'000)};
  const Machine m = machine(mi300x(), {axis("X", {2}), own, axis("Y", {4})});
  const auto groups = groups_of(axes(m, "XZY"), m);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].axes, axes(m, "XY"));
  EXPECT_EQ(groups[0].fabric, Fabric::Full);
  EXPECT_EQ(groups[1].axes, axes(m, "Z"));
  EXPECT_EQ(groups[1].fabric, Fabric::Network);
  EXPECT_EQ(groups[1].bandwidth, groups[1].link);
}

TEST(CollectiveCost, OfAFullNodeWithoutFiguresTheLinksAreCounted) {
  Chip chip = mi300x();
  chip.ici_one_way.reset();
  const Machine m = machine(chip, {axis("X", {8})});
  EXPECT_EQ(groups_of(axes(m, "X"), m).front().bandwidth,
            Formula(7) * (Formula::symbol("W") / Formula(2)));
}

TEST(CollectiveCost, ALaunchCountsOnceAndOnlyIfSomethingMoves) {
  Machine m = slice(tpu_v4p(), {4, 4, 4});
  const std::vector<Amount> shape{1024, 4096};
  m.chip.launch = Rational::fraction(14, 1'000'000);
  EXPECT_EQ(seconds(gather(m, "X", shape, layout(m, {"X", "Y"})).comms), "37.30 us");
  EXPECT_EQ(seconds(reduce(m, "Z", shape, layout(m, {"X", "Y"}, "Z")).comms), "25.65 us");
  EXPECT_EQ(bound_of(reduce(m, "Z", shape, layout(m, {"X", "Y"}, "Z"))), Bound::Latency);
  const Machine alone = machine(m.chip, {axis("X", {1})});
  EXPECT_TRUE(gather(alone, "X", shape, layout(alone, {"X", ""})).comms.is_zero());
}

TEST(CollectiveCost, CoresComeBeforeTheTorus) {
  Chip chip = tpu_v5p();
  chip.cores = 2;
  chip.core_link = Rational(500'000'000'000);
  const DeclaredAxis cores{"C", {2}, AxisKind::Core, std::nullopt, std::nullopt};
  const Machine m = machine(one_core_of(chip), {ring("X", 4), cores});
  // V = 1.6 MB: half of it over the torus at half of W, and half of it between the cores.
  const Cost cost = gather(m, "XC", {1600, 500}, layout(m, {"XC", ""}));
  EXPECT_DOUBLE_EQ(cost.comms.constant()->to_double(), 0.8e6 / 5e11 + 0.8e6 / 0.9e11);
}

// Question 2 of the sharded-matrices document: B = 1024, D = 4096 on TPUv4p 4x4x4.
TEST(CollectiveCost, QuestionTwo) {
  const Machine m = slice(tpu_v4p(), {4, 4, 4});
  const std::vector<Amount> shape{1024, 4096};
  EXPECT_EQ(seconds(gather(m, "X", shape, layout(m, {"X", "Y"})).comms), "23.30 us");
  EXPECT_EQ(seconds(gather(m, "XY", shape, layout(m, {"X", "Y"})).comms), "46.60 us");
  EXPECT_EQ(seconds(reduce(m, "Z", shape, layout(m, {"X", "Y"}, "Z")).comms), "11.65 us");
}

TEST(CollectiveCost, QuestionThreeIsBoundByLatency) {
  const Machine m = slice(tpu_v4p(), {4, 4, 4});
  const Cost cost = gather(m, "X", {128}, layout(m, {"X"}));
  EXPECT_EQ(seconds(cost.comms), "2.000 us");
  EXPECT_EQ(bound_of(cost), Bound::Latency);
}

TEST(CollectiveCost, QuizTwoHasNoWraparound) {
  const Machine m = machine(tpu_v5e(), {axis("X", {8}), axis("Y", {4})});
  EXPECT_EQ(seconds(gather(m, "Y", {2048, 8192}, layout(m, {"Y", ""})).comms), "559.2 us");
  EXPECT_EQ(seconds(gather(m, "Y", {256, 256}, layout(m, {"Y", ""})).comms), "3.000 us");
  const Machine rings = machine(tpu_v5e(), {ring("X", 8), ring("Y", 4)});
  EXPECT_EQ(seconds(gather(rings, "Y", {2048, 8192}, layout(rings, {"Y", ""})).comms), "372.8 us");
}

TEST(CollectiveCost, AllToAllIsAQuarterOfAnAllGather) {
  const Machine m = slice(tpu_v4p(), {4, 4, 4});
  const Cost all_to_all = exchange(m, "X", {4096, 4096}, "X");
  EXPECT_EQ(seconds(all_to_all.comms), "93.21 us");
  EXPECT_EQ(Formula(4) * all_to_all.comms,
            gather(m, "X", {4096, 4096}, layout(m, {"X", ""})).comms);
}

TEST(CollectiveCost, QuestionFive) {
  const Machine m = slice(tpu_v5p(), {4, 4, 4});
  EXPECT_EQ(seconds(gather(m, "XYZ", {8192, 8192}, layout(m, {"XYZ", ""})).comms), "248.6 us");
  EXPECT_EQ(seconds(reduce(m, "XYZ", {8192, 8192}, layout(m, {"", ""}, "XYZ")).comms), "497.1 us");
}

TEST(CollectiveCost, QuestionSix) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  EXPECT_EQ(seconds(reduce(m, "Y", {4096, 4096}, layout(m, {"X", ""}, "Y")).comms), "279.6 us");
  EXPECT_EQ(seconds(gather(m, "X", {4096, 4096}, layout(m, {"X", "Y"})).comms), "139.8 us");
}

TEST(CollectiveCost, TensorParallelGramMatrix) {
  const Machine m = slice(tpu_v4p(), {2, 2});
  const Cost scatter =
      collective(kScatter, m, "X", {2048, 2048}, layout(m, {"Y", ""}, "X"), layout(m, {"YX", ""}));
  const Cost whole = gather(m, "XY", {2048, 2048}, layout(m, {"YX", ""}));
  EXPECT_EQ(seconds(scatter.comms), "46.60 us");
  EXPECT_EQ(seconds(whole.comms), "93.21 us");
}

TEST(CollectiveCost, AllReduceOfGradientsOverTwoRings) {
  const Machine m = machine_on(tpu_v5p(), {4, 4, 4}, {axis("X", {4, 4}), axis("Y", {4})});
  const Cost cost = gather(m, "X", {8192, 32'768}, layout(m, {"X", "Y"}));
  EXPECT_EQ(cost.comms_transfer,
            Formula(Rational(8192LL * 32'768 * 2 / 4)) / Formula(360'000'000'000))
      << "X: 4x4 has the bandwidth of two axes";
  EXPECT_EQ(cost.comms_latency, Formula(Rational::fraction(4, 1'000'000)));
}

TEST(CollectiveCost, HalfRingsRoundUp) {
  const Machine m = machine(tpu_v5e(), {ring("X", 5)});
  EXPECT_EQ(gather(m, "X", {5}, layout(m, {"X"})).comms, Formula(Rational::fraction(3, 1'000'000)));
}

TEST(CollectiveCost, ALineOfTwoIsAsFastAsARing) {
  const Machine line_of_two = machine(tpu_v5e(), {line("X", 2)});
  const Machine ring_of_two = machine(tpu_v5e(), {ring("X", 2)});
  for (const std::int64_t size : {2, 1 << 24}) {
    EXPECT_EQ(gather(line_of_two, "X", {size}, layout(line_of_two, {"X"})).comms,
              gather(ring_of_two, "X", {size}, layout(ring_of_two, {"X"})).comms);
  }
}

TEST(CollectiveCost, RingsAndLinesAddTheirBandwidths) {
  const Machine m = machine(tpu_v5e(), {line("X", 2), ring("Y", 8), line("Z", 3)});
  const Cost cost = gather(m, "XYZ", {48, 1'000'000}, layout(m, {"XYZ", ""}));
  EXPECT_EQ(cost.comms, Formula(96'000'000) / Formula(4LL * 45'000'000'000));
  EXPECT_EQ(cost.comms_latency, Formula(Rational::fraction(1 + 4 + 2, 1'000'000)));
}

TEST(CollectiveCost, AllToAllOnLinesIsTwiceAsDear) {
  const Machine lines = machine(tpu_v5e(), {line("X", 4), line("Y", 8)});
  const Machine rings = machine(tpu_v5e(), {ring("X", 4), ring("Y", 8)});
  const std::vector<Amount> shape{4096, 4096};
  EXPECT_EQ(exchange(lines, "XY", shape, "XY").comms,
            Formula(2) * exchange(rings, "XY", shape, "XY").comms);
  // V·max|Xi| / (4·N·W) with N = 32.
  EXPECT_EQ(exchange(rings, "XY", shape, "XY").comms,
            Formula(4096LL * 4096 * 2 * 8) / Formula(4LL * 32 * 90'000'000'000));
}

TEST(CollectiveCost, BytesMovedPerDevice) {
  const Machine m = slice(tpu_v4p(), {4, 4, 4});
  const std::vector<Amount> shape{1024, 4096};
  EXPECT_EQ(gather(m, "X", shape, layout(m, {"X", "Y"})).comm_bytes, Amount(2'097'152));
  EXPECT_EQ(reduce(m, "Z", shape, layout(m, {"X", "Y"}, "Z")).comm_bytes, Amount(1'048'576));
  EXPECT_EQ(exchange(m, "X", shape, "X").comm_bytes, Amount(2'097'152));
}

TEST(CollectiveCost, VolumeCountsTheOtherAxesOut) {
  const Machine m = slice(tpu_v4p(), {4, 4, 4});
  const Copy a = array({1024, 4096}, layout(m, {"X", "Y"}));
  EXPECT_EQ(collective_volume(axes(m, "X"), a, m.mesh), Amount(2'097'152));
  EXPECT_EQ(collective_volume(axes(m, "XY"), a, m.mesh), Amount(8'388'608));
}

TEST(CollectiveCost, AxesOfSizeOneCostNothing) {
  const Machine m = machine(tpu_v5e(), {axis("X", {1}), axis("Y", {4})});
  const Cost nothing = gather(m, "X", {64}, layout(m, {"X"}));
  EXPECT_TRUE(nothing.comms.is_zero());
  EXPECT_TRUE(nothing.comm_bytes.is_zero());
  EXPECT_EQ(gather(m, "XY", {64}, layout(m, {"XY"})).comms,
            gather(m, "Y", {64}, layout(m, {"Y"})).comms);
}

TEST(CollectiveCost, BetweenSlicesOnlyForeignBytesCount) {
  const Machine m = machine_on(tpu_v5p(), {4, 4}, {dcn("P", 4), axis("X", {16})});
  const Cost cost = gather(m, "P", {4, 1'000'000}, layout(m, {"P", ""}));
  EXPECT_EQ(cost.comms, Formula(6'000'000) / Formula(6'250'000'000));
  EXPECT_EQ(cost.comms_latency, Formula(Rational::fraction(10, 1'000'000)));
  EXPECT_EQ(seconds(gather(m, "P", {4}, layout(m, {"P"})).comms), "10.00 us");
  EXPECT_EQ(exchange(m, "P", {4, 1'000'000}, "P").comms,
            Formula(1'500'000) / Formula(6'250'000'000));
}

TEST(CollectiveCost, SlowNetworksMoveWhatIsReduced) {
  const Machine m = machine_on(tpu_v5p(), {4, 4}, {dcn("P", 2), axis("X", {4}), axis("Y", {4})});
  const std::vector<Amount> shape{1 << 20, 64};
  const Cost both = reduce(m, "PX", shape, layout(m, {"", ""}, "PX"));
  const Cost on_torus = reduce(m, "X", shape, layout(m, {"", ""}, "X"));
  const Cost between = reduce(m, "P", shape, layout(m, {"X", ""}, "P"));
  EXPECT_EQ(both.comms, on_torus.comms + between.comms);
}

TEST(CollectiveCost, SwitchedAxesExchangeAsOneNode) {
  const Machine one = slice(h100(), {8});
  const Machine two = machine_on(h100(), {8}, {axis("X", {4}), axis("Y", {2})});
  const std::vector<Amount> shape{8, 1 << 24};
  EXPECT_EQ(gather(one, "X", shape, layout(one, {"X", ""})).comms,
            gather(two, "XY", shape, layout(two, {"XY", ""})).comms);
  EXPECT_EQ(gather(one, "X", shape, layout(one, {"X", ""})).comms,
            Formula(7LL * (1 << 25)) / Formula(450'000'000'000));
}

TEST(CollectiveCost, WithoutAMeshEveryAxisIsOneRing) {
  const Machine m = symbolic({"X", "Y"});
  const Amount d = Amount::symbol("D");
  const Amount f = Amount::symbol("F");
  EXPECT_EQ(gather(m, "X", {d, f}, layout(m, {"X", ""})).comms.to_string(),
            "max(2·D·F / W, T_min·⌈X / 2⌉)");
  EXPECT_EQ(gather(m, "XY", {d, f}, layout(m, {"XY", ""})).comms.to_string(),
            "max(D·F / W, T_min·(⌈X / 2⌉ + ⌈Y / 2⌉))");
  EXPECT_EQ(exchange(m, "X", {d, f}, "X").comms.to_string(), "max(D·F / (2·W), T_min·⌈X / 2⌉)");
}

TEST(CollectiveCost, SymbolsSubstituteToTheNumbers) {
  const Machine in_symbols = symbolic({"X", "Y"});
  const Machine in_numbers = machine(unknown_chip(), {axis("X", {4}), axis("Y", {8})});
  const std::vector<Amount> shape{Amount::symbol("D"), 64};
  const Values sizes{{"X", 4}, {"Y", 8}, {"D", 1 << 20}, {"W", 90'000'000'000}};
  for (const std::string over : {"X", "Y", "XY"}) {
    EXPECT_EQ(
        gather(in_symbols, over, shape, layout(in_symbols, {over, ""})).comms.substitute(sizes),
        gather(in_numbers, over, shape, layout(in_numbers, {over, ""})).comms.substitute(sizes))
        << over;
  }
}

// --- Properties on random machines ---

DeclaredAxis random_axis(const std::string& name) {
  const int size = *rc::gen::inRange(2, 9);
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return line(name, size);
    case 1:
      return dcn(name, size);
    case 2:
      return axis(name, {size, *rc::gen::inRange(2, 5)});
    default:
      return ring(name, size);
  }
}

Machine random_machine() {
  return machine(*rc::gen::element(tpu_v5p(), tpu_v5e()), {random_axis("X"), random_axis("Y")});
}

std::string random_axes() { return *rc::gen::element<std::string>("X", "Y", "XY", "YX"); }
CollectiveKind random_kind() { return *rc::gen::element(kGather, kScatter, kReduce, kExchange); }

// Rows split by all axes, so that every shape divides.
Cost cost_of_rows(CollectiveKind kind, const Machine& m, const std::string& over,
                  std::int64_t columns) {
  const Amount rows = size_of(axes(m, "XY"), m.mesh);
  const Layout split = layout(m, {over, ""});
  const bool reduces = kind == kScatter || kind == kReduce;
  Layout partial = replicated(2);
  std::vector<AxisId> unreduced = axes(m, over);
  std::sort(unreduced.begin(), unreduced.end());
  partial.unreduced = std::move(unreduced);
  const Layout after =
      kind == kScatter ? split : (kind == kExchange ? layout(m, {"", over}) : replicated(2));
  return collective(kind, m, over, {rows, columns}, reduces ? partial : split, after);
}

SHARD_PROPERTY(CollectiveCost, MoreBytesNeverTakeLess, 500) {
  const Machine m = random_machine();
  const CollectiveKind kind = random_kind();
  const std::string over = random_axes();
  const std::int64_t columns = *rc::gen::inRange(1, 1 << 20);
  const std::int64_t more = columns + *rc::gen::inRange(0, 1 << 20);
  RC_ASSERT(number(cost_of_rows(kind, m, over, columns).comms) <=
            number(cost_of_rows(kind, m, over, more).comms));
}

SHARD_PROPERTY(CollectiveCost, AllReduceIsReduceScatterAndAllGather, 300) {
  const Machine m = random_machine();
  const std::string over = random_axes();
  const std::int64_t columns = *rc::gen::inRange(1, 1 << 20);
  Cost parts = cost_of_rows(kScatter, m, over, columns);
  parts += cost_of_rows(kGather, m, over, columns);
  const Cost whole = cost_of_rows(kReduce, m, over, columns);
  RC_ASSERT(whole.comms == parts.comms);
  RC_ASSERT(whole.comm_bytes == parts.comm_bytes);
  RC_ASSERT(whole.comms_latency == parts.comms_latency);
}

SHARD_PROPERTY(CollectiveCost, TotalIsTheLargerOfLatencyAndTransferOfOnePrimitive, 300) {
  const Machine m = random_machine();
  const std::string over = *rc::gen::element<std::string>("X", "Y");
  const Cost cost = cost_of_rows(*rc::gen::element(kGather, kScatter, kExchange), m, over,
                                 *rc::gen::inRange(1, 1 << 20));
  RC_ASSERT(cost.comms == max(cost.comms_latency, cost.comms_transfer));
}

// On rings, both axes at once are never dearer than one after the other.
SHARD_PROPERTY(CollectiveCost, GatheringOverTwoRingsAtOnceIsNeverDearer, 300) {
  const Machine m = machine(
      tpu_v5p(), {ring("X", *rc::gen::inRange(2, 17)), ring("Y", *rc::gen::inRange(2, 17))});
  const std::vector<Amount> shape{size_of(axes(m, "XY"), m.mesh), *rc::gen::inRange(1, 1 << 20)};
  const Cost at_once = gather(m, "XY", shape, layout(m, {"XY", ""}));
  const Cost first =
      collective(kGather, m, "Y", shape, layout(m, {"XY", ""}), layout(m, {"X", ""}));
  const Cost second = gather(m, "X", shape, layout(m, {"X", ""}));
  RC_ASSERT(number(at_once.comms) <= number(first.comms + second.comms));
}

// The blocks by which execution chooses a schedule are those that were timed.
TEST(CollectiveCost, OnTheLinksItIsTheScheduleThatMovesTheData) {
  Machine m = machine(tpu_v5p(), {ring("X", 4), ring("Y", 8), dcn("P", 2)});
  m.model = CostModel::Links;
  const std::string over = "XYP";
  const std::vector<AxisGroup> groups = groups_of(axes(m, over), m);
  std::vector<std::int64_t> places;
  for (const AxisGroup& group : groups) places.push_back(torus_of(group, m.mesh)->places());
  ASSERT_EQ(places, (std::vector<std::int64_t>{32, 2}));
  struct Move {
    CollectiveKind kind;
    Layout from;
    Layout to;
  };
  const Layout split = layout(m, {over, ""});
  const Layout sums = layout(m, {"", ""}, over);
  for (const std::int64_t width : {1, 65, 1000, 100'000}) {
    for (const Move& move :
         {Move{kGather, split, replicated(2)}, Move{kScatter, sums, split},
          Move{kReduce, sums, replicated(2)}, Move{kExchange, split, layout(m, {"", over})}}) {
      const std::vector<Amount> shape{64, 64 * width};
      const Rational held = *local_bytes(shape, DType::Bf16, move.from, m.mesh).constant();
      double seconds = 0;
      for (std::size_t g = 0; g < groups.size(); ++g)
        seconds +=
            seconds_on_links(move.kind, *torus_of(groups[g], m.mesh),
                             exchanged_bytes(move.kind, places, g, held), *rates_of(groups[g]));
      EXPECT_NEAR(number(collective(move.kind, m, over, shape, move.from, move.to).comms) / seconds,
                  1, 1e-9)
          << name_of(move.kind) << width;
    }
  }
}

}  // namespace
}  // namespace shard::collective_cost_test

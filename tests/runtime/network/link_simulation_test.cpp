#include "runtime/network/link_simulation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace shard::link_simulation_test {
namespace {

using Kind = CollectiveKind;
using Axes = std::vector<TorusAxis>;

constexpr Kind kKinds[] = {Kind::AllGather, Kind::ReduceScatter, Kind::AllReduce, Kind::AllToAll};
constexpr double kW = 2e9;  // both directions of a link
constexpr std::int64_t kElements = 1'663'200;

// Seconds over V / W, for blocks so large that no hop's latency counts.
double measured(Kind kind, const Axes& axes) {
  const Torus torus(axes);
  const auto places = static_cast<double>(torus.places());
  const double blocks = kind == Kind::AllToAll ? places * places : places;
  const double volume = blocks * static_cast<double>(kElements) * 2;
  return seconds_on_links(kind, torus, 2 * kElements, {kW / 2, 1e-6}) * kW / volume;
}

Axes rings(const std::vector<std::int64_t>& lengths) {
  Axes axes;
  for (const std::int64_t length : lengths) axes.push_back({length, true});
  return axes;
}
Axes line(std::int64_t length) { return {{length, false}}; }

double foreign(double places) { return 1 - 1 / places; }

// The exact bounds: no schedule is faster, as each link carries what it has to.
TEST(Links, RingsAndLinesMeetTheBoundOfAGather) {
  for (const Kind kind : {Kind::AllGather, Kind::ReduceScatter}) {
    for (const int n : {2, 3, 4, 5, 8, 16}) {
      EXPECT_NEAR(measured(kind, rings({n})) / foreign(n), 1, 1e-3) << n;
      EXPECT_NEAR(measured(kind, line(n)) / (2 * foreign(n)), 1, 1e-3) << n;
    }
  }
}

TEST(Links, SeveralAxesShareAGather) {
  for (const Kind kind : {Kind::AllGather, Kind::ReduceScatter}) {
    EXPECT_NEAR(measured(kind, rings({4, 4})) / (foreign(16) / 2), 1, 1e-3);
    EXPECT_NEAR(measured(kind, rings({3, 3, 3})) / (foreign(27) / 3), 1, 1e-3);
    EXPECT_NEAR(measured(kind, {{4, false}, {4, false}}) / foreign(16), 1, 1e-3);
  }
  EXPECT_NEAR(measured(Kind::AllReduce, rings({4, 4, 4})) / (2 * foreign(64) / 3), 1, 3e-3);
}

TEST(Links, AxesOfUnequalLengthShareAGatherToo) {
  for (const auto& lengths : std::vector<std::vector<std::int64_t>>{
           {4, 8}, {8, 4}, {2, 16}, {4, 8, 16}, {16, 4, 8}, {3, 5}}) {
    double places = 1;
    for (const std::int64_t length : lengths) places *= static_cast<double>(length);
    const double bound = foreign(places) / static_cast<double>(lengths.size());
    EXPECT_NEAR(measured(Kind::AllGather, rings(lengths)) / bound, 1, 0.03);
    EXPECT_NEAR(measured(Kind::AllReduce, rings(lengths)) / (2 * bound), 1, 0.03);
  }
  // A line has half the bandwidth of a ring.
  EXPECT_NEAR(measured(Kind::AllGather, {{4, true}, {4, false}}) / (2 * foreign(16) / 3), 1, 0.03);
}

TEST(Links, ExchangesMeetTheBoundOfTheMiddleLink) {
  for (const int n : {2, 4, 8, 16}) {
    EXPECT_NEAR(measured(Kind::AllToAll, rings({n})), 0.25, 1e-3) << n;
    EXPECT_NEAR(measured(Kind::AllToAll, line(n)), 0.5, 1e-3) << n;
  }
  for (const int n : {3, 5, 7})
    EXPECT_NEAR(measured(Kind::AllToAll, rings({n})), 0.25 * (1 - 1.0 / (n * n)), 1e-3) << n;
  EXPECT_NEAR(measured(Kind::AllToAll, rings({4, 4})), 4 / (4 * 16.0), 1e-3);
  EXPECT_NEAR(measured(Kind::AllToAll, rings({4, 8})), 8 / (4 * 32.0), 1e-3);
  EXPECT_NEAR(measured(Kind::AllToAll, {{4, false}, {4, false}}), 2 * 4 / (4 * 16.0), 1e-3);
}

TEST(Links, ANetworkCarriesAllButItsOwnPart) {
  const Torus network({{5, false}}, Fabric::Network);
  const LinkReport report = time_on_links(Kind::AllGather, network, kElements, 2, {1e9, 1e-5});
  EXPECT_NEAR(report.seconds, 4 * static_cast<double>(kElements) * 2 / 1e9, 1e-9);
}

// Hops one behind the other: half way around a ring, from end to end of a line, once through a network.
TEST(Links, SmallBlocksWaitForHops) {
  const auto hops = [](Kind kind, const Torus& torus) {
    return seconds_on_links(kind, torus, 2, {1e12, 1});
  };
  for (const Kind kind : {Kind::AllGather, Kind::ReduceScatter, Kind::AllToAll}) {
    EXPECT_NEAR(hops(kind, Torus(rings({8}))), 4, 1e-6);
    EXPECT_NEAR(hops(kind, Torus(rings({7}))), 3, 1e-6);
    EXPECT_NEAR(hops(kind, Torus(line(8))), 7, 1e-6);
    EXPECT_NEAR(hops(kind, Torus(rings({4, 4}))), 4, 1e-6);
    EXPECT_NEAR(hops(kind, Torus(rings({4, 8}))), 6, 1e-6);
    EXPECT_NEAR(hops(kind, Torus(rings({2, 28}))), 15, 1e-6);
    EXPECT_NEAR(hops(kind, Torus({{6, false}}, Fabric::Network)), 1, 1e-6);
  }
  EXPECT_NEAR(hops(Kind::AllReduce, Torus(rings({8}))), 8, 1e-6);
}

// Each of the five links of a place carries one block, all at once.
TEST(Links, FullyLinkedPlacesSendToAllOthersAtOnce) {
  const Torus full({{6, false}}, Fabric::Full);
  for (const Kind kind : {Kind::AllGather, Kind::ReduceScatter, Kind::AllToAll}) {
    EXPECT_NEAR(seconds_on_links(kind, full, 1'000'000, {1e9, 1e-6}), 1e-3, 1e-12);
    EXPECT_NEAR(seconds_on_links(kind, full, 10, {1e9, 1e-6}), 1e-6, 1e-12);
  }
  EXPECT_NEAR(seconds_on_links(Kind::AllReduce, full, 1'000'000, {1e9, 1e-6}), 2e-3, 1e-12);
  const LinkReport report = time_on_links(Kind::AllGather, full, 1000, 2, {1e9, 1e-6});
  EXPECT_EQ(report.bytes[full.link_to(3, 1)], 2000);
}

// No link carries anything that another axis or direction could have carried.
TEST(Links, EveryLinkOfATorusCarriesTheSame) {
  const Torus torus(rings({4, 4}));
  const LinkReport report = time_on_links(Kind::AllReduce, torus, kElements, 2, {1e9, 1e-9});
  EXPECT_EQ(*std::min_element(report.bytes.begin(), report.bytes.end()),
            *std::max_element(report.bytes.begin(), report.bytes.end()));
}

}  // namespace
}  // namespace shard::link_simulation_test

#include "runtime/network/routes.h"

#include <numeric>

#include "runtime/collective/run_routes.h"
#include "tests/property.h"

namespace shard::routes_test {
namespace {

using Axes = std::vector<Routes::Axis>;
using Position = std::vector<std::int64_t>;

Routes::Axis ring(std::int64_t length) { return {{length, true}, false}; }
Routes::Axis line(std::int64_t length) { return {{length, false}, false}; }
Routes::Axis stays(std::int64_t length) { return {{length, true}, true}; }

struct Load {
  Rational busiest;
  std::int64_t hops;
  friend bool operator==(const Load&, const Load&) = default;
};

std::int64_t device(const Axes& axes, const Position& position) {
  std::int64_t number = 0;
  for (std::size_t i = 0; i < axes.size(); ++i)
    number = number * axes[i].torus.length + position[i];
  return number;
}

Load one_block(const Axes& axes, const Position& from, const Position& to) {
  Routes loads(axes);
  loads.send(device(axes, from), device(axes, to));
  return {loads.busiest(), loads.hops()};
}

TEST(Routes, ABlockGoesTheShorterWayAround) {
  EXPECT_EQ(one_block({ring(8)}, {1}, {7}), (Load{1, 2}));
  EXPECT_EQ(one_block({line(8)}, {1}, {7}), (Load{1, 6}));
}

TEST(Routes, HalfWayAroundItTakesBothDirections) {
  EXPECT_EQ(one_block({ring(8)}, {1}, {5}), (Load{Rational::fraction(1, 2), 4}));
  EXPECT_EQ(one_block({ring(2)}, {0}, {1}), (Load{Rational::fraction(1, 2), 1}));
}

TEST(Routes, EveryPortThatLeadsTheWayTakesAPart) {
  EXPECT_EQ(one_block({line(4), line(4)}, {0, 0}, {3, 3}), (Load{Rational::fraction(1, 2), 6}));
  EXPECT_EQ(one_block({ring(5), ring(5), ring(5)}, {0, 0, 0}, {1, 2, 3}),
            (Load{Rational::fraction(1, 3), 5}));
  EXPECT_EQ(one_block({ring(4), ring(4)}, {0, 0}, {2, 2}), (Load{Rational::fraction(1, 4), 4}));
}

// The last byte was taken to leave a link as soon as that link could, although a slow one before it had not let it go.
TEST(Routes, BehindASlowLinkTheLastByteIsNotThroughEarlier) {
  constexpr std::int64_t kBytes = 1000;
  const LinkRates rates{.bandwidth = 1000, .hop = 0.125};
  for (std::int64_t position = 0; position < 4; ++position) {
    const TorusAxis axis{.length = 5, .wraps = false, .slow = {{position, Rational(10)}}};
    Routes sent({{axis, false}}, Fabric::Torus, Routes::Keep::Hops);
    sent.send(0, 4);
    EXPECT_DOUBLE_EQ(time_on_links(sent, kBytes, 1, rates).seconds, 10.5) << position;
    Routes broadcast({{axis, false}}, Fabric::Torus, Routes::Keep::Hops);
    broadcast.broadcast(0);
    EXPECT_DOUBLE_EQ(time_on_links(broadcast, kBytes, 1, rates).seconds, 10.5) << position;
  }
}

TEST(Routes, NothingMovesAlongOtherNetworks) {
  EXPECT_EQ(one_block({stays(2), ring(8)}, {0, 3}, {1, 3}), (Load{0, 0}));
  EXPECT_EQ(one_block({stays(2), ring(8)}, {0, 3}, {1, 4}), (Load{1, 1}));
}

TEST(Routes, OfManyAxesOnlySomePortsAreUsed) {
  const Axes axes(17, line(2));
  EXPECT_EQ(one_block(axes, Position(17, 0), Position(17, 1)),
            (Load{Rational::fraction(1, 16), 17}));
}

TEST(Routes, ABroadcastPassesEachLinkOnce) {
  Routes routes({ring(5), line(4)}, Fabric::Torus, Routes::Keep::Hops);
  routes.broadcast(9);  // (2, 1)
  EXPECT_EQ(routes.busiest(), Rational(1));
  EXPECT_EQ(routes.hops(), 2 + 2);
  EXPECT_EQ(routes.parts().size(), 19u) << "each other device gets it from one";
  const LinkReport timed = time_on_links(routes, 1'000'000, 1, {1e9, 1e-6});
  EXPECT_NEAR(timed.seconds, 1e-3 + 4e-6, 1e-9) << "the head goes on before the end has come";
}

TEST(Routes, ABroadcastGoesTheOtherWayRoundPastAFailedLink) {
  Routes routes({{{6, true, {0}}, false}});
  routes.broadcast(0);
  EXPECT_FALSE(routes.is_severed());
  EXPECT_EQ(routes.hops(), 5);
  EXPECT_EQ(routes.busiest(), Rational(1));
}

TEST(Routes, ABlockWithoutAWayIsReckonedAsIfTheLinksWereThere) {
  for (const Routes::Axis& whole : {line(8), ring(8)}) {
    for (std::int64_t from = 0; from < 8; ++from) {
      for (std::int64_t to = 0; to < 8; ++to) {
        Routes::Axis cut = whole;
        cut.torus.cuts = {2, 5};
        Routes routes({cut});
        routes.send(from, to);
        const Load healthy = one_block({whole}, {from}, {to});
        EXPECT_GE(routes.hops(), healthy.hops);
        if (routes.is_severed()) {
          EXPECT_EQ((Load{routes.busiest(), routes.hops()}), healthy);
        }
      }
    }
  }
}

TEST(Routes, BlocksLeaveForANetworkByOnePort) {
  Routes routes({stays(4), ring(3)}, Fabric::Network, Routes::Keep::Hops);
  routes.send(0, 1, 0);
  routes.send(0, 2, 1);
  EXPECT_EQ(routes.busiest(), Rational(2));
  EXPECT_EQ(routes.hops(), 1);
  EXPECT_NEAR(time_on_links(routes, 1'000'000, 1, {1e9, 1e-5}).seconds, 2e-3 + 1e-5, 1e-9);
}

// Two blocks for the same device share its link, two for different ones do not.
TEST(Routes, FullyLinkedBlocksLeaveByTheLinksToTheirDevices) {
  Routes routes({stays(4), ring(3)}, Fabric::Full, Routes::Keep::Hops);
  routes.send(0, 1, 0);
  routes.send(0, 2, 1);
  routes.send(3, 1, 2);
  EXPECT_EQ(routes.busiest(), Rational(1));
  EXPECT_EQ(routes.hops(), 1);
  EXPECT_NEAR(time_on_links(routes, 1'000'000, 1, {1e9, 1e-5}).seconds, 1e-3 + 1e-5, 1e-9);
  routes.send(0, 2, 3);
  EXPECT_EQ(routes.busiest(), Rational(2));
  Routes spread({ring(2), ring(4)}, Fabric::Full, Routes::Keep::Hops);
  spread.broadcast(5);
  EXPECT_EQ(spread.hop_count(), 7);
  EXPECT_NEAR(time_on_links(spread, 1'000'000, 1, {1e9, 1e-5}).seconds, 1e-3 + 1e-5, 1e-9);
}

TEST(Routes, BlocksAddUpOnALink) {
  Routes loads({line(4)});
  for (std::int64_t i = 0; i < 3; ++i) loads.send(i, 3);
  EXPECT_EQ(loads.busiest(), Rational(3)) << "all three pass the last link";
}

TEST(Routes, DirectionsOfALinkDoNotShareIt) {
  Routes loads({line(2)});
  loads.send(0, 1);
  loads.send(1, 0);
  EXPECT_EQ(loads.busiest(), Rational(1));
}

std::int64_t distance(const Routes::Axis& axis, std::int64_t a, std::int64_t b) {
  const std::int64_t direct = std::abs(a - b);
  return axis.torus.wraps ? std::min(direct, axis.torus.length - direct) : direct;
}

// What a block is made of.
std::vector<std::byte> contents(std::int64_t block, std::int64_t bytes) {
  std::vector<std::byte> data;
  for (std::int64_t i = 0; i < bytes; ++i)
    data.push_back(static_cast<std::byte>((block * 37 + i * 11) % 251));
  return data;
}

constexpr std::int64_t kElements = 13;  // no part is a whole number of them
constexpr std::int64_t kElementBytes = 4;
constexpr std::int64_t kBlockBytes = kElements * kElementBytes;

// Sends the blocks, and one to all from device 1. Whether each arrives, and what is timed on a link is what it carries.
bool arrive(const Axes& axes, Fabric fabric,
            const std::vector<std::pair<std::int64_t, std::int64_t>>& blocks) {
  Routes routes(axes, fabric, Routes::Keep::Hops);
  Routes spread(axes, fabric, Routes::Keep::Hops);
  HeldBlocks held;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto block = static_cast<std::int64_t>(b);
    held[{block, blocks[b].first}] = contents(block, kBlockBytes);
    if (blocks[b].first != blocks[b].second) routes.send(blocks[b].first, blocks[b].second, block);
  }
  const LinkRates rates{1e9, 1e-6};
  const LinkReport timed = time_on_links(routes, kElements, kElementBytes, rates);
  if (timed.bytes != run_routes(routes, kElements, kElementBytes, held, Executor(1))) return false;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto block = static_cast<std::int64_t>(b);
    if (held[{block, blocks[b].second}] != contents(block, kBlockBytes)) return false;
  }
  spread.broadcast(1);
  held = {{{0, 1}, contents(0, kBlockBytes)}};
  const auto all = time_on_links(spread, kElements, kElementBytes, rates).bytes;
  if (all != run_routes(spread, kElements, kElementBytes, held, Executor(1))) return false;
  const auto most = *std::max_element(all.begin(), all.end());
  for (std::int64_t to = 0; to < spread.torus().places(); ++to) {
    if (held[{0, to}] != contents(0, kBlockBytes)) return false;
  }
  return most == kBlockBytes;
}

// The busiest link carries at least the average, and at most everything.
SHARD_PROPERTY(Routes, TheBusiestLinkIsBetweenAverageAndEverything, 300) {
  Axes axes;
  std::int64_t devices = 1;
  const std::int64_t rank = *rc::gen::inRange(1, 4);
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t length = *rc::gen::inRange(2, 6);
    axes.push_back(*rc::gen::arbitrary<bool>() ? ring(length) : line(length));
    devices *= length;
  }
  Routes loads(axes);
  std::int64_t steps = 0;
  std::int64_t longest = 0;
  const int blocks = *rc::gen::inRange(1, 20);
  for (int i = 0; i < blocks; ++i) {
    Position from;
    Position to;
    std::int64_t way = 0;
    for (const auto& axis : axes) {
      from.push_back(*rc::gen::inRange<std::int64_t>(0, axis.torus.length));
      to.push_back(*rc::gen::inRange<std::int64_t>(0, axis.torus.length));
      way += distance(axis, from.back(), to.back());
    }
    steps += way;
    longest = std::max(longest, way);
    loads.send(device(axes, from), device(axes, to));
  }
  RC_ASSERT(loads.hops() == longest);
  RC_ASSERT(loads.busiest() >= Rational(steps) / Rational(2 * rank * devices));
  RC_ASSERT(loads.busiest() <= Rational(blocks));
}

SHARD_PROPERTY(Routes, WhatIsTimedOnALinkIsWhatItCarriesAndAllArrives, 200) {
  Axes axes;
  std::int64_t devices = 1;
  const auto fabric =
      *rc::gen::element(Fabric::Torus, Fabric::Torus, Fabric::Torus, Fabric::Network, Fabric::Full);
  const std::int64_t rank = *rc::gen::inRange(1, 4);
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t length = *rc::gen::inRange(2, 7);
    Routes::Axis axis = *rc::gen::arbitrary<bool>() ? ring(length) : line(length);
    if (axis.torus.wraps && *rc::gen::arbitrary<bool>())
      axis.torus.cuts = {*rc::gen::inRange<std::int64_t>(0, length)};
    if (*rc::gen::arbitrary<bool>()) axis.torus.slow = {{0, 3}};
    axes.push_back(axis);
    devices *= length;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> blocks;
  const int count = *rc::gen::inRange(0, 20);
  for (int i = 0; i < count; ++i)
    blocks.emplace_back(*rc::gen::inRange<std::int64_t>(0, devices),
                        *rc::gen::inRange<std::int64_t>(0, devices));
  RC_ASSERT(arrive(axes, fabric, blocks));
}

// What links carry is the same whether it is reckoned leg by leg or counted hop by hop.
TEST(Routes, LoadsAreThoseOfTheHops) {
  const std::vector<std::vector<Routes::Axis>> all = {
      {{{5, true}}, {{4, true}}},
      {{{6, true}}, {{3, false}}},
      {{{7, true, {2}}}, {{4, true, {}, {{1, 3}}}}},
      {{{2, true}}, {{8, false}}, {{3, true}}},
  };
  for (const auto& axes : all) {
    Routes loads(axes, Fabric::Torus, Routes::Keep::Loads);
    Routes hops(axes, Fabric::Torus, Routes::Keep::Hops);
    const std::int64_t places = loads.torus().places();
    for (std::int64_t from = 0; from < places; ++from) {
      for (std::int64_t to = 0; to < places; to += 1 + from % 5) {
        loads.send(from, to);
        hops.send(from, to);
        ASSERT_EQ(loads.busiest(), hops.busiest());
        ASSERT_EQ(loads.hops(), hops.hops());
        ASSERT_EQ(loads.hop_count(), hops.hop_count());
      }
    }
  }
}

}  // namespace
}  // namespace shard::routes_test

#include "runtime/routes.h"

#include <numeric>

#include "tests/property.h"

namespace shard {
namespace {

using Axes = std::vector<LinkLoads::Axis>;
using Position = std::vector<std::int64_t>;

LinkLoads::Axis ring(std::int64_t length) { return {{length, true}, false}; }
LinkLoads::Axis line(std::int64_t length) { return {{length, false}, false}; }
LinkLoads::Axis stays(std::int64_t length) { return {{length, true}, true}; }

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
  LinkLoads loads(axes);
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

TEST(Routes, NothingMovesAlongOtherNetworks) {
  EXPECT_EQ(one_block({stays(2), ring(8)}, {0, 3}, {1, 3}), (Load{0, 0}));
  EXPECT_EQ(one_block({stays(2), ring(8)}, {0, 3}, {1, 4}), (Load{1, 1}));
}

TEST(Routes, BlocksAddUpOnALink) {
  LinkLoads loads({line(4)});
  for (std::int64_t i = 0; i < 3; ++i) loads.send(i, 3);
  EXPECT_EQ(loads.busiest(), Rational(3)) << "all three pass the last link";
}

TEST(Routes, DirectionsOfALinkDoNotShareIt) {
  LinkLoads loads({line(2)});
  loads.send(0, 1);
  loads.send(1, 0);
  EXPECT_EQ(loads.busiest(), Rational(1));
}

std::int64_t distance(const LinkLoads::Axis& axis, std::int64_t a, std::int64_t b) {
  const std::int64_t direct = std::abs(a - b);
  return axis.torus.wraps ? std::min(direct, axis.torus.length - direct) : direct;
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
  LinkLoads loads(axes);
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

}  // namespace
}  // namespace shard

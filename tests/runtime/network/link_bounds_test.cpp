#include "runtime/network/link_bounds.h"

#include <gtest/gtest.h>

#include "runtime/network/colour_shares.h"

namespace shard::link_bounds_test {
namespace {

constexpr std::int64_t kBlock = 1'000'000;
constexpr LinkRates kRates{1e9, 1e-6};  // a block takes 1 ms

LinkBounds bounds(Movement movement, const std::vector<TorusAxis>& axes) {
  return link_bounds(movement, Torus(axes), kBlock, kRates);
}

TEST(LinkBounds, OfAGatherAreThoseOfItsNarrowestCut) {
  EXPECT_DOUBLE_EQ(bounds(Movement::Gather, {{8, true}}).bytes, 3.5e-3);
  EXPECT_DOUBLE_EQ(bounds(Movement::Gather, {{8, false}}).bytes, 7e-3);
  EXPECT_DOUBLE_EQ(bounds(Movement::Gather, {{2, true}, {28, true}}).bytes, 55 / 4.0 * 1e-3);
  EXPECT_DOUBLE_EQ(bounds(Movement::Gather, {{4, false}, {4, true}}).bytes, 5e-3);
  // The end of the line, not one place, is the bottleneck.
  EXPECT_DOUBLE_EQ(bounds(Movement::Gather, {{28, false}, {2, true}}).bytes, 27e-3);
}

TEST(LinkBounds, OfAnExchangeAreThoseAcrossTheMiddle) {
  EXPECT_DOUBLE_EQ(bounds(Movement::Exchange, {{8, true}}).bytes, 8e-3);
  EXPECT_DOUBLE_EQ(bounds(Movement::Exchange, {{5, true}}).bytes, 3e-3);
  EXPECT_DOUBLE_EQ(bounds(Movement::Exchange, {{8, false}}).bytes, 16e-3);
  EXPECT_DOUBLE_EQ(bounds(Movement::Exchange, {{2, true}, {28, true}}).bytes, 196e-3);
}

TEST(LinkBounds, CountHops) {
  EXPECT_DOUBLE_EQ(bounds(Movement::Gather, {{2, true}, {28, true}}).hops, 15e-6);
  EXPECT_DOUBLE_EQ(bounds(Movement::Exchange, {{5, false}, {5, true}}).hops, 6e-6);
}

// Of 512 places 1, 6, 18, 38 are 0, 1, 2, 3 hops away, which is less than the links could carry in that time: what is
// farther begins to come in after 3 hops.
TEST(LinkBounds, WhatIsFarComesLate) {
  const LinkBounds far =
      link_bounds(Movement::Gather, Torus({{8, true}, {8, true}, {8, true}}), 141, {1e9, 1e-6});
  EXPECT_DOUBLE_EQ(far.bytes, 511 / 6.0 * 141e-9);
  EXPECT_DOUBLE_EQ(far.start, 3e-6 + (511 - 6 - 18 - 38) / 6.0 * 141e-9);
  EXPECT_DOUBLE_EQ(far.most(), far.start);
}

// Two places beside each other on a ring have one block each to get along the line. What comes in at the neighbour has to
// do so a hop before the end, so the two links together need (1 ms + 1 hop) / 2 more than the hop.
TEST(LinkBounds, WhatComesInBesideAPlaceHasAHopToGo) {
  const Torus torus({{2, false}, {2, true}});
  const LinkBounds slow = link_bounds(Movement::Gather, torus, 1000, {1e9, 0.5e-6});
  EXPECT_DOUBLE_EQ(slow.bytes, 1e-6);
  EXPECT_DOUBLE_EQ(slow.spread, 1.25e-6);  // t + (t - 0.5 us) = 2 blocks of 1 us
  EXPECT_DOUBLE_EQ(slow.most(), slow.spread);
  EXPECT_DOUBLE_EQ(slow.aim(), 1e-6);
}

// ------------------------------------------------------------ shares

// The seconds for which the busiest axis carries a block that takes one.
double busiest(const Torus& torus) {
  std::vector<Rational> rates;
  for (const TorusAxis& axis : torus.axes()) rates.push_back(gather_rate(axis));
  std::vector<double> loads(torus.axes().size(), 0.0);
  Rational sum = 0;
  for (const ColourShare& share : gather_shares(torus, rates)) {
    std::int64_t held = 1;
    for (const std::size_t axis : share.order) {
      const std::int64_t length = torus.axes()[axis].length;
      loads[axis] += (share.share * Rational(held * (length - 1)) / rates[axis]).to_double();
      held *= length;
    }
    sum = sum + share.share;
    EXPECT_GE(share.share, Rational(0));
  }
  EXPECT_EQ(sum, Rational(1));
  return *std::max_element(loads.begin(), loads.end());
}

// Whatever cut is the narrowest: no axis carries more than that cut asks for.
TEST(ColourShares, ReachTheBoundOfBytesOnEveryTorus) {
  const std::vector<std::int64_t> lengths = {2, 3, 4, 7, 16};
  std::vector<std::vector<TorusAxis>> all;
  for (const std::int64_t a : lengths) {
    for (const std::int64_t b : lengths) {
      for (const std::int64_t c : {1, 2, 5, 28}) {
        for (int lines = 0; lines < 8; ++lines) {
          std::vector<TorusAxis> axes = {{a, (lines & 1) != 0}, {b, (lines & 2) != 0}};
          if (c > 1) axes.push_back({c, (lines & 4) != 0});
          all.push_back(std::move(axes));
        }
      }
    }
  }
  all.push_back({{2, true}, {3, false}, {4, true}, {5, true}});
  for (const auto& axes : all) {
    const Torus torus(axes);
    const double bound = link_bounds(Movement::Gather, torus, kBlock, kRates).bytes;
    EXPECT_NEAR(busiest(torus) * 1e-3, bound, 1e-9 * bound)
        << axes[0].length << " " << axes[1].length;
  }
}

TEST(ColourShares, AreExact) {
  const Torus torus({{2, true}, {28, true}});
  const auto shares = gather_shares(torus, {2, 2});
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_EQ(shares[0].share, Rational::fraction(1, 54));
  EXPECT_EQ(shares[1].share, Rational::fraction(53, 54));
}

}  // namespace
}  // namespace shard::link_bounds_test

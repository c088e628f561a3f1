// How near what goes over links is to the least that it could take.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "runtime/network/link_bounds.h"
#include "runtime/network/link_plan.h"
#include "runtime/network/link_simulation.h"
#include "tests/property.h"
#include "tests/runtime/support/torus_name.h"

namespace shard::near_bound_test {
namespace {

using testing::name_of;
using Kind = CollectiveKind;
constexpr LinkRates kRates{9e10, 1e-6};

struct Tried {
  Torus torus;
  std::int64_t block;
};

// Up to three axes, rings and lines, of blocks for which hops and bytes take about as long, or either much longer.
Tried random_case(bool exchanges) {
  const int count = *rc::gen::inRange(1, 4);
  std::vector<TorusAxis> axes;
  for (int i = 0; i < count; ++i) {
    axes.push_back({*rc::gen::inRange<std::int64_t>(2, count == 1   ? 29
                                                       : count == 2 ? 13
                                                                    : 7),
                    *rc::gen::arbitrary<bool>()});
  }
  Torus torus(axes);
  constexpr std::int64_t kSome = 1'000'000;
  const LinkBounds some =
      link_bounds(exchanges ? Movement::Exchange : Movement::Gather, torus, kSome, kRates);
  const auto tenths = static_cast<double>(*rc::gen::inRange(-10, 31));
  const double block = kSome * some.hops / some.bytes * std::pow(10, tenths / 10);
  return {std::move(torus), std::max<std::int64_t>(1, std::llround(block))};
}

int tried_count = 0;
double ratio_sum = 0;

// Gathers over 2 x 28 rings took 1.8 times the bound, over 4 x 8 x 16 and large blocks 1.7 times.
TEST(LinkProperties, CollectivesAreNearTheirBound) {
  check_property(120, [] {
    for (const bool exchanges : {false, true}) {
      const Tried tried = random_case(exchanges);
      const Movement movement = exchanges ? Movement::Exchange : Movement::Gather;
      const Kind kind = exchanges ? Kind::AllToAll : Kind::AllGather;
      const double bound = link_bounds(movement, tried.torus, tried.block, kRates).most();
      const double seconds = seconds_on_links(kind, tried.torus, tried.block, kRates);
      RC_ASSERT(seconds >= bound * (1 - 1e-9));
      if (seconds > bound * 1.1)
        RC_FAIL(name_of(tried.torus) + ": " + std::to_string(seconds / bound) + " for " +
                std::to_string(tried.block) + " B");
      ++tried_count;
      ratio_sum += seconds / bound;
    }
  });
  EXPECT_GT(tried_count, 0);
  EXPECT_LE(ratio_sum, 1.02 * tried_count);
}

struct Awkward {
  std::vector<TorusAxis> axes;
  double volume;
  double most = 1.1;  // of the bound
};

// Gathers took 1.12 to 1.23 times the bound: shares that are best for bytes alone, few chunks for large blocks, and no part
// that turns.
TEST(Links, GathersOverAnAxisOfTwoAreNearTheirBound) {
  for (const auto& [axes, volume, most] :
       std::vector<Awkward>{{{{2, false}, {2, true}}, 1.33e6},
                            {{{2, true}, {3, false}}, 750e3},
                            {{{2, true}, {3, false}, {16, true}}, 5.62e6, 1.1},
                            {{{2, true}, {3, false}, {16, true}}, 10e6, 1.1},
                            {{{2, true}, {7, true}}, 1.55e6, 1.05},
                            {{{2, true}, {9, true}}, 1.91e6, 1.05},
                            {{{2, true}, {6, false}, {6, false}}, 562e6}}) {
    const Torus torus(axes);
    const auto block = static_cast<std::int64_t>(volume / static_cast<double>(torus.places()));
    const double bound = link_bounds(Movement::Gather, torus, block, kRates).most();
    EXPECT_LE(seconds_on_links(Kind::AllGather, torus, block, kRates), most * bound)
        << name_of(torus) << ", " << volume;
  }
}

// Took 1.10 to 1.52 times the bound while what two lines brought went on together along the third axis.
TEST(Links, GathersOverLinesAreNearTheirBound) {
  for (const auto& [axes, volume, most] :
       std::vector<Awkward>{{{{2, true}, {3, false}, {3, false}}, 2.37e6},
                            {{{2, true}, {3, false}, {3, false}}, 4.22e6, 1.06},
                            {{{2, true}, {3, false}, {5, false}}, 4.22e6, 1.06},
                            {{{2, true}, {3, false}, {6, false}}, 3.16e6},
                            {{{2, true}, {6, false}, {6, false}}, 5.62e6},
                            {{{2, true}, {4, false}, {6, false}}, 5.62e6},
                            {{{2, true}, {6, false}, {16, true}}, 7.87e6},
                            {{{2, true}, {2, false}, {4, false}}, 2e6},
                            {{{2, true}, {2, true}, {3, false}}, 1.88e6},
                            {{{2, true}, {12, false}, {12, false}}, 100e6, 1.06},
                            {{{3, true}, {10, false}, {10, false}}, 6.42e6, 1.07},
                            {{{28, true}, {28, true}, {2, false}}, 12.2e6, 1.03}}) {
    const Torus torus(axes);
    const auto block = static_cast<std::int64_t>(volume / static_cast<double>(torus.places()));
    const double bound = link_bounds(Movement::Gather, torus, block, kRates).most();
    EXPECT_LE(seconds_on_links(Kind::AllGather, torus, block, kRates), most * bound)
        << name_of(torus) << ", " << volume;
  }
}

// Took a slot or two more than there are hops, 1.11 to 1.18 times the bound: with each axis first in one order alone.
TEST(Links, ExchangesOverLinesAreNearTheirBound) {
  for (const auto& [axes, volume, most] :
       std::vector<Awkward>{{{{5, false}, {3, true}, {5, false}}, 50.6e6, 1.05},
                            {{{2, true}, {6, false}, {6, false}}, 47.5e6, 1.05},
                            {{{6, false}, {3, false}, {6, false}}, 77.8e6, 1.05}}) {
    const Torus torus(axes);
    const auto places = static_cast<double>(torus.places());
    const auto block = static_cast<std::int64_t>(volume / (places * places));
    const double bound = link_bounds(Movement::Exchange, torus, block, kRates).most();
    EXPECT_LE(seconds_on_links(Kind::AllToAll, torus, block, kRates), most * bound)
        << name_of(torus);
  }
}

TEST(Links, GathersAndExchangesOfAnySizeOnTheToriOfChips) {
  for (const auto& lengths : std::vector<std::vector<std::int64_t>>{
           {4}, {8}, {2, 28}, {4, 8}, {4, 4, 4}, {4, 8, 16}, {8, 8, 8}, {16, 20, 28}}) {
    std::vector<TorusAxis> axes;
    for (const std::int64_t length : lengths) axes.push_back({length, true});
    const Torus torus(axes);
    for (const Kind kind : {Kind::AllGather, Kind::AllToAll}) {
      for (double volume = 1e3; volume <= 1e9; volume *= 10) {
        const auto places = static_cast<double>(torus.places());
        const double blocks = kind == Kind::AllToAll ? places * places : places;
        const auto block = static_cast<std::int64_t>(std::max(1.0, volume / blocks));
        const double bound = link_bounds(forward_movement(kind), torus, block, kRates).most();
        EXPECT_LE(seconds_on_links(kind, torus, block, kRates), 1.1 * bound)
            << name_of(torus) << ", " << volume;
      }
    }
  }
}

}  // namespace
}  // namespace shard::near_bound_test

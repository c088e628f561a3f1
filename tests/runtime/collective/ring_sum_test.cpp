#include "runtime/collective/ring_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace shard {
namespace {

// The hops carried out one after the other on what the places hold.
std::vector<float> carried_out(const std::vector<RingHop>& hops, std::int64_t origin, Half half,
                               std::vector<std::vector<float>> held, Combination combination) {
  std::size_t last = static_cast<std::size_t>(origin);
  for (const RingHop& hop : hops) {
    if (hop.origin != origin || (hop.half != Half::Whole && hop.half != half)) continue;
    last = static_cast<std::size_t>(hop.to);
    for (std::size_t i = 0; i < held[last].size(); ++i) {
      float& to = held[last][i];
      const float from = held[static_cast<std::size_t>(hop.from)][i];
      to = combination == Combination::Sum   ? to + from
           : combination == Combination::Max ? std::max(to, from)
                                             : std::min(to, from);
    }
  }
  return held[last];
}

TEST(RingSum, AddsInTheOrderOfTheHops) {
  constexpr std::int64_t kCount = 37;
  for (std::int64_t length = 2; length <= 21; ++length) {
    for (const bool wraps : {false, true}) {
      for (const bool network : {false, true}) {
        const TorusAxis axis{length, wraps};
        const auto hops = ring_hops(Movement::Reduce, axis, network);
        std::vector<std::vector<float>> held;
        std::vector<const float*> parts;
        for (std::int64_t p = 0; p < length; ++p) {
          auto& own = held.emplace_back();
          for (std::int64_t i = 0; i < kCount; ++i)
            own.push_back(std::sin(static_cast<float>(p * 100 + i)) * 1000.0f / 7.0f);
        }
        for (const auto& own : held) parts.push_back(own.data() + 2);
        for (std::int64_t origin = 0; origin < length; ++origin) {
          for (const Half half : {Half::First, Half::Second}) {
            const RingSum sum(hops, origin, half, length);
            for (const Combination combination :
                 {Combination::Sum, Combination::Max, Combination::Min}) {
              std::vector<float> result(kCount, 0.0f);
              std::vector<float> temporaries(sum.temporaries() * kCount);
              sum.run(parts, 3, kCount - 5, combination, result.data(), temporaries.data());
              const auto expected = carried_out(hops, origin, half, held, combination);
              for (std::size_t i = 0; i < kCount - 5; ++i) ASSERT_EQ(result[i], expected[i + 5]);
            }
          }
        }
      }
    }
  }
}

std::vector<TorusAxis> axes_of_length(std::int64_t length) {
  std::vector<TorusAxis> axes = {{length, false}, {length, true}};
  if (length > 2) axes.push_back({length, true, {length / 2}});
  return axes;
}

TEST(RingSums, HopsOfOneOriginAreThoseOfAll) {
  for (std::int64_t length = 2; length <= 9; ++length) {
    for (const TorusAxis& axis : axes_of_length(length)) {
      for (const bool network : {false, true}) {
        for (const Movement movement : {Movement::Gather, Movement::Reduce}) {
          const auto all = ring_hops(movement, axis, network);
          for (std::int64_t origin = 0; origin < length; ++origin) {
            std::vector<RingHop> own;
            for (const RingHop& hop : all) {
              if (hop.origin == origin) own.push_back(hop);
            }
            const auto found = ring_hops_of(movement, axis, network, origin);
            ASSERT_EQ(found.size(), own.size());
            for (std::size_t i = 0; i < own.size(); ++i) {
              EXPECT_EQ(found[i].from, own[i].from);
              EXPECT_EQ(found[i].to, own[i].to);
              EXPECT_EQ(found[i].up, own[i].up);
              EXPECT_EQ(found[i].origin, origin);
              EXPECT_EQ(found[i].half, own[i].half);
            }
          }
        }
      }
    }
  }
}

TEST(RingSums, AreTheSumsOfEachPlace) {
  for (std::int64_t length = 2; length <= 9; ++length) {
    std::vector<float> held;
    std::vector<const float*> parts;
    for (std::int64_t p = 0; p < length; ++p)
      held.push_back(std::sin(static_cast<float>(p * 100)) * 1000.0f / 7.0f);
    for (const float& own : held) parts.push_back(&own);
    for (const TorusAxis& axis : axes_of_length(length)) {
      for (const bool network : {false, true}) {
        for (const Half half : {Half::First, Half::Second}) {
          RingSums sums(axis, network, half);
          for (std::int64_t place = 0; place < length; ++place) {
            sums.prepare(place);
            std::vector<float> temporaries(sums.temporaries());
            float result = 0;
            sums.run(place, parts, 0, 1, Combination::Sum, &result, temporaries.data());
            const RingSum own(ring_hops(Movement::Reduce, axis, network), place, half, length);
            temporaries.resize(own.temporaries());
            float expected = 0;
            own.run(parts, 0, 1, Combination::Sum, &expected, temporaries.data());
            EXPECT_EQ(result, expected);
          }
        }
      }
    }
  }
}

// A table of all hops of such an axis would take more memory than there is.
TEST(RingSums, OfALongAxisTakeAsManyHopsAsItHasPlaces) {
  constexpr std::int64_t kLength = 1 << 20;
  const std::vector<float> ones(kLength, 1.0f);
  std::vector<const float*> parts;
  for (const float& one : ones) parts.push_back(&one);
  for (const bool wraps : {false, true}) {
    RingSums sums({kLength, wraps}, false, Half::First);
    for (const std::int64_t place : {std::int64_t{0}, kLength / 3, kLength - 1}) {
      sums.prepare(place);
      std::vector<float> temporaries(sums.temporaries());
      float result = 0;
      sums.run(place, parts, 0, 1, Combination::Sum, &result, temporaries.data());
      EXPECT_EQ(result, static_cast<float>(kLength));
    }
  }
}

}  // namespace
}  // namespace shard

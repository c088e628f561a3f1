#include "runtime/network/collective_schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

#include "runtime/collective/run_hops.h"
#include "runtime/network/link_plan.h"
#include "runtime/network/link_simulation.h"
#include "tests/runtime/support/turned_shares.h"

namespace shard::collective_schedule_test {
namespace {

// What is reckoned of an axis without its hops is what going through them says.
TEST(RingHops, AreReckonedWithoutBeingMade) {
  std::vector<TorusAxis> axes;
  for (std::int64_t length = 2; length <= 13; ++length) {
    axes.push_back({length, true});
    axes.push_back({length, false});
    axes.push_back({length, true, {length / 2}});
    axes.push_back({length, true, {}, {{length / 2, 3}}});
    axes.push_back({length, true, {0}, {{length - 1, 3}}});
    axes.push_back({length, false, {}, {{(length - 1) / 2, 3}}});
  }
  for (const TorusAxis& axis : axes) {
    for (const Movement movement : {Movement::Gather, Movement::Exchange}) {
      const auto hops = ring_hops(movement, axis, false);
      EXPECT_EQ(number_of_hops(movement, axis, false), static_cast<double>(hops.size()));
      std::map<std::pair<std::int64_t, bool>, double> carried;
      double most = 0;
      for (const RingHop& hop : hops) {
        double& blocks = carried[{hop.from, hop.up}];
        blocks += (hop.half == Half::Whole ? 1 : 0.5) *
                  axis.slowness(hop.up ? hop.from : hop.to).to_double();
        most = std::max(most, blocks);
      }
      EXPECT_EQ(blocks_on_busiest_link(movement, axis, false), most);
    }
    const auto hops = ring_hops(Movement::Exchange, {axis.length, false}, true);
    EXPECT_EQ(number_of_hops(Movement::Exchange, {axis.length, false}, true),
              static_cast<double>(hops.size()));
  }
}

using Kind = CollectiveKind;
using Axes = std::vector<TorusAxis>;

constexpr Kind kKinds[] = {Kind::AllGather, Kind::ReduceScatter, Kind::AllReduce, Kind::AllToAll};

// Toruses of every kind: rings and lines of even and odd length, alone and together.
std::vector<Torus> toruses() {
  std::vector<Torus> all;
  for (const Axes& axes :
       {Axes{{2, true}}, Axes{{3, true}}, Axes{{4, true}}, Axes{{7, true}}, Axes{{2, false}},
        Axes{{5, false}}, Axes{{4, true}, {4, true}}, Axes{{4, true}, {3, false}},
        Axes{{2, true}, {5, true}}, Axes{{2, false}, {3, false}, {2, true}}, Axes{{4, true, {1}}},
        Axes{{7, true, {6}}}, Axes{{2, true, {0}}, {3, true}},
        Axes{{4, true, {2}}, {5, true, {0}}, {2, false, {}, {{0, 3}}}},
        Axes{{3, true}, {3, true}, {3, true}}, Axes{{2, true}, {4, true}, {3, true}}})
    all.emplace_back(axes);
  all.emplace_back(Axes{{5, false}}, Fabric::Network);
  all.emplace_back(Axes{{6, false}}, Fabric::Full);
  return all;
}

std::string name_of(const Torus& torus) {
  std::string name = torus.fabric() == Fabric::Full ? "full" : torus.is_network() ? "network" : "";
  for (const TorusAxis& axis : torus.axes())
    name += " " + std::to_string(axis.length) + (axis.wraps ? "" : " line");
  return name;
}

// What each place holds: place-major, then block, then element.
class Contents {
 public:
  Contents(const Torus& torus, std::int64_t elements, float scale = 1)
      : places_(static_cast<std::size_t>(torus.places())), elements_(elements) {
    for (std::size_t p = 0; p < places_; ++p) {
      data_.emplace_back(places_ * static_cast<std::size_t>(elements));
      for (std::size_t i = 0; i < data_[p].size(); ++i) data_[p][i] = scale * value(p, i);
    }
  }

  static float value(std::size_t place, std::size_t index) {
    return static_cast<float>((place * 977 + index * 31) % 1009);
  }

  std::size_t places() const { return places_; }
  std::size_t index(std::size_t block, std::int64_t element) const {
    return block * static_cast<std::size_t>(elements_) + static_cast<std::size_t>(element);
  }
  float at(std::size_t place, std::size_t block, std::int64_t element) const {
    return data_[place][index(block, element)];
  }

  std::vector<std::int64_t> run(const Schedule& schedule) {
    PlaceBlocks blocks{{}, elements_, DType::Fp32, Combination::Sum};
    for (auto& place : data_) blocks.places.push_back(reinterpret_cast<std::byte*>(place.data()));
    return run_hops(schedule, blocks, Executor(1));
  }

  // Of all places, as they were.
  float sum(std::size_t block, std::int64_t element) const {
    float total = 0;
    for (std::size_t p = 0; p < places_; ++p) total += value(p, index(block, element));
    return total;
  }

 private:
  std::size_t places_;
  std::int64_t elements_;
  std::vector<std::vector<float>> data_;
};

// What a place has to hold in a block when all is over, if anything.
std::optional<float> expected(Kind kind, const Contents& contents, std::size_t place,
                              std::size_t block, std::int64_t element) {
  switch (kind) {
    case Kind::AllGather:
      return Contents::value(block, contents.index(block, element));
    case Kind::ReduceScatter:
      if (block != place) return std::nullopt;
      return contents.sum(block, element);
    case Kind::AllReduce:
      return contents.sum(block, element);
    default:
      return Contents::value(block, contents.index(place, element));
  }
}

void check_blocks(Kind kind, const Torus& torus, const Contents& contents, std::int64_t elements) {
  for (std::size_t p = 0; p < contents.places(); ++p) {
    for (std::size_t b = 0; b < contents.places(); ++b) {
      for (std::int64_t e = 0; e < elements; ++e) {
        const auto value = expected(kind, contents, p, b, e);
        ASSERT_TRUE(!value || *value == contents.at(p, b, e))
            << name_of(kind) << name_of(torus) << ": place " << p << ", block " << b << ", element "
            << e;
      }
    }
  }
}

TEST(Schedule, BringsEveryBlockWhereItBelongs) {
  constexpr std::int64_t kElements = 13;  // no part is a whole number of them
  for (const Torus& torus : toruses()) {
    for (const Kind kind : kKinds) {
      Contents contents(torus, kElements);
      contents.run(schedule_for(kind, torus, kElements * static_cast<std::int64_t>(sizeof(float)),
                                std::nullopt));
      check_blocks(kind, torus, contents, kElements);
      if (HasFatalFailure()) return;
    }
  }
}

std::vector<Torus> toruses_with_turns() {
  std::vector<Torus> all;
  for (const Axes& axes :
       {Axes{{2, true}, {7, true}}, Axes{{3, true}, {8, true}}, Axes{{3, false}, {5, false}},
        Axes{{4, true, {1}}, {5, true}}, Axes{{2, true}, {3, false}, {5, true}}})
    all.emplace_back(axes);
  return all;
}

TEST(Schedule, PartsThatTurnBringEveryBlockWhereItBelongs) {
  constexpr std::int64_t kElements = 53;
  for (const Torus& torus : toruses_with_turns()) {
    for (const Kind kind : {Kind::AllGather, Kind::ReduceScatter, Kind::AllReduce}) {
      Contents contents(torus, kElements);
      contents.run(schedule_of(kind, torus, turned_shares(torus)));
      check_blocks(kind, torus, contents, kElements);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Schedule, WhatIsTimedOnALinkIsWhatItCarries) {
  constexpr std::int64_t kElements = 13;
  constexpr LinkRates kRates{1e9, 1e-8};
  for (const Torus& torus : toruses()) {
    for (const Kind kind : kKinds) {
      Contents contents(torus, kElements);
      const LinkReport timed = time_on_links(kind, torus, kElements, sizeof(float), kRates);
      const Schedule schedule = schedule_for(kind, torus, kElements * sizeof(float), kRates);
      EXPECT_EQ(timed.bytes, contents.run(schedule)) << name_of(kind) << name_of(torus);
    }
  }
}

TEST(Schedule, PartsCoverABlockOnce) {
  for (const Torus& torus : toruses()) {
    for (const Kind kind : kKinds) {
      Rational end = 0;
      for (const Part& part : schedule_for(kind, torus, 4096, std::nullopt).parts) {
        EXPECT_EQ(part.begin, end);
        EXPECT_LE(part.begin, part.end);
        end = part.end;
      }
      EXPECT_EQ(end, Rational(1));
    }
  }
}

}  // namespace
}  // namespace shard::collective_schedule_test

#include "runtime/network/timetable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "runtime/network/link_bounds.h"
#include "runtime/network/link_plan.h"
#include "runtime/network/link_simulation.h"
#include "tests/property.h"
#include "tests/runtime/support/turned_shares.h"

namespace shard {
namespace {

using Kind = CollectiveKind;
constexpr LinkRates kRates{9e10, 1e-6};
constexpr double kNone = std::numeric_limits<double>::infinity();

std::string name_of(const Torus& torus) {
  std::string name;
  for (const TorusAxis& axis : torus.axes())
    name += " " + std::to_string(axis.length) + (axis.is_ring() ? "" : " line");
  return name;
}

// ------------------------------------------------------------ nothing is sent before it is there

// Follows every block of every part through the slots, for all places. A model of its own: it knows which blocks a bundle
// has from what the header says of it, and nothing of the timetable's queues.
class Replay {
 public:
  Replay(const Torus& torus, const Timetable& timetable, bool exchanges)
      : torus_(torus),
        timetable_(timetable),
        exchanges_(exchanges),
        apart_(Timetable::tells_origins_apart(torus,
                                              exchanges ? Movement::Exchange : Movement::Gather)) {
    const auto places = static_cast<std::size_t>(torus.places());
    for (std::size_t part = 0; part < timetable.parts().size(); ++part) {
      auto& held = held_.emplace_back(places * places * (exchanges ? places : 1), false);
      for (std::int64_t block = 0; block < static_cast<std::int64_t>(held.size() / places); ++block)
        held[index(exchanges ? block / torus.places() : block, block)] = true;
    }
  }

  // Blocks are numbered by origin, for an Exchange by origin and destination.
  std::size_t index(std::int64_t place, std::int64_t block) const {
    const std::int64_t blocks = exchanges_ ? torus_.places() * torus_.places() : torus_.places();
    return static_cast<std::size_t>(place * blocks + block);
  }

  void carry(const std::vector<Bundle>& slot, double seconds) {
    std::map<std::size_t, double> busy;
    std::vector<std::pair<std::size_t, std::size_t>> arrived;
    for (const Bundle& bundle : slot) {
      for (std::int64_t place = 0; place < torus_.places(); ++place) {
        if (timetable_.representative(place) == bundle.place) pass(bundle, place, busy, arrived);
      }
    }
    for (const auto& [link, bytes] : busy)
      EXPECT_LE(bytes / kRates.bandwidth, seconds * (1 + 1e-9));
    for (const auto& [part, at] : arrived) held_[part][at] = true;
  }

  bool has(std::int64_t place, std::int64_t block) const {
    return std::all_of(held_.begin(), held_.end(),
                       [&](const auto& held) { return held[index(place, block)]; });
  }

  static constexpr std::int64_t kElements = 5000;

 private:
  // How many steps up or down an axis it is from one place to another; −1 if the bundle's direction never leads there.
  std::int64_t steps(std::int64_t from, std::int64_t to, std::size_t a, bool up) const {
    const TorusAxis& axis = torus_.axes()[a];
    const auto position = [&](std::int64_t place) {
      const std::int64_t begin = axis.is_ring() ? 0 : axis.line_begin();
      return (torus_.coordinate(place, a) - begin + axis.length) % axis.length;
    };
    const std::int64_t ahead = position(to) - position(from);
    const std::int64_t way = up ? ahead : -ahead;
    return axis.is_ring() ? (way + axis.length) % axis.length : way;
  }

  // The shorter way from one coordinate to the other.
  std::int64_t hops(std::int64_t from, std::int64_t to, std::size_t a) const {
    const std::int64_t up = steps(from, to, a, true);
    const std::int64_t down = steps(from, to, a, false);
    return up < 0 ? down : down < 0 ? up : std::min(up, down);
  }

  // Whether the bundle, at the place, has the block.
  bool contains(const Bundle& bundle, std::int64_t place, std::int64_t block) const {
    const Part& part = timetable_.parts()[static_cast<std::size_t>(bundle.part)];
    const std::int64_t origin = exchanges_ ? block / torus_.places() : block;
    const auto stage = static_cast<std::size_t>(bundle.stage);
    std::int64_t before = 0;
    std::int64_t own_class = 0;
    std::int64_t places = 1;
    for (std::size_t s = 0; s < part.order.size(); ++s) {
      const std::size_t axis = part.order[s];
      if (s > stage && part.returns_at(s)) continue;  // it has come part of the way
      if (s < stage) {
        own_class = std::max(own_class, class_before(origin, place, s, bundle, part));
        before += apart_ ? places * origin_before(origin, place, s, bundle, part)
                         : way_before(origin, place, s, bundle, part);
        places *= torus_.axes()[axis].length;
      }
      if (s == stage && steps(origin, place, axis, bundle.up) != bundle.steps) return false;
      if (s > stage && torus_.coordinate(origin, axis) != torus_.coordinate(place, axis))
        return false;
      if (!exchanges_) continue;
      const std::int64_t destination = block % torus_.places();
      if (s < stage && torus_.coordinate(destination, axis) != torus_.coordinate(place, axis))
        return false;
      if (s == stage && steps(origin, destination, axis, bundle.up) != bundle.goal) return false;
    }
    return own_class * (apart_ ? torus_.places() : 32) + before == bundle.band;
  }

  // How far the block has come in the stage.
  std::int64_t way_before(std::int64_t origin, std::int64_t place, std::size_t stage,
                          const Bundle& bundle, const Part& part) const {
    if (part.turns_at(stage) && returns(bundle, part)) return part.turn;
    return hops(origin, place, part.order[stage]);
  }

  // From how many steps up it has come in the stage.
  std::int64_t origin_before(std::int64_t origin, std::int64_t place, std::size_t stage,
                             const Bundle& bundle, const Part& part) const {
    const std::size_t axis = part.order[stage];
    const std::int64_t length = torus_.axes()[axis].length;
    if (part.turns_at(stage) && returns(bundle, part))
      return bundle.up ? length - part.turn : part.turn;
    return (torus_.coordinate(origin, axis) - torus_.coordinate(place, axis) + length) % length;
  }

  // Bands are apart by what goes on after a turn: nothing, what goes up, what goes down. What is too far off is in none.
  std::int64_t class_before(std::int64_t origin, std::int64_t place, std::size_t stage,
                            const Bundle& bundle, const Part& part) const {
    if (!part.turns_at(stage)) return 0;
    if (returns(bundle, part)) return bundle.up ? 1 : 2;
    const std::size_t axis = part.order[stage];
    const std::int64_t way = hops(origin, place, axis);
    constexpr std::int64_t kNowhere = 1'000'000;
    if (way > part.turn) return kNowhere;
    if (way < part.turn) return 0;
    return steps(origin, place, axis, true) == part.turn ? 1 : 2;
  }

  static bool returns(const Bundle& bundle, const Part& part) {
    return part.returns_at(static_cast<std::size_t>(bundle.stage));
  }

  void pass(const Bundle& bundle, std::int64_t place, std::map<std::size_t, double>& busy,
            std::vector<std::pair<std::size_t, std::size_t>>& arrived) {
    const auto number = static_cast<std::size_t>(bundle.part);
    const Part& part = timetable_.parts()[number];
    const std::size_t a = part.order[static_cast<std::size_t>(bundle.stage)];
    const std::int64_t length = torus_.axes()[a].length;
    const std::int64_t to =
        torus_.at(place, a, (torus_.coordinate(place, a) + (bundle.up ? 1 : length - 1)) % length);
    const auto [first, end] = elements_of(part, kElements);
    std::int64_t count = 0;
    const std::int64_t blocks = exchanges_ ? torus_.places() * torus_.places() : torus_.places();
    for (std::int64_t block = 0; block < blocks; ++block) {
      if (!contains(bundle, place, block)) continue;
      ++count;
      EXPECT_TRUE(held_[number][index(place, block)]) << "not there yet";
      arrived.emplace_back(number, index(to, block));
    }
    EXPECT_EQ(count, bundle.blocks);
    busy[torus_.link(place, a, bundle.up)] += static_cast<double>((end - first) * count);
  }

  const Torus& torus_;
  const Timetable& timetable_;
  bool exchanges_;
  bool apart_;
  std::vector<std::vector<bool>> held_;  // by part, then place and block
};

double expect_all_arrives(const Schedule& schedule, const Timetable::Options& options,
                          bool exchanges) {
  const Torus& torus = schedule.torus;
  Timetable timetable(schedule, exchanges ? Movement::Exchange : Movement::Gather,
                      Replay::kElements, 1, kRates, options);
  Replay replay(torus, timetable, exchanges);
  double sum = 0;
  const double seconds = timetable.run(kNone, [&](const std::vector<Bundle>& slot, double length) {
    EXPECT_GE(length, kRates.hop);
    sum += length;
    replay.carry(slot, length);
  });
  EXPECT_DOUBLE_EQ(sum, seconds);
  for (std::int64_t place = 0; place < torus.places(); ++place) {
    for (std::int64_t from = 0; from < torus.places(); ++from) {
      const std::int64_t block = exchanges ? from * torus.places() + place : from;
      EXPECT_TRUE(replay.has(place, block)) << name_of(torus) << ": " << from << " to " << place;
    }
  }
  return seconds;
}

void expect_all_arrives(const Torus& torus, bool exchanges) {
  const Kind kind = exchanges ? Kind::AllToAll : Kind::AllGather;
  const LinkPlan plan = plan_on_links(kind, torus, Replay::kElements, kRates);
  EXPECT_DOUBLE_EQ(expect_all_arrives(plan.schedule, plan.options, exchanges), plan.seconds);
}

TEST(Timetable, PlacesPassOnOnlyWhatTheyHaveAndAllArrives) {
  for (const auto& axes : std::vector<std::vector<TorusAxis>>{{{2, true}},
                                                              {{7, true}},
                                                              {{8, true}},
                                                              {{5, false}},
                                                              {{4, true}, {4, true}},
                                                              {{2, true}, {6, true}},
                                                              {{3, false}, {4, true}},
                                                              {{4, true, {1}}, {3, true}},
                                                              {{5, true, {}, {{2, 3}}}, {2, true}},
                                                              {{2, true}, {3, true}, {4, false}}}) {
    expect_all_arrives(Torus(axes), false);
    expect_all_arrives(Torus(axes), true);
  }
}

TEST(Timetable, PartsThatTurnPassOnOnlyWhatTheyHaveToo) {
  for (const auto& axes : std::vector<std::vector<TorusAxis>>{{{2, true}, {7, true}},
                                                              {{3, true}, {8, true}},
                                                              {{3, false}, {5, false}},
                                                              {{4, true, {1}}, {5, true}},
                                                              {{2, true}, {3, false}, {5, true}}}) {
    const Torus torus(axes);
    const Schedule schedule = schedule_of(Kind::AllGather, torus, turned_shares(torus));
    for (const std::int64_t slots : {diameter(torus), 2 * diameter(torus)})
      expect_all_arrives(schedule, {2, slots, 1}, false);
  }
}

// A limit stops what ends later, and nothing else.
TEST(Timetable, EndsWithinALimitOrNotAtAll) {
  for (const auto& axes : std::vector<std::vector<TorusAxis>>{{{7, true}},
                                                              {{5, false}},
                                                              {{2, true}, {6, true}},
                                                              {{3, false}, {4, true}},
                                                              {{4, true, {1}}, {3, true}},
                                                              {{5, true, {}, {{2, 3}}}, {2, true}},
                                                              {{2, true}, {3, true}, {4, false}}}) {
    for (const Kind kind : {Kind::AllGather, Kind::AllToAll}) {
      const Torus torus(axes);
      const Schedule schedule = schedule_of(kind, torus);
      const auto run = [&](double limit) {
        return Timetable(schedule, forward_movement(kind), 50'000, 1, kRates, {8, 9, 1}).run(limit);
      };
      const double seconds = run(kNone);
      EXPECT_DOUBLE_EQ(run(seconds * (1 + 1e-6)), seconds) << name_of(torus);
      EXPECT_EQ(run(seconds * (1 - 1e-6)), kNone) << name_of(torus);
    }
  }
}

// What goes whatever its slot takes makes the slot longer, also where the slot is longer than planned already.
TEST(Timetable, TakesNoLessThanTheBound) {
  constexpr std::int64_t kBlock = 17'625;
  for (const auto& axes :
       std::vector<std::vector<TorusAxis>>{{{5, true}, {6, false}},
                                           {{2, false}, {3, false}},
                                           {{2, true}, {3, false}, {3, false}}}) {
    const Torus torus(axes);
    for (const Kind kind : {Kind::AllGather, Kind::AllToAll}) {
      const Schedule schedule = schedule_of(kind, torus);
      const double bound = link_bounds(forward_movement(kind), torus, kBlock, kRates).most();
      for (std::int64_t slots = diameter(torus); slots <= 2 * diameter(torus); ++slots) {
        for (const double lead : {0.0, 1.0, 2.0, 4.0}) {
          Timetable timetable(schedule, forward_movement(kind), kBlock, 1, kRates,
                              {8, slots, lead});
          EXPECT_GE(timetable.run(kNone), bound * (1 - 1e-9)) << name_of(torus) << ", " << slots;
        }
      }
    }
  }
}

// ------------------------------------------------------------ how near to the bound

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
}  // namespace shard

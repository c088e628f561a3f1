#include "runtime/network/timetable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "runtime/network/link_bounds.h"
#include "runtime/network/link_plan.h"
#include "runtime/network/link_simulation.h"
#include "tests/property.h"
#include "tests/runtime/support/torus_name.h"
#include "tests/runtime/support/turned_shares.h"

namespace shard::timetable_test {
namespace {

using testing::name_of;
using Kind = CollectiveKind;
constexpr LinkRates kRates{9e10, 1e-6};
constexpr double kNone = std::numeric_limits<double>::infinity();

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

}  // namespace
}  // namespace shard::timetable_test

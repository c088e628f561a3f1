// The order in which the elements of a reduced array are summed, for reduce.h to carry out.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/collective/ring_sum.h"
#include "runtime/machine/machine.h"
#include "runtime/network/collective_schedule.h"

namespace shard {

// The places along one axis become one: the sum for each coordinate. For a part that turns, all places of a torus
// become one, numbered as if they were along one axis.
struct Fold {
  std::int64_t length;  // of the axis
  std::int64_t stride;  // between its places
  RingSums* sums;       // prepared for what is summed
};

// Elements of the result's block, and the place that they are summed for.
struct Segment {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t place;
};

// Elements that are summed over the axes in the same order.
struct Variant {
  std::vector<Fold> folds;        // the first one sums what the places hold
  std::vector<Segment> segments;  // in any order
};

// A reduction over some axes of a machine, for arrays of any size. Places are numbered by their places in the groups of
// the axes (axis_group.h), the fastest group being the major digit. Not thread-safe.
class ReducePlan {
 public:
  // REQUIRES: the product of the axes is above 1.
  ReducePlan(const std::vector<AxisId>& axes, const Machine& machine);
  ReducePlan(const ReducePlan&) = delete;
  ReducePlan& operator=(const ReducePlan&) = delete;

  std::int64_t places() const { return levels_.front().inner * levels_.front().torus.places(); }
  // By shard of the array: the place of its first holder.
  std::vector<std::int64_t> places_of(const DeviceArray& array, const Mesh& mesh) const;
  // By place: the distance, in shard numbers, from the first place's shard of the array to that of this place's device.
  // REQUIRES: the array is unreduced over the axes.
  std::vector<std::size_t> shards(const DeviceArray& array, const Mesh& mesh) const;

  // How consecutive blocks of `block` elements are summed for the places from `first` on, up to `elements` elements in
  // total. `held`: the bytes of partial sums that a device holds, as charged. Cached for the next array of this size.
  const std::vector<Variant>& variants(std::int64_t first, std::int64_t block,
                                       std::int64_t elements, const Rational& held);

 private:
  // Elements of a level's block that are summed in the order of one part (runtime/network/collective_schedule.h), up to
  // `end`.
  struct Interval {
    std::int64_t end;
    const Part* part;
  };
  using Intervals = std::vector<Interval>;  // ascending
  // One group of axes, and how sums travel in it.
  struct Level {
    std::vector<AxisId> axes;
    Torus torus;
    std::optional<LinkRates> rates;
    // Places of the slower groups: a block of this level has as many of the array's blocks.
    std::int64_t inner = 1;
    std::vector<std::vector<RingSums>> sums;     // by axis and half
    std::map<const Part*, RingSums> turned;      // of parts that turn
    std::map<std::int64_t, Schedule> schedules;  // by bytes of a block
    // By elements and bytes of a block.
    std::map<std::pair<std::int64_t, std::int64_t>, Intervals> intervals;
  };

  static void add_sums(Level& level);
  static const Schedule& schedule_of(Level& level, std::int64_t bytes);
  static const Intervals& intervals_of(Level& level, std::int64_t elements, std::int64_t bytes);
  std::vector<Fold> folds_of(const std::vector<const Interval*>& chosen);
  std::vector<Variant> found_variants(std::int64_t first, std::int64_t block, std::int64_t elements,
                                      const Rational& held);

  std::vector<Level> levels_;
  std::map<std::pair<std::array<std::int64_t, 3>, Rational>, std::vector<Variant>> variants_;
};

// Plans by axes, for one machine.
class ReducePlans {
 public:
  ReducePlan& plan(const std::vector<AxisId>& axes, const Machine& machine);

 private:
  std::map<std::vector<AxisId>, std::unique_ptr<ReducePlan>> plans_;
};

}  // namespace shard

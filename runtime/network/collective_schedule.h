// A collective as the hops of a real algorithm. The same schedule moves the data (runtime/collective/run_hops.h) and is
// timed on the links (link_simulation.h).
//
// In this folder:
//   collective_schedule.h                      a collective as the hops of a real algorithm: the entry to this folder
//   ring_schedule.h                            such hops along one axis: ring, line or network
//   route_schedule.h, routes.h                 what a permute, shift or broadcast moves, and along which routes
//   spanning_trees.h                           trees for broadcasts, no two of which share a link in one direction
//   block_moves.h                              which blocks change device between two layouts
//   axis_group.h                               the axes of a collective as networks, crossed one after another
//   torus.h                                    the devices of a collective, and the links between them
//   link_simulation.h, link_time_cache.h       the cost model `links`: hops timed on links, and a cache of the times
//   colour_shares.h, timetable.h, link_plan.h  how much goes around the axes in which order, when each link carries
//                                              it, and which plan is taken
//   link_refinement.h                          the search for other shares, where hops count as much as bytes
//   link_bounds.h                              what no schedule can beat
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "runtime/network/colour_shares.h"
#include "runtime/network/ring_schedule.h"
#include "runtime/network/torus.h"
#include "runtime/plan/plan.h"

namespace shard {

// A part of every block that goes around the axes in its own order, so that all axes are busy at the same time. Half
// way around a ring it goes one way: up for the First half of a block, down for the Second.
struct Part {
  std::vector<std::size_t> order;  // of the axes, for a Gather; a Reduce takes them in reverse
  Half half = Half::First;
  Rational begin;  // of a block, as a fraction
  Rational end;
  // If not 0: whatever goes farther than this many steps along the first axis turns there, goes along the other axes,
  // and then continues along the first one, which is also the last in `order`.
  std::int64_t turn = 0;

  bool turns_at(std::size_t stage) const { return turn > 0 && stage == 0; }
  bool returns_at(std::size_t stage) const { return turn > 0 && stage + 1 == order.size(); }
};

// What one part does along one axis, on all rings of that axis. A place passes each block on as soon as it arrives,
// without waiting for the rest.
struct Stage {
  std::size_t part = 0;
  Movement movement = Movement::Gather;
  std::size_t axis = 0;
  // Gather: axes gathered before; Reduce: axes reduced later; a hop carries the blocks of all places that differ on
  // them. Exchange: axes exchanged before.
  std::vector<std::size_t> along;
  // For a part that turns: of the blocks' steps along the axis, those after `first` up to `last`.
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  // On the first axis in `along`, only places at most this many steps away.
  std::int64_t within = std::numeric_limits<std::int64_t>::max();
};

// Each of N places has
//   AllGather                  a block, which everyone gets
//   ReduceScatter, AllReduce   N blocks of partial sums: each place gets the sum of one block, or all places all sums
//   AllToAll                   a block for every other place
// Sums are added stage by stage, in order of arrival. The timetable says when links carry what (timetable.h).
struct Schedule {
  Torus torus;
  std::vector<Part> parts;
  std::vector<Stage> stages;  // those of one part in its order
};

// For AllGather, ReduceScatter, AllReduce and AllToAll. The parts of a gather are sized such that the busiest axis is
// as little busy as possible (colour_shares.h); those of an exchange are equal. A ReduceScatter is an AllGather
// backwards in time, an AllReduce one after the other.
Schedule schedule_of(CollectiveKind kind, const Torus& torus);
// A schedule with given shares, which add up to 1.
Schedule schedule_of(CollectiveKind kind, const Torus& torus,
                     const std::vector<ColourShare>& shares);

// A schedule with given parts.
Schedule schedule_with(CollectiveKind kind, const Torus& torus, std::vector<Part> parts);

// The hops that a stage of the part takes along its axis (ring_schedule.h).
std::vector<RingHop> hops_of(const Stage& stage, const Part& part, const Torus& torus);
// Gather, Reduce: the places whose blocks a hop carries that begins or ends with those of this place.
std::vector<std::int64_t> blocks_along(const Stage& stage, const Torus& torus, std::int64_t place);
// The elements of a block that belong to a part, as a half-open range.
std::pair<std::int64_t, std::int64_t> elements_of(const Part& part, std::int64_t block_elements);
// The number of blocks that a hop of the stage carries.
std::int64_t blocks_carried(const Stage& stage, const Torus& torus);

// Bytes of the blocks exchanged over the g-th group, by devices holding `held` bytes before the collective; `places`
// are the sizes of all groups. The choice of a schedule depends on it. For AllGather, ReduceScatter, AllReduce and
// AllToAll.
std::int64_t exchanged_bytes(CollectiveKind kind, const std::vector<std::int64_t>& places,
                             std::size_t g, const Rational& held);

}  // namespace shard

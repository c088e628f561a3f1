// A collective as the hops of a real algorithm. The same schedule moves the data (runtime/collective/run_hops.h) and is
// timed on the links (link_simulation.h).
//
// In this folder:
//   collective_schedule.h                      a collective as the hops of a real algorithm: all of them start here
//   ring_schedule.h                            the same along one axis: ring, line or network
//   route_schedule.h, routes.h                 what a permute, shift or broadcast moves, and along which routes
//   spanning_trees.h                           trees for broadcasts, no two of which share a link in one direction
//   block_moves.h                              which blocks change device between two layouts
//   axis_group.h                               the axes of a collective as networks that are crossed one after another
//   torus.h                                    the devices of a collective, and the links between them
//   link_simulation.h, link_time_cache.h       the cost model `links`: hops timed on links, and what was timed before
//   colour_shares.h, timetable.h, link_plan.h  how much goes around the axes in which order, when each link carries
//                                              it, and which plan is taken
//   link_bounds.h                              what no schedule can undercut
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

// A part of every block, which goes round the axes in an order of its own, so that all axes carry something at the same
// time. Half way around a ring it goes one way: up for the First half of a block, down for the Second.
struct Part {
  std::vector<std::size_t> order;  // of the axes, for a Gather; a Reduce takes them backwards
  Half half = Half::First;
  Rational begin;  // of a block, 0 to 1
  Rational end;
  // Other than 0: what goes farther than so many steps along the first axis turns there, goes along the other axes, and then
  // goes on along the first one, which is the last one as well.
  std::int64_t turn = 0;

  bool turns_at(std::size_t stage) const { return turn > 0 && stage == 0; }
  bool returns_at(std::size_t stage) const { return turn > 0 && stage + 1 == order.size(); }
};

// What one part does along one axis, on all rings of that axis. Each block goes on as soon as it has come: a place does not
// wait until it has all.
struct Stage {
  std::size_t part = 0;
  Movement movement = Movement::Gather;
  std::size_t axis = 0;
  // Gather: axes that were gathered before; Reduce: axes that are reduced later. A hop carries the blocks of all places
  // that differ on them. Exchange: axes that were exchanged before.
  std::vector<std::size_t> along;
  // Of a part that turns: of the steps that blocks take along the axis those behind `first`, up to `last`.
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  // On the first of the axes `along` only places so many steps off.
  std::int64_t within = std::numeric_limits<std::int64_t>::max();
};

// Each of N places has
//   AllGather                  a block, which all get
//   ReduceScatter, AllReduce   N blocks of partial sums, of which each gets the sum of one, or all of all
//   AllToAll                   a block for every other place
// Sums are added stage by stage, whichever comes first. When links carry what, the timetable says (timetable.h).
struct Schedule {
  Torus torus;
  std::vector<Part> parts;
  std::vector<Stage> stages;  // those of a part in its order
};

// For AllGather, ReduceScatter, AllReduce and AllToAll. Of a gather the parts are of such sizes that the busiest axis is as
// little busy as can be (colour_shares.h), of an exchange they are alike. A ReduceScatter is an AllGather backwards in time,
// an AllReduce both.
Schedule schedule_of(CollectiveKind kind, const Torus& torus);
// The same with other shares, which add up to 1.
Schedule schedule_of(CollectiveKind kind, const Torus& torus,
                     const std::vector<ColourShare>& shares);

// The same with parts that are there already.
Schedule schedule_with(CollectiveKind kind, const Torus& torus, std::vector<Part> parts);

// The hops that a stage of the part takes along its axis (ring_schedule.h).
std::vector<RingHop> hops_of(const Stage& stage, const Part& part, const Torus& torus);
// Gather, Reduce: whose blocks a hop carries that begins or ends with those of this place.
std::vector<std::int64_t> blocks_along(const Stage& stage, const Torus& torus, std::int64_t place);
// All hops between places by which a ReduceScatter sums the part for one of them, in their order.
std::vector<RingHop> reduce_hops(const Part& part, const Torus& torus, std::int64_t place);
// Elements of a block that belong to a part: from the first to behind the last.
std::pair<std::int64_t, std::int64_t> elements_of(const Part& part, std::int64_t block_elements);
// How many blocks a hop of the stage carries.
std::int64_t blocks_carried(const Stage& stage, const Torus& torus);

// Bytes of the blocks that are exchanged over the g-th of the groups, of which each has so many places, by devices that
// hold so many bytes before the collective: what its schedule is chosen by (collective_schedule.h). For AllGather,
// ReduceScatter, AllReduce and AllToAll.
std::int64_t exchanged_bytes(CollectiveKind kind, const std::vector<std::int64_t>& places,
                             std::size_t g, const Rational& held);

}  // namespace shard

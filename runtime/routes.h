// Blocks on their shortest ways through a torus, and how much each link carries of them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rational.h"
#include "runtime/mesh.h"

namespace shard {

// Most torus axes that a block may travel, so that shares of a block stay exact; far more than any
// slice has.
inline constexpr std::size_t kMostTravelledAxes = 12;

// Adds up the traffic of blocks of one size that all travel at the same time.
//
// A block goes the shortest way, one axis after the other. It leaves by as many ports as there are
// axes to travel: cut into that many equal parts, of which the first begins with the first axis, the
// second with the second, and so on around; the parts of one block never share a link. Half way
// around a ring a part is split over both directions.
class LinkLoads {
 public:
  // An axis of the torus; or one of another network, along which blocks do not travel here (`stays`),
  // and which only says in which torus a block is.
  struct Axis {
    TorusAxis torus;
    bool stays = false;
  };

  // Devices are numbered by their coordinates on the axes, the first one major.
  explicit LinkLoads(std::vector<Axis> axes);

  // REQUIRES: the block travels at most kMostTravelledAxes.
  void send(std::int64_t from, std::int64_t to);
  // What the busiest link carries in one direction, in blocks.
  Rational busiest() const;
  // The longest way of any block so far.
  std::int64_t hops() const { return hops_; }

 private:
  // The part of a way along one axis, by one direction or, half way around, by both.
  struct Leg {
    std::size_t axis;
    std::int64_t begin;  // coordinates
    std::int64_t end;
    std::int64_t steps;
    bool up;
    bool down;
  };

  std::vector<Leg> legs_between(std::int64_t from, std::int64_t to) const;
  void carry(std::int64_t device, const std::vector<Leg>& legs, std::size_t first,
             std::int64_t weight);
  void load(std::int64_t device, const Leg& leg, bool up, std::int64_t weight);

  std::vector<Axis> axes_;
  std::vector<std::int64_t> strides_;  // between neighbours on each axis
  std::vector<std::int64_t>
      loads_;  // by device, axis and direction; a whole block counts kWholeBlock
  std::int64_t hops_ = 0;
};

}  // namespace shard

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
// axes to travel: cut into that many equal parts, of which the first begins with the first axis,
// the second with the second, and so on around; the parts of one block never share a link. Half way
// around a ring a part is split over both directions.
class LinkLoads {
 public:
  // Coordinates on axes of one device at a time: torus axes, on which blocks travel, and any
  // others, which are told apart by `stays` and only say in which torus a block is. REQUIRES: at
  // most kMostTravelledAxes travelled.
  struct Axis {
    TorusAxis torus;
    bool stays = false;
  };
  using Position = std::vector<std::int64_t>;

  explicit LinkLoads(std::vector<Axis> axes);

  void send(const Position& from, const Position& to);
  // What the busiest link carries in one direction, in blocks.
  Rational busiest() const;
  // The longest way of any block so far.
  std::int64_t hops() const { return hops_; }

 private:
  struct Way {
    std::size_t axis;
    std::int64_t steps;
    bool up;
    bool down;  // both: half way around
  };

  std::vector<Way> ways(const Position& from, const Position& to) const;
  void carry(Position at, const std::vector<Way>& ways, std::size_t first, std::size_t done,
             std::int64_t weight);
  void step(Position& at, std::size_t axis, bool up, std::int64_t weight);

  std::vector<Axis> axes_;
  std::vector<std::int64_t> loads_;  // by device, axis and direction, in units of kWholeBlock
  std::int64_t hops_ = 0;
};

}  // namespace shard

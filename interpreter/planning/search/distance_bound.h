// Seconds below which no sequence of collectives leads from a layout to the target, from what every device has to receive.
#pragma once

#include <array>

#include "interpreter/planning/search/relayout.h"

namespace shard::planning {

class DistanceBound {
 public:
  explicit DistanceBound(const Ground& ground);

  // Some device has to receive all of its part of the target that it does not hold yet, over all of its links at most; and
  // what it has to know from the farthest device along an axis travels all the hops between.
  double seconds(const Places& from) const;

 private:
  struct Needs {
    double lacking = 1;    // the part of the target's block that some device has to receive
    double latency = 0;    // seconds of hops
    AxisMask counted = 0;  // whose hops are in it
    bool communicates = false;
  };
  void add_subscripts(const Places& from, Needs& needs) const;
  // From the farthest device along the axis.
  void add_way(std::size_t axis, double hops, Needs& needs) const;

  const Ground& ground_;
  double bytes_;  // of the target, on one device
  double bandwidth_ = 0;
  double least_hop_ = 0;
  std::array<std::uint8_t, kMostAxes> counts_ = {};  // axes of each subscript of the target
};

}  // namespace shard::planning

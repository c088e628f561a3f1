// The devices that a collective runs over, and the links between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/machine/mesh.h"

namespace shard {

// A link carries one transfer at a time in each direction: it is busy for bytes / bandwidth, a slow one (TorusAxis) for
// a multiple of that. A transfer has arrived once it is through, but not before `hop` has passed since it began.
struct LinkRates {
  double bandwidth = 1;  // bytes/s in one direction: W1, or that of a port into a network
  double hop = 0;        // seconds: T_min
};

// How places are joined:
//   Torus    along each axis by links to the neighbours, up and down, one for each direction
//   Network  every place reaches every other by its own port
//   Full     every place has a link to every other, all of which carry at the same time (WrapRule::Full)
// Other than on a torus, every place is one hop from every other.
enum class Fabric { Torus, Network, Full };

// Places, numbered by their coordinates on the axes, the first being major. Places that exchange over a network or are
// fully linked have one axis.
class Torus {
 public:
  explicit Torus(std::vector<TorusAxis> axes, Fabric fabric = Fabric::Torus);

  const std::vector<TorusAxis>& axes() const { return axes_; }
  Fabric fabric() const { return fabric_; }
  // Whether every place is one hop from every other.
  bool is_network() const { return fabric_ != Fabric::Torus; }
  std::int64_t places() const { return places_; }
  // Between neighbours on an axis.
  std::int64_t stride(std::size_t axis) const { return strides_[axis]; }
  std::int64_t coordinate(std::int64_t place, std::size_t axis) const {
    return place / strides_[axis] % axes_[axis].length;
  }
  // The place that agrees with `place` on all other axes.
  std::int64_t at(std::int64_t place, std::size_t axis, std::int64_t coordinate) const {
    return place + (coordinate - this->coordinate(place, axis)) * strides_[axis];
  }

  // A link belongs to the place that sends over it. The port into a network is its `up` link.
  std::size_t links() const {
    return static_cast<std::size_t>(places_) *
           (fabric_ == Fabric::Full ? static_cast<std::size_t>(places_) : axes_.size() * 2);
  }
  std::size_t link(std::int64_t from, std::size_t axis, bool up) const {
    return (static_cast<std::size_t>(from) * axes_.size() + axis) * 2 + (up ? 0 : 1);
  }
  // That from one place to another, where all are linked. The one to itself carries nothing.
  std::size_t link_to(std::int64_t from, std::int64_t to) const {
    return static_cast<std::size_t>(from * places_ + to);
  }

 private:
  std::vector<TorusAxis> axes_;
  std::vector<std::int64_t> strides_;
  std::int64_t places_ = 1;
  Fabric fabric_;
};

}  // namespace shard

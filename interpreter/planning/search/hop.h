// One primitive between two layouts, in the terms of a search.
#pragma once

#include <cstdint>
#include <optional>

#include "base/collective.h"
#include "interpreter/planning/search/places.h"

namespace shard::planning {

enum class HopKind : std::uint8_t {
  Start,  // none: where a route begins
  Slice,
  Keep,  // an array that is everywhere is kept only at the target's places
  AllGather,
  ReduceScatter,
  AllReduce,
  AllToAll,
  Permute,  // of blocks
  Send,     // what is placed goes to the target's places
  Broadcast,
  Transpose,
};

// nullopt for what is local.
inline std::optional<CollectiveKind> collective_of(HopKind kind) {
  switch (kind) {
    case HopKind::AllGather:
      return CollectiveKind::AllGather;
    case HopKind::ReduceScatter:
      return CollectiveKind::ReduceScatter;
    case HopKind::AllReduce:
      return CollectiveKind::AllReduce;
    case HopKind::AllToAll:
      return CollectiveKind::AllToAll;
    case HopKind::Permute:
    case HopKind::Send:
      return CollectiveKind::CollectivePermute;
    case HopKind::Broadcast:
      return CollectiveKind::Broadcast;
    case HopKind::Start:
    case HopKind::Slice:
    case HopKind::Keep:
    case HopKind::Transpose:
      return std::nullopt;
  }
  return std::nullopt;
}

struct Hop {
  HopKind kind = HopKind::Start;
  AxisMask axes = 0;  // those that it runs over
  Places to;
};

// Takes the hops from a layout as they are found. `add` returns false to be given no more.
class HopSink {
 public:
  virtual ~HopSink() = default;
  virtual bool add(const Hop& hop) = 0;
  // Whether a hop of this kind over these axes, or over some of them if it permutes, may be good for anything, wherever it
  // leads.
  virtual bool wants(HopKind /*kind*/, AxisMask /*axes*/) { return true; }
  // Whether a device has room for the layout beside the one that hops lead from.
  virtual bool can_hold(const Places& /*to*/) { return true; }
};

}  // namespace shard::planning

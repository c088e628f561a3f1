// Which schedule and timetable a collective uses.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/network/collective_schedule.h"
#include "runtime/network/timetable.h"

namespace shard {

// The plan that ends first among those tried.
struct LinkPlan {
  Schedule schedule;
  Timetable::Options options;
  double seconds = 0;  // of a Gather or Exchange; an AllReduce takes twice that
};

// For blocks of `block_bytes` bytes. If hops count as much as bytes, the shares of the orders may differ from those
// that are best for bytes. REQUIRES: the torus is not a network.
LinkPlan plan_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                       const LinkRates& rates);

// The schedule of that plan for blocks of `block_bytes` bytes: the one by which data moves hop by hop, and time is
// computed. Without rates, and for a network, there is only one. It is the same for ReduceScatter, AllReduce and
// AllGather.
Schedule schedule_for(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                      const std::optional<LinkRates>& rates);

inline Movement forward_movement(CollectiveKind kind) {
  return exchanges(kind) ? Movement::Exchange : Movement::Gather;
}

}  // namespace shard

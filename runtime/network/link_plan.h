// Which schedule and which timetable a collective goes by.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/network/collective_schedule.h"
#include "runtime/network/timetable.h"

namespace shard {

// Of a few that are tried the one that ends first.
struct LinkPlan {
  Schedule schedule;
  Timetable::Options options;
  double seconds = 0;  // of a Gather or Exchange: an AllReduce takes twice that
};

// For blocks of so many bytes. Where hops count as much as bytes the shares of the orders may be others than those that are
// best for bytes. REQUIRES: the torus is no network.
LinkPlan plan_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                       const LinkRates& rates);

// The schedule of that plan for blocks of so many bytes: the one by which data moves, sums are added, and that is timed.
// Without rates, and for a network, there is but one. The same for a ReduceScatter, an AllReduce and an AllGather.
Schedule schedule_for(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                      const std::optional<LinkRates>& rates);

inline Movement forward_movement(CollectiveKind kind) {
  return kind == CollectiveKind::AllToAll ? Movement::Exchange : Movement::Gather;
}

}  // namespace shard

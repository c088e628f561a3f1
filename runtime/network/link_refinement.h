// A second search for the plan of a collective: for the shares of the routes, where hops count as much as bytes.
#pragma once

#include <cstdint>

#include "runtime/network/link_plan.h"

namespace shard {

// What both searches keep to. All budgets count bundles, not seconds, so that the plan is the same on every machine.
// How close to its bound, as a ratio, a timetable has to be for a search to stop.
inline constexpr double kNear = 1.03;
// Bundles of a try: on large toruses parts are cut into fewer chunks, so that several slot counts can be tried.
inline constexpr double kBundlesOfTry = 100'000;
// A timetable takes time in proportion to its chunks, and the last ones gain little.
inline constexpr std::int64_t kMostChunks = 64;
// Of each part, so that a slot is full to within about an eighth.
inline constexpr std::int64_t kChunksForHop = 8;
// From this ratio of the bound of bytes to that of hops on, hops hardly count.
inline constexpr double kRefinedTo = 8;

// Whether hops and bytes take about as long, over axes that differ.
bool may_be_refined(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                    const LinkRates& rates);
// The best plan found from `first` on. REQUIRES: may_be_refined.
LinkPlan refined(CollectiveKind kind, std::int64_t block_bytes, const LinkRates& rates,
                 LinkPlan first);

}  // namespace shard

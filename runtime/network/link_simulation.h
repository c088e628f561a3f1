// The cost model `links`: a schedule's hops on the links of the emulated torus (cost model, "Time of a collective on
// the links").
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/network/collective_schedule.h"

namespace shard {

struct LinkReport {
  double seconds = 0;               // until the last place has everything
  std::vector<std::int64_t> bytes;  // by Torus::link or link_to, or by Routes::links
};

// Seconds of a collective with blocks of `block_bytes` bytes, by its schedule and the timetable chosen for it.
double seconds_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                        const LinkRates& rates);

// The seconds, and what each link carries, for blocks of `block_elements` elements of `element_bytes` bytes.
LinkReport time_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_elements,
                         std::int64_t element_bytes, const LinkRates& rates);

}  // namespace shard

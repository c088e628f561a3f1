// The cost model `links`: a schedule's hops on the links of the emulated torus (cost model, "Time of a collective on the links").
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/network/collective_schedule.h"

namespace shard {

struct LinkReport {
  double seconds = 0;               // until the last place has all
  std::vector<std::int64_t> bytes;  // by Torus::link
};

// Seconds of a collective of blocks of so many bytes by its schedule and the timetable that is chosen for it.
double seconds_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                        const LinkRates& rates);

// The same with what each link carries, for blocks of so many elements of so many bytes.
LinkReport time_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_elements,
                         std::int64_t element_bytes, const LinkRates& rates);

}  // namespace shard

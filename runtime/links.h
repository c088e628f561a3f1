// The cost model `links`: a schedule's hops on the links of the emulated torus (cost model, "Time of a collective on the links").
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/schedule.h"

namespace shard {

struct LinkReport {
  double seconds = 0;               // until the last place has all
  std::vector<std::int64_t> bytes;  // by Torus::link
};

// A schedule whose blocks have so many elements of so many bytes. Links carry their transfers in its order.
LinkReport time_on_links(const Schedule& schedule, std::int64_t block_elements,
                         std::int64_t element_bytes, const LinkRates& rates);

// The schedule by which blocks of so many bytes move.
LinkReport time_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                         const LinkRates& rates);

}  // namespace shard

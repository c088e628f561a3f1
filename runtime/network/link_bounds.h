// What no schedule on the links of a torus can beat (cost model, "Time of a collective on the links").
#pragma once

#include <cstdint>

#include "runtime/network/ring_schedule.h"
#include "runtime/network/torus.h"

namespace shard {

// Seconds; each is a bound by itself.
struct LinkBounds {
  double bytes = 0;  // what has to pass the narrowest cut of the torus over the links of the cut
  double hops = 0;   // from a place to the farthest one
  // For a gather: whatever is more than k hops away from one side of a cut passes it only after k hops, for any k.
  double start = 0;
  // As `start`, and whatever passes the cut d hops from a place has to do so d hops before that place is done.
  double spread = 0;

  // The target of a search for schedules, by which slots are sized. Finer slots do not bring a schedule closer to
  // `spread`.
  double aim() const;
  double most() const;
};

// For blocks of `block_bytes` bytes on a torus whose links are connected; a place has one block for all others (Gather,
// Reduce) or one for each of them (Exchange). The cuts separate the places that agree on some axes, at the end of a
// line, from all others; for an Exchange, the halves of an axis. On axes without slow links, large blocks reach the
// bound of bytes.
LinkBounds link_bounds(Movement movement, const Torus& torus, std::int64_t block_bytes,
                       const LinkRates& rates);

// Hops from a place to the farthest one.
std::int64_t diameter(const Torus& torus);

}  // namespace shard

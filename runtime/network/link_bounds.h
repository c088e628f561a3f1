// What no schedule on the links of a torus can undercut (cost model, "Time of a collective on the links").
#pragma once

#include <cstdint>

#include "runtime/network/ring_schedule.h"
#include "runtime/network/torus.h"

namespace shard {

// Seconds, each a bound of its own.
struct LinkBounds {
  double bytes = 0;  // what has to pass the narrowest cut of the torus, over the links of the cut
  double hops = 0;   // from a place to the farthest one
  // Of a gather: what is farther than k hops from one side of a cut begins to pass it when k hops are over, for any k.
  double start = 0;
  // The same, and what passes the cut d hops beside a place has to do so d hops before that place has all.
  double spread = 0;

  // What a search of schedules aims at: slots are cut by it. No schedule reaches `spread` by being cut finer.
  double aim() const;
  double most() const;
};

// For blocks of so many bytes on a torus whose links are connected; a place has one block for all others (Gather, Reduce)
// or one for each of them (Exchange). Cuts are those of the places that agree on some axes, at the end of a line, from all
// others; for an Exchange those across the middle of an axis. On axes without slow links the bound of bytes is reached when
// blocks are large.
LinkBounds link_bounds(Movement movement, const Torus& torus, std::int64_t block_bytes,
                       const LinkRates& rates);

// Hops from a place to the farthest one.
std::int64_t diameter(const Torus& torus);

}  // namespace shard

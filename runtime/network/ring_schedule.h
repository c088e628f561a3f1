// How blocks travel along one axis: the rounds of every algorithm on a ring, a line or a network.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/machine/mesh.h"

namespace shard {

// What a stage of a collective does along its axis, among the places that differ only in their coordinate on it:
//   Gather    everyone gets what each place holds
//   Reduce    everyone gets the sum of what all hold for it; a Gather backwards in time
//   Exchange  everyone gets what each place holds for it
enum class Movement { Gather, Reduce, Exchange };

// Half way around a ring a block is cut in two: one half goes up, the other down.
enum class Half { Whole, First, Second };

// A transfer from a place to its neighbour (on a network: to any other), by coordinates on the axis.
struct RingHop {
  std::int64_t from;
  std::int64_t to;
  bool up;
  // Gather: whose block it is. Reduce: for whom the sum is. Exchange: where the block comes from.
  std::int64_t origin;
  std::int64_t destination;  // Exchange: where it goes; otherwise −1
  Half half = Half::Whole;
};

// All hops along one axis, in the order in which its links carry them: a hop comes after those that bring what it
// passes on. No link idles while all hops take the same time, and a link of
//   a ring of n      carries (n − 1)/2 blocks of a Gather or Reduce, n²/8 (n odd: (n² − 1)/8) of an Exchange
//   a line of n      carries at most n − 1 of a Gather or Reduce, (n/2)² of an Exchange
//   a network of n   carries n − 1; if every place has a link to every other, each of these carries one
// A ring with a failed link is a line that starts after that link. REQUIRES: the axis is connected.
std::vector<RingHop> ring_hops(Movement movement, const TorusAxis& axis, bool is_network);
// The number of `ring_hops`, without building them:
//   a ring of n      n(n − 1) for a Gather or Reduce, n² if n is even; n·h(h + 1) for an Exchange, h = ⌊n/2⌋
//   a line of n      n(n − 1); (n − 1)n(n + 1)/3 for an Exchange
//   a network of n   n(n − 1)
double number_of_hops(Movement movement, const TorusAxis& axis, bool is_network);
// The number of blocks that the busiest link carries; on a slow link, times its slowness.
double blocks_on_busiest_link(Movement movement, const TorusAxis& axis, bool is_network);

}  // namespace shard

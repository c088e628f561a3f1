// Loops over two blocks of elements with arbitrary strides at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace shard {

using Extents = std::vector<std::int64_t>;

// One of the loops: its extent, and the stride in each block, in elements.
struct BlockLoop {
  std::int64_t extent = 1;
  std::int64_t source = 0;
  std::int64_t target = 0;
};

// The loops over a block, outermost first, in the order of the target's memory, as writes that jump cost more than
// reads; loops contiguous on both sides are merged. nullopt if there is nothing to do.
std::optional<std::vector<BlockLoop>> loops_over(const Extents& extents, const Extents& source,
                                                 const Extents& target);

// Calls body(source offset, target offset) for every index of the loops, in order.
template <class Body>
void walk(const std::vector<BlockLoop>& loops, Body&& body) {
  std::vector<std::int64_t> index(loops.size(), 0);
  std::int64_t source = 0;
  std::int64_t target = 0;
  while (true) {
    body(source, target);
    std::size_t d = loops.size();
    while (d > 0) {
      const BlockLoop& loop = loops[d - 1];
      source += loop.source;
      target += loop.target;
      if (++index[d - 1] < loop.extent) break;
      source -= loop.source * loop.extent;
      target -= loop.target * loop.extent;
      index[d - 1] = 0;
      --d;
    }
    if (d == 0) return;
  }
}

}  // namespace shard

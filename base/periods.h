// Sequences that repeat themselves.
#pragma once

#include <cstddef>
#include <vector>

namespace shard {

// The part [begin, end) of a sequence: the same `period` elements over and over.
struct PeriodicPart {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t period = 1;
};

// Cuts a sequence into parts, from its front: each as long as a period of at most `longest` elements reaches, and of those that
// reach as far the shortest. A part has whole periods, and a single element is a part of its own: 0 1 0 1 0 is 0 1 0 1 and 0.
std::vector<PeriodicPart> periodic_parts(const std::vector<std::size_t>& sequence,
                                         std::size_t longest);

}  // namespace shard

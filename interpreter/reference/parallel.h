// Loops of the unsharded computation, shared between threads.
#pragma once

#include <cstddef>
#include <functional>

#include "interpreter/reference/loop_options.h"

namespace shard::oracle {

// Elements that are computed while another thread would wake up.
inline constexpr std::size_t kElementsAtOnce = std::size_t{1} << 14;

// Calls body(begin, end) for ranges of `at_once` indices, the last one perhaps shorter, that together are 0 … count − 1,
// on up to `watch.threads()` threads in any order, and waits for all. The ranges are the same for any number of threads and
// a body writes to slots of its own, so that results are, too. Looks before each range. Of what bodies and looks throw
// one is thrown here, on the calling thread; ranges that were not begun by then are left out.
void in_ranges(const Watch& watch, std::size_t count, std::size_t at_once,
               const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace shard::oracle

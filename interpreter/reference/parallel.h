// Loops of the unsharded computation, shared among threads.
#pragma once

#include <cstddef>
#include <functional>

#include "interpreter/reference/loop_options.h"

namespace shard::oracle {

// About as many elements as one thread computes while another one wakes up.
inline constexpr std::size_t kElementsAtOnce = std::size_t{1} << 14;

// Calls body(begin, end) for ranges of `at_once` indices, the last one possibly shorter, that together cover 0 … count
// − 1, on up to `watch.threads()` threads in any order, and waits for all of them. The ranges do not depend on the
// number of threads and each body writes only its own slots, so results do not depend on it either. Looks before each
// range. One of the exceptions that bodies and looks throw is rethrown on the calling thread; ranges that had not begun
// by then are skipped.
void in_ranges(const Watch& watch, std::size_t count, std::size_t at_once,
               const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace shard::oracle

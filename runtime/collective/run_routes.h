// Moving blocks along their routes, hop by hop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "runtime/network/routes.h"
#include "runtime/platform/executor.h"

namespace shard {

// By block and device: the bytes of the block, if the device has it.
using HeldBlocks = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::byte>>;

// Executes every hop in order, and adds each block where it arrives. Returns the bytes that each link carried, by
// Torus::link. Throws std::bad_alloc and, between hops, Cancelled. REQUIRES: hops are kept, and each block is held
// where it starts.
std::vector<std::int64_t> run_routes(const Routes& routes, std::int64_t block_elements,
                                     std::int64_t element_bytes, HeldBlocks& held,
                                     const Executor& executor);

}  // namespace shard

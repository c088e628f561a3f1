// Collectives of whole arrays, hop by hop.
#pragma once

#include <cstdint>

#include "runtime/array/device_array.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"
#include "runtime/platform/executor.h"

namespace shard {

// Whether a collective uses links: it runs over axes longer than 1.
bool has_schedule(const CollectiveStep& step, const Mesh& mesh);

// Fills `result`, an outline, with blocks from `operand`, as `redistribute` and `move_blocks` do, but by executing
// every hop of the collective's schedule (runtime/network/collective_schedule.h) or routes (route_schedule.h): first on
// the torus, then through a switch, then between slices; for a gather or Broadcast in reverse. Sums are added in the
// order in which hops bring the parts. Returns how many elements were clamped. Throws std::bad_alloc and Cancelled.
// REQUIRES: has_schedule(step).
std::uint64_t exchange_by_hops(const DeviceArray& operand, const CollectiveStep& step,
                               const Machine& machine, const Executor& executor,
                               DeviceArray& result);
// What it takes among the devices that exchange with each other, computed without building hops.
struct HopDemand {
  double bytes = 0;  // in addition to the two arrays, of which only the outlines are used
  double hops = 0;   // blocks that are cut into chunks have more
};
HopDemand demand_of_hops(const DeviceArray& operand, const CollectiveStep& step,
                         const Machine& machine, const DeviceArray& result);

}  // namespace shard

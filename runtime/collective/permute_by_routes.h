// Permutes, shifts and broadcasts of whole arrays, hop by hop.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/machine/machine.h"
#include "runtime/network/route_schedule.h"
#include "runtime/plan/plan.h"
#include "runtime/platform/executor.h"

namespace shard {

// The collective of a step that turns the operand's layout into `then`.
RoutedCollective routed_collective(const DeviceArray& operand, const CollectiveStep& step,
                                   const Layout& then);

// Such a collective among devices that differ on the axes it runs over.
// REQUIRES: goes_by_routes(step.kind), and blocks move whole, as in any checked program.
class RouteExchange {
 public:
  RouteExchange(const DeviceArray& operand, const CollectiveStep& step, const Machine& machine,
                DeviceArray& result);

  const std::vector<AxisId>& axes() const { return schedule_.axes; }
  // Runs among the devices that agree with `base` on all other axes. Returns how many elements were clamped. Throws
  // std::bad_alloc and Cancelled.
  std::uint64_t run(const std::vector<std::int64_t>& base, const Executor& executor);

 private:
  std::vector<std::int64_t> device(const std::vector<std::int64_t>& base, std::int64_t place) const;
  bool is_target(const std::vector<std::int64_t>& device) const;
  std::uint64_t store(const std::vector<std::byte>& block, std::size_t shard);

  const DeviceArray& operand_;
  DeviceArray& result_;
  const Mesh& mesh_;
  RouteSchedule schedule_;
  std::int64_t places_;
};

}  // namespace shard

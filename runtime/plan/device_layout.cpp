#include "runtime/plan/device_layout.h"

#include <algorithm>
#include <vector>

namespace shard {

bool holds(std::int64_t device, const Layout& layout, const Mesh& mesh) {
  if (layout.placed.empty()) return true;
  const std::vector<std::int64_t> place = coordinates(mesh, device);
  return std::all_of(layout.placed.begin(), layout.placed.end(), [&](const Placement& held) {
    return place[static_cast<std::size_t>(held.axis.value)] == held.coordinate;
  });
}

Rational slowdown_of(const Layout& layout, const Machine& machine) {
  Rational most = 1;
  for (const SlowDevice& slow : machine.faults.slow_devices) {
    if (holds(slow.device, layout, machine.mesh)) most = std::max(most, slow.by);
  }
  return most;
}

}  // namespace shard

// The arrays of a plan before anything is in them.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/plan/plan.h"

namespace shard {

// Where a copy is in a list by CopyId.
inline std::size_t position(CopyId copy) { return static_cast<std::size_t>(copy.value); }

// Outlines of all copies of a plan, by CopyId, without buffers but for those that are `held`. `per_device`: every device has its
// own blocks.
std::vector<DeviceArray> outlines(const Plan& plan, const Mesh& mesh, bool per_device,
                                  const std::map<CopyId, DeviceArray>& held = {});

}  // namespace shard

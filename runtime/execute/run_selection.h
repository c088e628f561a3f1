// Reading and writing elements by position, on devices.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/plan/plan.h"
#include "runtime/platform/executor.h"

namespace shard {

// An index outside its dimension, which has this label in the first operand, or in the result of a Scatter.
struct OutsideIndex {
  std::int64_t index = 0;
  int label = -1;
};

struct SelectionReport {
  std::uint64_t saturated = 0;
  std::optional<OutsideIndex> outside;  // that of the first device and element with one
};

// Makes the result of a SelectionStep (runtime/plan/plan.h), an outline, from its operands in the step's order. Layouts
// are as `local_selection` of interpreter/planning/selection_layout.h requires. Throws std::bad_alloc and Cancelled.
SelectionReport select_elements(const std::vector<const DeviceArray*>& operands,
                                const SelectionStep& step, const Mesh& mesh,
                                const Executor& executor, DeviceArray& result);

// Bytes that it takes in addition to its operands and its result, an outline, if all shards are made at once.
double bytes_beside(const SelectionStep& step, const DeviceArray& result);

}  // namespace shard

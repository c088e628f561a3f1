// Inputs of a script on the devices. emulator.h declares `input_value` and `input_element`.
#pragma once

#include <string_view>

#include "runtime/array/device_array.h"
#include "runtime/execute/emulator.h"
#include "runtime/platform/executor.h"

namespace shard {

// Fills `result`, an outline, with input_element(values, step, global index) rounded to its dtype: the same array in
// every layout. For each element, one of the partial sums holds the value, not always the same one, and the others hold
// 0, so that they add up exactly in any order. Throws std::bad_alloc.
void fill_input(InputValues values, const InputStep& step, const Mesh& mesh,
                const Executor& executor, DeviceArray& result);

}  // namespace shard

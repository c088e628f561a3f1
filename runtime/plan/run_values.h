// What a run of a plan takes besides the plan, and what comes of it: values that who runs nothing may see as well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/unset_vector.h"

namespace shard {

enum class InputValues {
  Integers,  // small integers, so that sums are exact in every dtype
  Normal,    // standard normal (rounded to the dtype)
};

// A whole array in fp64, row-major.
struct GlobalArray {
  std::vector<std::int64_t> shape;
  Numbers values;
};

// A run that failed. `step` is an index into the plan.
struct Fault {
  int step = -1;
  int device = -1;
  std::string message;
};

}  // namespace shard

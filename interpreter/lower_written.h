// Operations that are written out: local products and collectives, done exactly as they stand.
#pragma once

#include <string>

#include "interpreter/step_writer.h"

namespace shard {

// What the results of a statement are called.
struct ResultNames {
  std::string target;     // empty for an unnamed result
  DType dtype;            // of the target
  ArrayId copies_of;      // the array whose copies the statement makes; invalid for a new array
  int intermediates = 0;  // unnamed results so far

  std::string next_intermediate() { return target + "'" + std::to_string(++intermediates); }
};

// Does what is written, no more. `outermost`: the operation makes the target itself. REQUIRES: operation.layout.
CopyId lower_written(const checked::Operation& operation, bool outermost, ResultNames& names,
                     StepWriter& writer);

}  // namespace shard

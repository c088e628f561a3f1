// Operations that are written out: local products and collectives, done exactly as they stand.
#pragma once

#include <string>

#include "interpreter/lower/step_writer.h"

namespace shard {

// What the results of a statement are called.
struct ResultNames {
  std::string target;     // empty if the script writes a layout without a name
  DType dtype;            // of the target
  ArrayId copies_of;      // the array whose copies the statement makes; invalid for a new array
  ArrayId replaces = {};  // the array that ends with it, called as the target is
  int intermediates = 0;  // unnamed results so far

  // "Out'1"
  std::string next_intermediate() {
    return (target.empty() ? "Out" : target) + "'" + std::to_string(++intermediates);
  }
};

// What a result is made as: its name, or that of an unnamed one, and its element type.
struct Naming {
  std::string name;
  DType dtype;
};
Naming naming_of(const checked::Operation& operation, bool outermost, ResultNames& names);

// Writes the local steps of a computation, its operands being there in layouts that fit. A softmax over a dimension
// that `layout` splits reduces over its axes. REQUIRES: a product, a computation on elements, a reduction or a softmax.
CopyId write_local(const checked::Operation& operation, const std::vector<CopyId>& operands,
                   const Layout& layout, bool outermost, ResultNames& names, StepWriter& writer);

// Does what is written, no more. `outermost`: the operation makes the target itself. REQUIRES: operation.layout.
CopyId lower_written(const checked::Operation& operation, bool outermost, ResultNames& names,
                     StepWriter& writer);

}  // namespace shard

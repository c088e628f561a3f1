// The element types of what a statement makes on its way to its result.
#pragma once

#include "interpreter/ir/checked.h"
#include "runtime/element/dtype.h"

namespace shard {

// The type in which a value of type `own` is kept on its way to a result of type `result`: the wider of both. Of integers
// that become fractions at least fp32; of fractions that become integers one of 16 bits for those of 8, else fp32; of two
// types of one width with fractions the next wider one that holds both (docs: language, "Elements").
DType intermediate_type(DType own, DType result);

// Gives the operations inside of `value` the type that they are kept in on the way to `result`. `value` itself is rounded to
// `result` when it is stored. Left as they are: arrays that are read, indices, and the operands of products, as the rate of a
// product is that of what it multiplies (cost model, section 2).
void widen_intermediates(checked::Operation& value, DType result);

}  // namespace shard

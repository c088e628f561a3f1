// What rounding may make of an array, type by type.
#pragma once

#include "interpreter/ir/checked.h"
#include "interpreter/reference/array.h"

namespace shard::oracle {

// Beyond it, or what rounding makes of it, a number may be an infinity.
double largest_of(DType dtype);
// Half of the smallest number of a small type: what rounding may change where it is not relative any more; else 0.
double least_error(DType dtype);
// What is not relative in one rounding of such a number: below the smallest normal number of fp32 and bf16 it may be taken for
// 0, and small types have a least error.
double underflow_error(DType dtype, double value, double bound);
double clamped(DType dtype, double value);
// One rounding to the dtype: integers saturate, the others err by the unit roundoff. What overflows may be anything.
void round_once(Array& array, DType dtype, const Mode& mode);
// What is no number, or has no bound, may be anything: 0 with an infinite bound.
void settle(Array& array, const Mode& mode);
// How far a sum of so many terms, whose sizes add up to `size`, may lie from the exact one. Sums of integers are exact
// as long as the type that they are taken in holds them.
double sum_error(double terms, double size, double u, bool integers);

}  // namespace shard::oracle

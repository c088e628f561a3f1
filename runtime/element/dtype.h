// Element types: sizes, accumulation types, and the type in which each operation is computed.
//
// In this folder:
//   dtype.h                  element types: sizes, and in which type they are summed
//   element_ops.def          the instructions: what they pop, and what type they give
//   number.h, small_float.h  elements in buffers: rounding, saturation; fp16 and fp8
//   element_program.h        what one step does to each element, as a program for a stack machine
//   combination.h            how the parts of an unreduced array combine into the whole
#pragma once

#include <optional>

#include "base/dtype.h"
#include "base/rational.h"

namespace shard {

// Bytes per element; 1/2 for int4.
Rational bytes_of(DType dtype);
// The type of an operation on both: of an integer and a floating-point type the latter, of two integers the wider one, of two
// floating-point types the narrowest that holds all numbers of both. nullopt where several are as narrow: of the two kinds of
// fp8, which a cast has to bring together.
std::optional<DType> common_type(DType a, DType b);
// The type of its quotients, means, exp and the like: fp32 for integers, else the type itself.
DType fractional_type(DType dtype);
// The type in which such elements and their products are summed: fp32 for bf16, fp16, fp8 and fp32; fp64 for fp64 and
// for integers, whose sums are exact in it up to 2^53 and saturate only when stored (cost model, "Sums and roundings").
DType accumulation_type(DType dtype);
bool is_integer(DType dtype);
// Half the distance from 1 to the next number: 2^-8 for bf16, 2^-24 for fp32; 0 for integers.
double unit_roundoff(DType dtype);

}  // namespace shard

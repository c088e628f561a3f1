// Element types: sizes, accumulation types, spellings.
#pragma once

#include <optional>
#include <string_view>

#include "base/rational.h"

namespace shard {

enum class DType { Fp64, Fp32, Bf16, Fp16, Fp8E4M3, Fp8E5M2, Int32, UInt32, Int8, Int4 };

// Bytes of an element; 1/2 for int4.
Rational bytes_of(DType dtype);
// Canonical spelling: "bf16", "fp32", "int8", "fp8" (E4M3), "fp8e5m2", ...
std::string_view name_of(DType dtype);
// Any accepted spelling ("bfloat16", "f32", "float32", "s8", …), letter case ignored.
std::optional<DType> parse_dtype(std::string_view word);
// The type of what is computed of both: the type with fractions, if the other one is of integers; the wider of two
// integers. nullopt for two different types with fractions, which have to be declared alike.
std::optional<DType> common_type(DType a, DType b);
// What quotients, means, exp and the like of it are: fp32 of integers, else the type itself.
DType fractional_type(DType dtype);
// What such elements and their products are summed in: fp32 for bf16, fp16, fp8, fp32; fp64 for fp64 and for integers,
// whose sums are exact in it up to 2^53 and saturate only where they are stored (cost model, "Sums and roundings").
DType accumulation_type(DType dtype);
bool is_integer(DType dtype);
// Half the distance between 1 and the next number: 2^-8 for bf16, 2^-24 for fp32; 0 for integers.
double unit_roundoff(DType dtype);

}  // namespace shard

// Products of a few rows: all that matters is how fast the other operand streams in.
#pragma once

#include <cstddef>

#include "runtime/kernel/matmul.h"

namespace shard {

// The rows up to which this is faster than a library, which first prepares blocks of the other operand.
inline constexpr std::int64_t kThinRows = 4;

// Whether `thin_matmul` takes the shape: at most kThinRows rows; fp32 → fp32, or bf16 → bf16 or fp32; columns or the
// sum of `right` contiguous; columns of the result contiguous.
bool is_thin(const MatmulShape& shape);

// The product of matmul.h, summed in fp32 in an order that depends on the shape alone. Last bits differ between
// instruction sets.
void thin_matmul(const MatmulShape& shape, Vectors vectors, const std::byte* left,
                 const std::byte* right, std::byte* result);

}  // namespace shard

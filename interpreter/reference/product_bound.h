// How far rounding may move a contraction of whole arrays away from its exact result.
#pragma once

#include <vector>

#include "interpreter/ir/checked.h"
#include "interpreter/reference/array.h"

namespace shard::oracle {

// An operand of a product.
struct Factor {
  const Array& array;
  const std::vector<int>& labels;
  DType dtype;
};

// For each sum of products with the labels `labels`: n·u·Σ|a||b| for n terms, plus what the operands' own bounds add.
// Infinite if some order of the sum overflows.
Numbers product_bound(const Factor& left, const Factor& right, const std::vector<int>& labels,
                      const Watch& watch);

// Marks with 1 the sums that have a term of which nothing is known, the others with 0; empty if there is none. A
// library's product does not tell: some take 0 · NaN for 0.
Numbers unknown_sums(const Factor& left, const Factor& right, const std::vector<int>& labels,
                     const Watch& watch);

}  // namespace shard::oracle

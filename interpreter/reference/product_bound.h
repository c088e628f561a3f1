// How far rounding may take a contraction of whole arrays from what is exact.
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

// Of each sum of products that has the labels `labels`: n·u·Σ|a||b| of n terms, and what the operands' own bounds make of
// it. Infinite where some order of the sum overflows.
Numbers product_bound(const Factor& left, const Factor& right, const std::vector<int>& labels,
                      const Watch& watch);

// Which of these sums have a term of which nothing is known, as 1 and 0; empty if none has. A library's product does not say:
// some take 0 times what is no number for 0.
Numbers unknown_sums(const Factor& left, const Factor& right, const std::vector<int>& labels,
                     const Watch& watch);

}  // namespace shard::oracle

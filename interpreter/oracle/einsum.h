// Whole-array contraction in fp64 through a serial BLAS, whose calls several threads share.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/oracle/watch.h"

namespace shard::oracle {

struct Tensor {
  std::vector<int> labels;  // distinct
  std::vector<std::int64_t> shape;
  std::vector<double> values;  // row-major
};

// result[labels…] = Σ left · right over every label of the operands that `labels` lacks. A label in both operands and
// in `labels` is batch. REQUIRES: every label of `labels` is in an operand; a label that `labels` lacks is in both.
Tensor einsum(Tensor left, Tensor right, const std::vector<int>& labels,
              const Watch& watch = Watch());

// The dimensions in another order. REQUIRES: a permutation of tensor.labels.
Tensor transpose(Tensor tensor, const std::vector<int>& labels, const Watch& watch = Watch());

}  // namespace shard::oracle

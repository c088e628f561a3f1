// Whole-array contraction in fp64 through a serial BLAS, whose calls several threads share.
#pragma once

#include <cstdint>
#include <vector>

#include "base/unset_vector.h"
#include "interpreter/reference/loop_options.h"

namespace shard::oracle {

struct Tensor {
  std::vector<int> labels;  // distinct
  std::vector<std::int64_t> shape;
  Numbers values;  // row-major
};

// The same of numbers that somebody else holds.
struct TensorView {
  TensorView(const std::vector<int>& its_labels, const std::vector<std::int64_t>& its_shape,
             const Numbers& its_values)
      : labels(its_labels), shape(its_shape), values(its_values) {}
  TensorView(const Tensor& tensor)  // NOLINT(google-explicit-constructor): a view of it
      : TensorView(tensor.labels, tensor.shape, tensor.values) {}

  const std::vector<int>& labels;
  const std::vector<std::int64_t>& shape;
  const Numbers& values;
};

// result[labels…] = Σ left · right over every label of the operands that `labels` lacks. A label in both operands and
// in `labels` is batch. REQUIRES: every label of `labels` is in an operand; a label that `labels` lacks is in both.
Tensor einsum(const TensorView& left, const TensorView& right, const std::vector<int>& labels,
              const Watch& watch = Watch());

// The dimensions in another order. REQUIRES: a permutation of tensor.labels.
Tensor transpose(Tensor tensor, const std::vector<int>& labels, const Watch& watch = Watch());

}  // namespace shard::oracle

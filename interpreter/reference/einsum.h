// Contraction of whole arrays in fp64 with a serial BLAS, whose calls are shared among threads.
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

// A tensor whose numbers belong to someone else.
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
// in `labels` is a batch label. REQUIRES: every label of `labels` is in an operand; a label that `labels` lacks is in
// both.
Tensor einsum(const TensorView& left, const TensorView& right, const std::vector<int>& labels,
              const Watch& watch = Watch());

// The dimensions in another order. REQUIRES: a permutation of tensor.labels.
Tensor transpose(Tensor tensor, const std::vector<int>& labels, const Watch& watch = Watch());

}  // namespace shard::oracle

// Whole arrays of the unsharded computation, and how it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/unset_vector.h"
#include "interpreter/reference/loop_options.h"

namespace shard::oracle {

// A whole array, row-major. Element by element |held − value| ≤ bound, for any computation that rounds the result of
// each operation to its dtype once and takes sums in the accumulation type, in any order.
struct Array {
  std::vector<std::int64_t> shape;
  Numbers value;
  Numbers bound;  // infinite: any value is right; empty: exact, or not asked for
  // For partial sums, which are kept in the accumulation type: the sum of the sizes of each element's parts, as
  // rounding is relative to these. Empty for whole arrays.
  Numbers size;

  double bound_at(std::size_t i) const { return bound.empty() ? 0 : bound[i]; }
  double size_at(std::size_t i) const;
};

// Whether bounds are computed along with the values.
enum class Bounds { Carried, None };

// How a computation runs.
struct Mode {
  Watch watch = Watch();
  Bounds bounds = Bounds::Carried;

  bool bounded() const { return bounds == Bounds::Carried; }
};

// An array as an operand, with the names of its dimensions.
struct Labelled {
  std::shared_ptr<const Array> array;
  std::vector<int> labels;
};

}  // namespace shard::oracle

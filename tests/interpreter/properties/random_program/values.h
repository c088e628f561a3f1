// Arrays computed the naive way, whole and unsharded: what the property test compares executions with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/element/dtype.h"

namespace shard::random_program {

struct Values {
  std::vector<std::int64_t> shape;
  std::vector<double> exact;  // row-major, before it is rounded to the array's dtype
  // False where the language leaves open when it is rounded, and it matters; or where a sum may not be exact.
  bool certain = true;
};

// By the definitions of the formats, and not by the runtime's conversions: nearest, ties to even; int8 is clamped.
double rounded(DType dtype, double value);
Values rounded(DType dtype, Values values);

Values input_values(std::string_view name, const std::vector<std::int64_t>& shape, DType dtype);
// Labels are names of dimensions; those that `result` lacks are summed.
Values einsum(const Values& left, const std::vector<std::string>& left_labels, const Values& right,
              const std::vector<std::string>& right_labels, const std::vector<std::string>& result);
Values transposed(const Values& from, const std::vector<std::string>& from_labels,
                  const std::vector<std::string>& to_labels);
// The dimension lies in `outer` groups of `count` equal blocks; in each group, block i becomes block i + by,
// cyclically.
Values shifted(const Values& from, std::size_t dimension, std::int64_t outer, std::int64_t count,
               std::int64_t by);

}  // namespace shard::random_program

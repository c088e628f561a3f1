// Where elements of a whole array lie, seen from an array with other dimensions.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/reference/array.h"

namespace shard::oracle {

// Strides of an array along `labels`, 0 along those that it lacks.
std::vector<std::int64_t> strides_along(const std::vector<int>& own_labels,
                                        const std::vector<std::int64_t>& own_shape,
                                        const std::vector<int>& labels);
std::vector<std::int64_t> strides_along(const Labelled& operand, const std::vector<int>& labels);
// The offset, under these strides, of an element of a row-major shape.
std::int64_t offset_of(std::int64_t element, const std::vector<std::int64_t>& shape,
                       const std::vector<std::int64_t>& strides);

}  // namespace shard::oracle

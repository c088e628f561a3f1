#include "interpreter/reference/strides.h"

#include <algorithm>

namespace shard::oracle {

std::vector<std::int64_t> strides_along(const std::vector<int>& own_labels,
                                        const std::vector<std::int64_t>& own_shape,
                                        const std::vector<int>& labels) {
  std::vector<std::int64_t> strides(labels.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t d = own_labels.size(); d-- > 0;) {
    const auto at = std::find(labels.begin(), labels.end(), own_labels[d]);
    if (at != labels.end()) strides[static_cast<std::size_t>(at - labels.begin())] = stride;
    stride *= own_shape[d];
  }
  return strides;
}

std::vector<std::int64_t> strides_along(const Labelled& operand, const std::vector<int>& labels) {
  return strides_along(operand.labels, operand.array->shape, labels);
}

std::int64_t offset_of(std::int64_t element, const std::vector<std::int64_t>& shape,
                       const std::vector<std::int64_t>& strides) {
  std::int64_t offset = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    offset += element % shape[d] * strides[d];
    element /= shape[d];
  }
  return offset;
}

}  // namespace shard::oracle

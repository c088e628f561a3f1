#include "interpreter/reference/unsharded.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "interpreter/reference/parallel.h"
#include "interpreter/reference/rounding_error.h"

namespace shard::oracle {

Unsharded::Unsharded(const Scope& scope, const Mesh& mesh, InputElement input, Mode mode)
    : scope_(scope),
      input_(std::move(input)),
      mode_(mode),
      oracle_(
          scope, mesh, [this](ArrayId id) { return array(id); }, std::move(mode)) {}

Array Unsharded::input(const ArrayInfo& info) const {
  Array result;
  std::uint64_t elements = 1;
  std::string anonymous = "[";
  for (const DimensionId dimension : info.dimensions) {
    result.shape.push_back(length_of(dimension, scope_));
    elements *= static_cast<std::uint64_t>(result.shape.back());
    anonymous += (anonymous.size() > 1 ? ", " : "") + scope_.store.dimensions[dimension].name;
  }
  result.value.resize(elements);
  InputStep input = info.values ? *info.values : InputStep{};
  if (!info.values) input.seed = info.anonymous ? anonymous + "]" : info.name;
  in_ranges(mode_.watch, elements, kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) result.value[i] = input_(input, i, info.dtype);
  });
  if (mode_.bounded()) {
    result.bound.assign(elements, 0.0);
    settle(result, mode_);
  }
  return result;
}

std::shared_ptr<const Array> Unsharded::array(ArrayId id) {
  const auto found = arrays_.find(id);
  if (found != arrays_.end()) return found->second;
  SHARD_CHECK(!scope_.store.arrays[id].computed);
  return arrays_[id] = std::make_shared<const Array>(input(scope_.store.arrays[id]));
}

void Unsharded::run(const checked::Flow& flow) {
  if (flow.is_copy) return;
  const auto* use = std::get_if<checked::Use>(&flow.value.node);
  const auto& labels = flow.value.labels;
  const bool turned =
      labels != flow.labels &&
      std::is_permutation(labels.begin(), labels.end(), flow.labels.begin(), flow.labels.end());
  const bool same =
      use != nullptr && !turned && flow.value.dtype == scope_.store.arrays[flow.target].dtype;
  put(flow.target,
      same ? array(use->array) : std::make_shared<const Array>(oracle_.result(flow, false)));
}

}  // namespace shard::oracle

// Elements added up at the places that indices say.
#include "runtime/execute/selection_block.h"

namespace shard {

SelectionOutcome scatter_block(const SelectionStep& step, const std::vector<SelectionBlock>& blocks,
                               const DeviceArray& result, const Extents& origin,
                               std::byte* target) {
  SelectionOutcome outcome;
  const SelectionBlock& from = blocks.front();
  const std::vector<int>& labels = step.operand_labels.front();
  const Extents own = row_major_strides(result.local_shape);
  Extents kept(labels.size(), 0);
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (const auto at = position_of(step.result_labels, labels[d])) kept[d] = own[*at];
  }
  std::vector<Extents> strides = {kept};
  std::vector<SelectionIndex> indices;
  std::vector<std::size_t> along;  // of the result
  for (std::size_t i = 0; i < step.along.size(); ++i) {
    along.push_back(*position_of(step.result_labels, step.along[i]));
    indices.emplace_back(step, &blocks[i + 1], step.along[i], result.shape[along.back()]);
    strides.push_back(strides_along(labels, blocks[i + 1], step.operand_labels[i + 1]));
  }
  std::vector<double> sums(static_cast<std::size_t>(element_count(result.local_shape)), 0.0);
  visit_elements(from.extents, strides,
                 [&](std::int64_t element, const std::vector<std::int64_t>& at) {
                   bool held = true;
                   std::int64_t offset = at[0];
                   for (std::size_t i = 0; i < indices.size(); ++i) {
                     const auto meant = indices[i].at(at[i + 1], outcome);
                     const std::int64_t local = meant.value_or(-1) - origin[along[i]];
                     held = held && meant && local >= 0 && local < result.local_shape[along[i]];
                     offset += local * own[along[i]];
                   }
                   if (held)
                     sums[static_cast<std::size_t>(offset)] +=
                         read_element(from.data, from.type, static_cast<std::size_t>(element));
                 });
  for (std::size_t i = 0; i < sums.size(); ++i)
    outcome.clamped += write_element(target, result.storage, i, sums[i]);
  return outcome;
}

}  // namespace shard

#include "runtime/execute/run_selection.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/contains.h"
#include "runtime/array/block_copy.h"
#include "runtime/element/number.h"
#include "runtime/execute/selection_block.h"

namespace shard {
namespace {

// One of the largest elements of a row.
struct Candidate {
  double value = 0;
  std::int64_t index = 0;
};

// The dimension of the result that the only operand lacks: of a top, where its length is the number wanted, and of a range.
std::optional<std::size_t> own_dimension(const SelectionStep& step) {
  for (std::size_t d = 0; d < step.result_labels.size(); ++d) {
    if (!contains(step.operand_labels.front(), step.result_labels[d])) return d;
  }
  return std::nullopt;
}

class BlockSelection {
 public:
  BlockSelection(const SelectionStep& step, std::vector<SelectionBlock> operands,
                 const DeviceArray& whole, DType type, Extents extents, std::byte* target)
      : step_(step),
        operands_(std::move(operands)),
        whole_(whole),
        type_(type),
        extents_(std::move(extents)),
        target_(target) {}

  SelectionOutcome run() {
    switch (step_.kind) {
      case SelectionKind::Gather:
        gather();
        break;
      case SelectionKind::Update:
        copy_whole();
        update();
        break;
      case SelectionKind::Reshape:
        copy_whole();
        break;
      case SelectionKind::Top:
        find_largest();
        break;
      case SelectionKind::CumSum:
        add_up();
        break;
      case SelectionKind::Concat:
        join();
        break;
      case SelectionKind::Scatter:
        SHARD_CHECK(!"a scatter is run by scatter_block");
    }
    return outcome_;
  }

 private:
  // The dimension of the first operand that is looked along; of several the one at `place`.
  std::size_t along(std::size_t place = 0) const {
    return *position_of(step_.operand_labels.front(), step_.along[place]);
  }
  SelectionIndex index_at(std::size_t place, const SelectionBlock* block) const {
    return {step_, block, step_.along[place], whole_.shape[along(place)]};
  }

  void store(std::int64_t element, const SelectionBlock& from, std::int64_t offset) {
    with_element_type(from.type, [&](auto source) {
      with_element_type(type_, [&](auto wanted) {
        reinterpret_cast<decltype(wanted)*>(target_)[element] = convert<decltype(wanted)>(
            reinterpret_cast<const decltype(source)*>(from.data)[offset], outcome_.clamped);
      });
    });
  }

  void store_number(std::int64_t element, double value) {
    outcome_.clamped += write_element(target_, type_, static_cast<std::size_t>(element), value);
  }

  // The operand and the result hold the same elements in the same order.
  void copy_whole() {
    const Extents flat = {element_count(extents_)};
    outcome_.clamped +=
        copy_block(flat, {operands_[0].data, operands_[0].type, {1}}, {target_, type_, {1}});
  }

  // The strides of the first operand along labels, without the indexed dimensions.
  Extents other_strides(const std::vector<int>& labels) const {
    std::vector<int> own = step_.operand_labels.front();
    for (std::size_t i = 0; i < step_.along.size(); ++i) own[along(i)] = -1;
    return strides_along(labels, operands_[0], own);
  }
  // Those of the place in a range, of which the result has a dimension: 0 where a single index is meant.
  Extents range_strides() const {
    Extents strides(extents_.size(), 0);
    if (const auto own = own_dimension(step_)) strides[*own] = 1;
    return strides;
  }

  void gather() {
    const SelectionBlock& from = operands_[0];
    std::vector<Extents> strides = {other_strides(step_.result_labels)};
    std::vector<SelectionIndex> indices;
    for (std::size_t i = 0; i < step_.along.size(); ++i) {
      const SelectionBlock* block = operands_.size() > 1 ? &operands_[i + 1] : nullptr;
      indices.push_back(index_at(i, block));
      strides.push_back(block == nullptr ? range_strides()
                                         : strides_along(step_.result_labels, *block,
                                                         step_.operand_labels[i + 1]));
    }
    const Extents own_strides = row_major_strides(from.extents);
    visit_elements(extents_, strides,
                   [&](std::int64_t element, const std::vector<std::int64_t>& at) {
                     if (const auto offset = offset_in(from, indices, own_strides, at))
                       store(element, from, *offset);
                     else
                       store_number(element, 0);
                   });
  }

  // Where each element of what is put in goes, in its order.
  void update() {
    const SelectionBlock& value = operands_[1];
    const std::vector<int>& labels = step_.operand_labels[1];
    const SelectionBlock& whole = operands_[0];
    std::vector<Extents> strides = {other_strides(labels)};
    std::vector<SelectionIndex> indices;
    for (std::size_t i = 0; i < step_.along.size(); ++i) {
      const SelectionBlock* block = operands_.size() > 2 ? &operands_[i + 2] : nullptr;
      indices.push_back(index_at(i, block));
      strides.push_back(block == nullptr
                            ? place_in_part(labels)
                            : strides_along(labels, *block, step_.operand_labels[i + 2]));
    }
    const Extents own_strides = row_major_strides(whole.extents);
    visit_elements(value.extents, strides,
                   [&](std::int64_t element, const std::vector<std::int64_t>& at) {
                     if (const auto offset = offset_in(whole, indices, own_strides, at))
                       store(*offset, value, element);
                   });
  }

  // 1 along the dimension of a part, which the array lacks.
  Extents place_in_part(const std::vector<int>& labels) const {
    Extents strides(labels.size(), 0);
    for (std::size_t d = 0; d < labels.size(); ++d) {
      if (!contains(step_.operand_labels.front(), labels[d])) strides[d] = 1;
    }
    return strides;
  }

  // The element of the first operand's block that the indices mean; nullopt if the block does not hold it. `at` begins with the
  // offset along all other dimensions, and has what belongs to each index.
  std::optional<std::int64_t> offset_in(const SelectionBlock& block,
                                        const std::vector<SelectionIndex>& indices,
                                        const Extents& strides,
                                        const std::vector<std::int64_t>& at) {
    bool held = true;
    std::int64_t offset = at[0];
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::size_t d = along(i);
      const auto meant = indices[i].at(at[i + 1], outcome_);
      const std::int64_t local = meant.value_or(-1) - block.origin[d];
      held = held && meant && local >= 0 && local < block.extents[d];
      offset += local * strides[d];
    }
    return held ? std::optional(offset) : std::nullopt;
  }

  // The largest elements of each of the operand's rows along the dimension.
  void find_largest() {
    const SelectionBlock& from = operands_[0];
    const std::int64_t length = from.extents[along()];
    const std::int64_t stride = row_major_strides(from.extents)[along()];
    const auto count_at = own_dimension(step_);
    const std::int64_t count = count_at ? extents_[*count_at] : 1;
    const std::int64_t step = count_at ? row_major_strides(extents_)[*count_at] : 0;
    Extents rows = extents_;
    if (count_at) rows[*count_at] = count == 0 ? 0 : 1;
    std::vector<Candidate> best(static_cast<std::size_t>(count));
    visit_elements(rows, {other_strides(step_.result_labels), row_major_strides(extents_)},
                   [&](std::int64_t, const std::vector<std::int64_t>& at) {
                     find_best(from, at[0], stride, length, best);
                     for (std::int64_t i = 0; i < count; ++i)
                       store_number(at[1] + i * step,
                                    static_cast<double>(best[static_cast<std::size_t>(i)].index));
                   });
  }

  // Sums are taken in fp64, which is no narrower than any type that sums are taken in.
  void add_up() {
    const SelectionBlock& from = operands_[0];
    const std::int64_t length = from.extents[along()];
    const std::int64_t stride = row_major_strides(from.extents)[along()];
    const std::size_t to = *position_of(step_.result_labels, step_.along.front());
    const std::int64_t step = row_major_strides(extents_)[to];
    Extents rows = extents_;
    rows[to] = length == 0 ? 0 : 1;
    visit_elements(rows, {other_strides(step_.result_labels), row_major_strides(extents_)},
                   [&](std::int64_t, const std::vector<std::int64_t>& at) {
                     double sum = 0;
                     for (std::int64_t i = 0; i < length; ++i) {
                       sum += read_element(from.data, from.type,
                                           static_cast<std::size_t>(at[0] + i * stride));
                       store_number(at[1] + i * step, sum);
                     }
                   });
  }

  // The operands one after the other. What is left of the result is 0.
  void join() {
    const std::size_t to = *position_of(step_.result_labels, step_.along.front());
    const Extents strides = row_major_strides(extents_);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const std::vector<int>& labels = step_.operand_labels[i];
      Extents targets(labels.size(), 0);
      std::int64_t length = 1;
      for (std::size_t d = 0; d < labels.size(); ++d) {
        const auto shared = position_of(step_.result_labels, labels[d]);
        targets[d] = strides[shared.value_or(to)];
        if (!shared) length = operands_[i].extents[d];
      }
      visit_elements(operands_[i].extents, {targets},
                     [&](std::int64_t element, const std::vector<std::int64_t>& at) {
                       store(begin * strides[to] + at[0], operands_[i], element);
                     });
      begin += length;
    }
    Extents rest = extents_;
    rest[to] -= begin;
    visit_elements(rest, {strides}, [&](std::int64_t, const std::vector<std::int64_t>& at) {
      store_number(begin * strides[to] + at[0], 0);
    });
  }

  // The largest elements of a row, in order, as many as there is room for: a heap with the least of them on top, so
  // that nothing is kept of the others.
  static void find_best(const SelectionBlock& from, std::int64_t start, std::int64_t stride,
                        std::int64_t length, std::vector<Candidate>& best) {
    const auto count = static_cast<std::int64_t>(best.size());
    for (std::int64_t i = 0; i < length; ++i) {
      const Candidate next{
          read_element(from.data, from.type, static_cast<std::size_t>(start + i * stride)), i};
      if (i >= count) {
        if (!before(next, best.front())) continue;
        std::pop_heap(best.begin(), best.end(), before);
      }
      const auto end = best.begin() + std::min(i, count - 1);
      *end = next;
      std::push_heap(best.begin(), end + 1, before);
    }
    std::sort_heap(best.begin(), best.end(), before);
  }

  static bool before(const Candidate& a, const Candidate& b) {
    if (std::isnan(a.value) != std::isnan(b.value)) return std::isnan(a.value);
    if (a.value == b.value || std::isnan(a.value)) return a.index < b.index;
    return a.value > b.value;
  }

  const SelectionStep& step_;
  std::vector<SelectionBlock> operands_;
  const DeviceArray& whole_;  // the first operand
  DType type_;
  Extents extents_;
  std::byte* target_;
  SelectionOutcome outcome_;
};

}  // namespace

double bytes_beside(const SelectionStep& step, const DeviceArray& result) {
  const auto shards = static_cast<double>(result.shards.size());
  if (step.kind == SelectionKind::Scatter)
    return sizeof(double) * static_cast<double>(element_count(result.local_shape)) * shards;
  if (step.kind != SelectionKind::Top) return 0;
  const auto count_at = own_dimension(step);
  const std::int64_t count = count_at ? result.local_shape[*count_at] : 1;
  return static_cast<double>(sizeof(Candidate)) * static_cast<double>(count) * shards;
}

SelectionReport select_elements(const std::vector<const DeviceArray*>& operands,
                                const SelectionStep& step, const Mesh& mesh,
                                const Executor& executor, DeviceArray& result) {
  // A single index is looked up where it is held: there the operand's block is one of those along the axes.
  for (const DeviceArray* operand : operands) SHARD_CHECK(finds_shards_of(*operand, result));
  allocate_missing(result);
  std::vector<SelectionOutcome> outcomes(result.shards.size());
  executor.parallel_for_each_shard(result.shards.size(), [&](std::size_t s) {
    const auto holder = holder_of(result, s, mesh);
    std::vector<SelectionBlock> blocks;
    for (const DeviceArray* operand : operands) {
      blocks.push_back({operand->shards[shard_of(*operand, holder, mesh)]->data(), operand->storage,
                        operand->local_shape, block_origin(*operand, holder, mesh)});
    }
    outcomes[s] = step.kind == SelectionKind::Scatter
                      ? scatter_block(step, blocks, result, block_origin(result, holder, mesh),
                                      result.shards[s]->data())
                      : BlockSelection(step, std::move(blocks), *operands.front(), result.storage,
                                       result.local_shape, result.shards[s]->data())
                            .run();
  });
  SelectionReport report;
  for (const SelectionOutcome& outcome : outcomes) {
    report.saturated += outcome.clamped;
    if (!report.outside) report.outside = outcome.outside;
  }
  return report;
}

}  // namespace shard

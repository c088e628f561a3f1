#include "runtime/execute/run_selection.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/contains.h"
#include "runtime/array/block_copy.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

// Elements whose offsets are computed at a time: the offsets stay in a cache.
constexpr std::int64_t kSelectionChunk = 4096;

// One device's block of an array.
struct Block {
  const std::byte* data = nullptr;
  DType type = DType::Bf16;
  Extents extents;
  Extents origin;  // the global index at which it begins
};

// What happened in one block.
struct Outcome {
  std::uint64_t clamped = 0;
  std::optional<std::int64_t> outside;
};

// One of the largest elements of a row.
struct Candidate {
  double value = 0;
  std::int64_t index = 0;
};

// The dimension of a top's result that the operand lacks; its length is the number wanted.
std::size_t count_dimension(const SelectionStep& step) {
  for (std::size_t d = 0; d < step.result_labels.size(); ++d) {
    if (!contains(step.operand_labels.front(), step.result_labels[d])) return d;
  }
  check_failed("a top has a dimension of its own", __FILE__, __LINE__);
}

// The strides of a block along labels; 0 along those it lacks.
Extents strides_along(const std::vector<int>& labels, const Block& block,
                      const std::vector<int>& own_labels) {
  const Extents own = row_major_strides(block.extents);
  Extents strides(labels.size(), 0);
  for (std::size_t d = 0; d < own_labels.size(); ++d) {
    if (const auto at = position_of(labels, own_labels[d])) strides[*at] = own[d];
  }
  return strides;
}

// Calls `visit(element, offsets…)` for all elements of a dense block, with their offsets under several sets of strides.
template <class Visit>
void visit_elements(const Extents& extents, const std::vector<Extents>& strides, Visit&& visit) {
  const std::int64_t count = element_count(extents);
  std::vector<std::vector<std::int64_t>> offsets(strides.size(),
                                                 std::vector<std::int64_t>(kSelectionChunk));
  std::vector<std::int64_t> now(strides.size());
  for (std::int64_t at = 0; at < count; at += kSelectionChunk) {
    const std::int64_t chunk = std::min(kSelectionChunk, count - at);
    for (std::size_t s = 0; s < strides.size(); ++s)
      fill_offsets(extents, strides[s], at, chunk, offsets[s]);
    for (std::int64_t i = 0; i < chunk; ++i) {
      for (std::size_t s = 0; s < strides.size(); ++s)
        now[s] = offsets[s][static_cast<std::size_t>(i)];
      visit(at + i, now);
    }
  }
}

// The index given for an element, or the step's own.
class Index {
 public:
  Index(const SelectionStep& step, const Block* block, std::int64_t length)
      : block_(block), length_(length) {
    if (block == nullptr) fixed_ = *step.position->constant()->to_int64();
  }
  // The global index meant, counted from 0; nullopt if it is outside the dimension, which `outcome` records.
  std::optional<std::int64_t> at(std::int64_t offset, Outcome& outcome) const {
    std::int64_t index = fixed_;
    if (block_ != nullptr) {
      index = static_cast<std::int64_t>(
          read_element(block_->data, block_->type, static_cast<std::size_t>(offset)));
    }
    const std::int64_t from_begin = index < 0 ? index + length_ : index;
    if (from_begin >= 0 && from_begin < length_) return from_begin;
    if (!outcome.outside) outcome.outside = index;
    return std::nullopt;
  }

 private:
  const Block* block_;
  std::int64_t length_;
  std::int64_t fixed_ = 0;
};

class BlockSelection {
 public:
  BlockSelection(const SelectionStep& step, std::vector<Block> operands, const DeviceArray& whole,
                 DType type, Extents extents, std::byte* target)
      : step_(step),
        operands_(std::move(operands)),
        whole_(whole),
        type_(type),
        extents_(std::move(extents)),
        target_(target) {}

  Outcome run() {
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
    }
    return outcome_;
  }

 private:
  std::size_t along() const { return *position_of(step_.operand_labels.front(), step_.along); }
  std::int64_t whole_length() const { return whole_.shape[along()]; }

  void store(std::int64_t element, const Block& from, std::int64_t offset) {
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

  // The strides of the first operand along labels, without the indexed dimension.
  Extents other_strides(const std::vector<int>& labels) const {
    std::vector<int> own = step_.operand_labels.front();
    own[along()] = -1;
    return strides_along(labels, operands_[0], own);
  }

  void gather() {
    const Block& from = operands_[0];
    const Block* index_block = operands_.size() > 1 ? &operands_[1] : nullptr;
    const Index index(step_, index_block, whole_length());
    const std::int64_t stride = row_major_strides(from.extents)[along()];
    std::vector<Extents> strides = {other_strides(step_.result_labels)};
    strides.push_back(index_block == nullptr ? Extents(extents_.size(), 0)
                                             : strides_along(step_.result_labels, *index_block,
                                                             step_.operand_labels[1]));
    visit_elements(extents_, strides,
                   [&](std::int64_t element, const std::vector<std::int64_t>& at) {
                     const auto meant = index.at(at[1], outcome_);
                     const std::int64_t local = meant.value_or(-1) - from.origin[along()];
                     if (meant && local >= 0 && local < from.extents[along()])
                       store(element, from, at[0] + local * stride);
                     else
                       store_number(element, 0);
                   });
  }

  void update() {
    const Block& value = operands_[1];
    const std::vector<int>& labels = step_.operand_labels[1];
    const Block* index_block = operands_.size() > 2 ? &operands_[2] : nullptr;
    const Index index(step_, index_block, whole_length());
    const Block& whole = operands_[0];
    const std::int64_t stride = row_major_strides(whole.extents)[along()];
    std::vector<Extents> strides = {other_strides(labels)};
    strides.push_back(index_block == nullptr
                          ? Extents(labels.size(), 0)
                          : strides_along(labels, *index_block, step_.operand_labels[2]));
    visit_elements(value.extents, strides,
                   [&](std::int64_t element, const std::vector<std::int64_t>& at) {
                     const auto meant = index.at(at[1], outcome_);
                     const std::int64_t local = meant.value_or(-1) - whole.origin[along()];
                     if (meant && local >= 0 && local < whole.extents[along()])
                       store(at[0] + local * stride, value, element);
                   });
  }

  // The largest elements of each of the operand's rows along the dimension.
  void find_largest() {
    const Block& from = operands_[0];
    const std::int64_t length = from.extents[along()];
    const std::int64_t stride = row_major_strides(from.extents)[along()];
    const std::size_t count_at = count_dimension(step_);
    const std::int64_t count = extents_[count_at];
    const std::int64_t step = row_major_strides(extents_)[count_at];
    Extents rows = extents_;
    rows[count_at] = count == 0 ? 0 : 1;
    std::vector<Candidate> best(static_cast<std::size_t>(count));
    visit_elements(rows, {other_strides(step_.result_labels), row_major_strides(extents_)},
                   [&](std::int64_t, const std::vector<std::int64_t>& at) {
                     find_best(from, at[0], stride, length, best);
                     for (std::int64_t i = 0; i < count; ++i)
                       store_number(at[1] + i * step,
                                    static_cast<double>(best[static_cast<std::size_t>(i)].index));
                   });
  }

  // The largest elements of a row, in order, as many as there is room for: a heap with the least of them on top, so
  // that nothing is kept of the others.
  static void find_best(const Block& from, std::int64_t start, std::int64_t stride,
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
  std::vector<Block> operands_;
  const DeviceArray& whole_;  // the first operand
  DType type_;
  Extents extents_;
  std::byte* target_;
  Outcome outcome_;
};

}  // namespace

double bytes_beside(const SelectionStep& step, const DeviceArray& result) {
  if (step.kind != SelectionKind::Top) return 0;
  const std::int64_t count = result.local_shape[count_dimension(step)];
  return static_cast<double>(sizeof(Candidate)) * static_cast<double>(count) *
         static_cast<double>(result.shards.size());
}

SelectionReport select_elements(const std::vector<const DeviceArray*>& operands,
                                const SelectionStep& step, const Mesh& mesh,
                                const Executor& executor, DeviceArray& result) {
  // A single index is looked up where it is held: there the operand's block is one of those along the axes.
  for (const DeviceArray* operand : operands) SHARD_CHECK(finds_shards_of(*operand, result));
  allocate_missing(result);
  std::vector<Outcome> outcomes(result.shards.size());
  executor.parallel_for_each_shard(result.shards.size(), [&](std::size_t s) {
    const auto holder = holder_of(result, s, mesh);
    std::vector<Block> blocks;
    for (const DeviceArray* operand : operands) {
      blocks.push_back({operand->shards[shard_of(*operand, holder, mesh)]->data(), operand->storage,
                        operand->local_shape, block_origin(*operand, holder, mesh)});
    }
    outcomes[s] = BlockSelection(step, std::move(blocks), *operands.front(), result.storage,
                                 result.local_shape, result.shards[s]->data())
                      .run();
  });
  SelectionReport report;
  for (const Outcome& outcome : outcomes) {
    report.saturated += outcome.clamped;
    if (!report.outside) report.outside = outcome.outside;
  }
  return report;
}

}  // namespace shard

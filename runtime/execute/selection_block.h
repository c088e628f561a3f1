// One device's part of a selection: its blocks, and the indices that it reads. Private to run_selection.cpp and run_scatter.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/contains.h"
#include "runtime/array/block_copy.h"
#include "runtime/array/device_array.h"
#include "runtime/element/number.h"
#include "runtime/execute/run_selection.h"

namespace shard {

// Elements whose offsets are computed at a time: the offsets stay in a cache.
inline constexpr std::int64_t kSelectionChunk = 4096;

// One device's block of an array.
struct SelectionBlock {
  const std::byte* data = nullptr;
  DType type = DType::Bf16;
  Extents extents;
  Extents origin;  // the global index at which it begins
};

// What happened in one block.
struct SelectionOutcome {
  std::uint64_t clamped = 0;
  std::optional<OutsideIndex> outside;
};

// The strides of a block along labels; 0 along those it lacks.
inline Extents strides_along(const std::vector<int>& labels, const SelectionBlock& block,
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

// The index given for an element, or the step's own and as many behind it as the offset says.
class SelectionIndex {
 public:
  // Into the dimension with that label and length.
  SelectionIndex(const SelectionStep& step, const SelectionBlock* block, int label,
                 std::int64_t length)
      : block_(block), label_(label), length_(length) {
    if (block == nullptr) fixed_ = *step.position->constant()->to_int64();
  }
  // The global index meant, counted from 0; nullopt if it is outside the dimension, which `outcome` records.
  std::optional<std::int64_t> at(std::int64_t offset, SelectionOutcome& outcome) const {
    std::int64_t index = fixed_ + offset;
    if (block_ != nullptr) {
      index = static_cast<std::int64_t>(
          read_element(block_->data, block_->type, static_cast<std::size_t>(offset)));
    }
    const std::int64_t from_begin = index < 0 ? index + length_ : index;
    if (from_begin >= 0 && from_begin < length_) return from_begin;
    if (!outcome.outside) outcome.outside = OutsideIndex{index, label_};
    return std::nullopt;
  }

 private:
  const SelectionBlock* block_;
  int label_;
  std::int64_t length_;
  std::int64_t fixed_ = 0;
};

// What a device adds up of a Scatter, written to `target`, its block of `result`, which begins at `origin`. `blocks`: those of the
// operands. Sums are taken in fp64, which is no narrower than any type that sums are taken in.
SelectionOutcome scatter_block(const SelectionStep& step, const std::vector<SelectionBlock>& blocks,
                               const DeviceArray& result, const Extents& origin, std::byte* target);

}  // namespace shard

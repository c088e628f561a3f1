// Moving, converting and summing blocks of elements that lie in memory with any strides. Every
// collective, packing, transposition and rounding goes through this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/element/combination.h"
#include "runtime/element/dtype.h"

namespace shard {

using Extents = std::vector<std::int64_t>;

// Elements somewhere in memory: element (i, j, …) lies at `data` + i·strides[0] + j·strides[1] + …,
// in elements.
struct SourceBlock {
  const std::byte* data;
  DType type;
  Extents strides;
};
struct TargetBlock {
  std::byte* data;
  DType type;
  Extents strides;
};

// Strides of a dense block, the last dimension running fastest.
Extents row_major_strides(const Extents& extents);
// Product of the extents; 1 for a scalar.
std::int64_t element_count(const Extents& extents);

// The offsets of `count` consecutive elements of a dense block of these extents, from element `begin` on, in memory
// with these strides.
void fill_offsets(const Extents& extents, const Extents& strides, std::int64_t begin,
                  std::int64_t count, std::vector<std::int64_t>& offsets);

// Loops over two blocks at once: so many steps of so many elements in each.
struct BlockLoop {
  std::int64_t extent = 1;
  std::int64_t source = 0;
  std::int64_t target = 0;
};

// `copy_block` of many blocks that agree in everything but where they lie: prepared once.
class BlockCopy {
 public:
  // `streamed`: rows are written past the caches, and the caller ends that (stream_copy.h).
  BlockCopy(const Extents& extents, DType source_type, const Extents& source_strides,
            DType target_type, const Extents& target_strides, bool streamed = false);
  // Returns how many elements were clamped.
  std::uint64_t run(const std::byte* source, std::byte* target) const;

 private:
  bool empty_ = false;
  bool streamed_;
  std::size_t item_ =
      0;  // bytes of what lies together everywhere, if that is the unit to be moved; else 0
  DType source_type_;
  DType target_type_;
  std::vector<BlockLoop> loops_;  // outside of the innermost two
  // `row_` runs along the target's memory, `column_` along the source's if that is another direction. Of items, both run
  // outside of them.
  BlockLoop column_;
  BlockLoop row_;
};

// Copies extents[0] × extents[1] × … elements, converting them if the types differ (number.h,
// `convert`). Returns how many were clamped. Blocks do not overlap.
std::uint64_t copy_block(const Extents& extents, const SourceBlock& source,
                         const TargetBlock& target);

// target = Σ sources, elementwise, added in the order of `sources` in `type` and rounded once to
// the target's type; with `combination` Max or Min the largest or smallest of them instead. All sources have the same
// type and strides. Returns how many were clamped.
// REQUIRES: sources is not empty; `type` is fp64 or fp32.
std::uint64_t sum_blocks(const Extents& extents, const std::vector<const std::byte*>& sources,
                         DType type, const Extents& source_strides, const TargetBlock& target,
                         Combination combination = Combination::Sum);

}  // namespace shard

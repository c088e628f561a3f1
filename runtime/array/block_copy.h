// Moving and converting blocks of elements with arbitrary strides. Every packing, transposition and move between devices
// goes through this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/array/block_loops.h"
#include "runtime/element/dtype.h"

namespace shard {

// Elements in memory: element (i, j, …) is at `data` + i·strides[0] + j·strides[1] + …, in elements.
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

// The strides of a dense block, the last dimension running fastest.
Extents row_major_strides(const Extents& extents);
// The product of the extents; 1 for a scalar.
std::int64_t element_count(const Extents& extents);

// The offsets, in memory with these strides, of `count` consecutive elements of a dense block of these extents,
// starting at element `begin`.
void fill_offsets(const Extents& extents, const Extents& strides, std::int64_t begin,
                  std::int64_t count, std::vector<std::int64_t>& offsets);

// `copy_block`, prepared once for many blocks that differ only in their addresses.
class BlockCopy {
 public:
  // `streamed`: rows are written past the caches; the caller has to call end_streaming (stream_copy.h).
  BlockCopy(const Extents& extents, DType source_type, const Extents& source_strides,
            DType target_type, const Extents& target_strides, bool streamed = false);
  // Returns the number of elements clamped.
  std::uint64_t run(const std::byte* source, std::byte* target) const;

 private:
  bool empty_ = false;
  bool streamed_;
  std::size_t item_ = 0;  // bytes of an item, if items are the unit of the move; else 0
  DType source_type_;
  DType target_type_;
  std::vector<BlockLoop> loops_;  // outside the innermost two
  // `row_` runs along the target's memory, `column_` along the source's, if that is another direction. For items, both
  // count items.
  BlockLoop column_;
  BlockLoop row_;
};

// Copies extents[0] × extents[1] × … elements, converting them if the types differ (number.h, `convert`). Returns how
// many were clamped. The blocks must not overlap.
std::uint64_t copy_block(const Extents& extents, const SourceBlock& source,
                         const TargetBlock& target);

}  // namespace shard

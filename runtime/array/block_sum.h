// Adding blocks of elements with arbitrary strides. Every sum over devices goes through this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/array/block_loops.h"
#include "runtime/element/combination.h"
#include "runtime/element/dtype.h"

namespace shard {

// Sums of blocks that differ only in their addresses.
class BlockSum {
 public:
  // Sources of fp64 or fp32, the `type` in which they are added. `streamed` as for BlockCopy.
  BlockSum(const Extents& extents, DType type, const Extents& source_strides, DType target_type,
           const Extents& target_strides, Combination combination = Combination::Sum,
           bool streamed = false);
  // target = Σ sources, elementwise, added in the order of `sources` and rounded once to the target's type; with Max or
  // Min, their maximum or minimum instead. The target may be a source if it has its type and strides. Returns how many
  // elements were clamped. REQUIRES: sources is not empty.
  std::uint64_t run(const std::vector<const std::byte*>& sources, std::byte* target) const;

 private:
  bool empty_ = false;
  DType type_;
  DType target_type_;
  Combination combination_;
  bool streamed_;
  std::vector<BlockLoop> loops_;  // outside the innermost
  BlockLoop row_;
};

}  // namespace shard

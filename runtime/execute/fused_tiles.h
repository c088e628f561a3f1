// Sums over devices of products with short sums: tile after tile, with products and additions in registers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/collective/reduce.h"
#include "runtime/kernel/short_matmul.h"
#include "runtime/platform/executor.h"

namespace shard {

// Does what `contract` and `reduce_in_order` would do for the operands of a ShortProduct, with the same bits. All
// devices' operands are cut into strips (short_matmul.h), from which each tile of the result is summed over all devices
// at once: no partial sum is ever in memory.
class SumOfProducts {
 public:
  // `first` and `second`: the blocks of the operands that give rows and columns, by shard of `partial`, an outline. All
  // of these must outlive it.
  SumOfProducts(const ShortProduct& product, std::vector<const std::byte*> first,
                std::vector<const std::byte*> second, const SumInOrder& sum,
                const DeviceArray& partial, DeviceArray& result);

  // Whether most of what tiles compute is wanted: not if only a few adjacent elements are summed in the same order.
  bool is_worthwhile() const;
  // Returns how many elements were clamped. Throws std::bad_alloc. REQUIRES: is_worthwhile().
  std::uint64_t run(const Executor& executor);

 private:
  // Elements that are summed in the same order and form a rectangle, in the product's rows and columns or, if tiles are
  // turned, in its columns and rows.
  struct Area {
    const SumInOrder::Alike* alike;
    std::int64_t row, rows;
    std::int64_t column, columns;
    std::int64_t target;                     // offset of the first element in the result's block
    std::int64_t target_row, target_column;  // strides there
  };
  // An operand of the products of all groups in contiguous strips, by strip and place. Groups may share blocks.
  struct Strips {
    const StripOperand& operand;
    std::int64_t width;
    std::vector<std::size_t> sets;                      // by group: its set of blocks
    std::vector<std::vector<const std::byte*>> blocks;  // by set and place
    std::shared_ptr<Buffer> memory;                     // by set; filled by `cut`
    std::int64_t step() const { return operand.floats_of_strip(width); }
    std::int64_t count() const { return operand.strips(width); }
    float* at(std::size_t set, std::int64_t strip, std::int64_t place) const {
      const auto first = (static_cast<std::int64_t>(set) * count() + strip) *
                         static_cast<std::int64_t>(blocks.front().size());
      return reinterpret_cast<float*>(memory->data()) + (first + place) * step();
    }
  };
  class Tiles;

  void find_areas(const DeviceArray& partial);
  void append(const Area& area);
  static Area turned(const Area& area);
  std::int64_t computed_columns(bool turned) const;
  Strips strips_of(bool of_first, std::int64_t width) const;
  void cut(Strips& strips, const Executor& executor) const;

  const ShortProduct& product_;
  std::vector<const std::byte*> first_;
  std::vector<const std::byte*> second_;
  const SumInOrder& sum_;
  const DeviceArray& partial_;
  DeviceArray& result_;
  std::vector<SumInOrder::Alike> alike_;
  std::vector<Area> areas_;
  bool turned_ = false;
};

}  // namespace shard

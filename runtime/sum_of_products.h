// Sums over devices of products with short sums: tile after tile, products and additions in registers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/array.h"
#include "runtime/contract.h"
#include "runtime/executor.h"
#include "runtime/reduce_in_order.h"
#include "runtime/short_matmul.h"

namespace shard {

// What `contract` and `reduce_in_order` make of operands whose products LocalContraction::short_problem describes, with the
// same bits. The operands of all devices are cut into strips (short_matmul.h), and of these each tile of the result is
// summed over all devices at once: no partial sum is ever in memory.
class SumOfProducts {
 public:
  // Of `partial`, an outline, blocks are not made. All have to live as long.
  SumOfProducts(const BlockProducts& products, const SumInOrder& sum, const DeviceArray& partial,
                DeviceArray& result);

  // Whether most of what tiles hold is wanted: not where only few elements behind one another are summed in the same order.
  bool is_worthwhile() const;
  // Returns how many elements were clamped. Throws std::bad_alloc. REQUIRES: is_worthwhile().
  std::uint64_t run(const Executor& executor);

 private:
  // Elements that are summed alike and are a rectangle, of the product's rows and columns or, if those of tiles are turned,
  // of its columns and rows.
  struct Area {
    const SumInOrder::Alike* alike;
    std::int64_t row, rows;
    std::int64_t column, columns;
    std::int64_t target;                     // of the first element in the result's block
    std::int64_t target_row, target_column;  // how far the next one is
  };
  // An operand of the products of all groups, cut into strips that lie behind one another, by group, strip and place.
  struct Strips {
    bool first;                      // the operand that gives the product's rows
    std::int64_t length;             // rows or columns of the product
    std::int64_t apart, term;        // between elements of it
    std::int64_t width;              // of a strip
    std::shared_ptr<Buffer> memory;  // filled by `cut`
    std::int64_t count() const { return (length + width - 1) / width; }
    const float* at(std::int64_t group, std::int64_t strip, std::int64_t floats) const {
      return reinterpret_cast<const float*>(memory->data()) + (group * count() + strip) * floats;
    }
  };
  class Tiles;

  void find_areas(const DeviceArray& partial);
  void append(const Area& area);
  static std::int64_t computed(const Area& area);
  static Area turned(const Area& area);
  std::int64_t computed_columns(bool turned) const;
  Strips strips_of(bool first, std::int64_t width) const;
  void cut(Strips& strips, const Executor& executor) const;

  const BlockProducts& products_;
  const SumInOrder& sum_;
  const DeviceArray& partial_;
  DeviceArray& result_;
  LocalContraction::ShortProblem problem_;
  std::int64_t places_;
  std::vector<SumInOrder::Alike> alike_;
  std::vector<Area> areas_;
  bool turned_ = false;
};

}  // namespace shard

// Products of which one extent is short: preparing operands takes a library as long as multiplying them. Here they are
// prepared once for all devices that hold the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/kernel/matmul.h"

namespace shard {

// Rows, columns or terms up to which it is faster than a library.
inline constexpr std::int64_t kShortExtent = 32;

// A tile of a result: rows that are multiplied with vectors of columns.
inline constexpr std::int64_t kTileRows = 4;
inline constexpr std::int64_t kTileColumns = 32;
inline constexpr std::int64_t kTileSize = kTileRows * kTileColumns;

// An operand, which is cut into strips: of each term so many of its rows or columns behind one another in fp32, zeros where
// there are no more. Or of each pair of terms, two numbers in bf16 in the room of one.
struct StripOperand {
  std::vector<std::int64_t> lines;  // its rows or columns: where they are in its block
  std::vector<std::int64_t> terms;  // and how far its terms are behind the first one
  DType type = DType::Fp32;         // of the block
  bool in_pairs = false;            // REQUIRES: a block of bf16

  std::int64_t strips(std::int64_t width) const {
    return (static_cast<std::int64_t>(lines.size()) + width - 1) / width;
  }
  std::int64_t floats_of_strip(std::int64_t width) const { return steps() * width; }
  std::int64_t steps() const {  // terms, or pairs of them
    const auto count = static_cast<std::int64_t>(terms.size());
    return in_pairs ? (count + 1) / 2 : count;
  }
  void cut(const std::byte* block, std::int64_t strip, std::int64_t width, float* to) const;
};

// How strips are multiplied.
struct StripKernel {
  Vectors vectors = Vectors::Any;
  bool in_pairs = false;  // by bf16 instructions of Vectors::Avx512
};

// Both operands and on which side of a tile they are.
struct ShortProduct {
  StripOperand first;   // gives the result's rows
  StripOperand second;  // and its columns
  bool turned = false;  // rows of the result are columns of tiles, as that fills them better
  StripKernel kernel;

  std::int64_t width(bool of_first) const { return of_first == turned ? kTileColumns : kTileRows; }
};

// Elements of tiles that so many rows and columns take.
std::int64_t elements_of_tiles(std::int64_t rows, std::int64_t columns);

// The product of matmul.h from strips of both operands. Each element is a running sum in fp32, or the sum of several of
// them where there are thousands of terms. Last bits differ between instruction sets. Of the shape only extents and how the
// result lies are looked at; its sum is that of steps. REQUIRES: no batch, columns of the result contiguous.
void short_matmul(const MatmulShape& shape, bool turned, StripKernel kernel, const float* first,
                  const float* second, float* result);

// What the products of several pairs of operands need for one tile: strips of the pair i begin i·step behind the first one's.
struct TileOperands {
  const float* rows;
  const float* columns;
  std::int64_t row_step;
  std::int64_t column_step;
  std::int64_t steps;
};

// Rows of a tile.
struct TileRows {
  std::int64_t first;
  std::int64_t count;
};

// totals += product of pairs[0], += product of pairs[1]…, with the bits of `short_matmul`; without `adds` the first one
// is what they begin with. Rows of totals are those of the tile, behind one another.
void add_products(const TileOperands& operands, StripKernel kernel,
                  std::span<const std::int32_t> pairs, TileRows rows, bool adds, float* totals);

}  // namespace shard

// Products whose sums are short: mostly writing results, or adding them up. What devices make that share a long sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/matmul.h"

namespace shard {

// Terms up to which it is faster than a library.
inline constexpr std::int64_t kShortSum = 32;

// The product of matmul.h, each element a running sum in fp32. Last bits differ between instruction sets.
// REQUIRES: fp32 → fp32, no batch, 1 to kShortSum terms, columns of the result contiguous.
void short_matmul(const MatmulShape& shape, Vectors vectors, const std::byte* left,
                  const std::byte* right, std::byte* result);

// A tile of a result: rows that are multiplied with vectors of columns.
inline constexpr std::int64_t kTileRows = 4;
inline constexpr std::int64_t kTileColumns = 32;
inline constexpr std::int64_t kTileSize = kTileRows * kTileColumns;

// A row or column of tiles, in an operand: of each term `Width` elements behind one another, zeros where there are fewer.
// They lie `apart`, and terms `term`.
template <std::int64_t Width>
void pack_strip(const float* from, std::int64_t apart, std::int64_t term, std::int64_t count,
                std::int64_t sum, float* to);

// What the products of several pairs of operands need for one tile: strips of the pair i begin i·step behind the first one's.
struct TileOperands {
  const float* rows;
  const float* columns;
  std::int64_t row_step;
  std::int64_t column_step;
  std::int64_t sum;
};

// Rows of a tile.
struct TileRows {
  std::int64_t first;
  std::int64_t count;
};

// totals += product of pairs[0], += product of pairs[1]…, with the bits of `short_matmul`; without `adds` the first one
// is what they begin with. Rows of totals are those of the tile, behind one another.
void add_products(const TileOperands& operands, Vectors vectors,
                  std::span<const std::int32_t> pairs, TileRows rows, bool adds, float* totals);

}  // namespace shard

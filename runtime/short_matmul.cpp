#include "runtime/short_matmul.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"
#include "runtime/vectorised.h"

namespace shard {
namespace {

constexpr std::int64_t kRowsAtOnce = 256;  // of which strips stay in the first-level cache
constexpr int kVectors = 2;                // of columns

struct Totals {
  float* data;
  std::int64_t stride;
  bool adds;
};

// Some rows of a tile, and kVectors vectors of W columns.
template <int Rows, int W>
using TilePart = Floats<W>[Rows][kVectors];

template <int Rows, int W>
SHARD_INLINE void multiply_pair(const TileOperands& operands, std::int32_t pair,
                                TilePart<Rows, W>& product) {
  const float* rows = operands.rows + pair * operands.row_step;
  const float* columns = operands.columns + pair * operands.column_step;
  Floats<W> factors[kVectors];
  for (int v = 0; v < kVectors; ++v) load<W>(columns + v * W, factors[v]);
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < kVectors; ++v) product[r][v] = factors[v] * rows[r];
  }
  for (std::int64_t k = 1; k < operands.sum; ++k) {
    rows += kTileRows;
    columns += kTileColumns;
    for (int v = 0; v < kVectors; ++v) load<W>(columns + v * W, factors[v]);
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < kVectors; ++v) product[r][v] += factors[v] * rows[r];
    }
  }
}

// A product is made in registers and added to what is in others.
template <int Rows, int W>
SHARD_INLINE void add_pairs(const TileOperands& operands, const std::int32_t* pairs,
                            std::size_t count, const Totals& totals) {
  TilePart<Rows, W> sums;
  std::size_t next = 0;
  if (totals.adds) {
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < kVectors; ++v)
        load<W>(totals.data + r * totals.stride + v * W, sums[r][v]);
    }
  } else {
    multiply_pair<Rows, W>(operands, pairs[next++], sums);
  }
  for (; next < count; ++next) {
    TilePart<Rows, W> product;
    multiply_pair<Rows, W>(operands, pairs[next], product);
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < kVectors; ++v) sums[r][v] += product[r][v];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < kVectors; ++v)
      std::memcpy(totals.data + r * totals.stride + v * W, &sums[r][v], sizeof(sums[r][v]));
  }
}

// As many rows and columns at a time as there are registers for.
template <int MostRows, int W>
SHARD_INLINE void add_to_tile(TileOperands operands, const std::int32_t* pairs, std::size_t count,
                              std::int64_t rows, Totals totals) {
  for (std::int64_t column = 0; column < kTileColumns; column += kVectors * W) {
    TileOperands part = operands;
    part.columns += column;
    Totals own = totals;
    own.data += column;
    for (std::int64_t left = rows; left > 0; left -= MostRows) {
      if (MostRows >= 4 && left >= 4) {
        add_pairs<4, W>(part, pairs, count, own);
      } else if (MostRows >= 3 && left == 3) {
        add_pairs<3, W>(part, pairs, count, own);
      } else if (left >= 2) {
        add_pairs<2, W>(part, pairs, count, own);
      } else {
        add_pairs<1, W>(part, pairs, count, own);
      }
      part.rows += MostRows;
      own.data += MostRows * own.stride;
    }
  }
}

// The same for each instruction set; FMA rounds once where the others round twice.
using AddToTile = void (*)(const TileOperands&, const std::int32_t*, std::size_t, std::int64_t,
                           const Totals&);
void add_plain(const TileOperands& operands, const std::int32_t* pairs, std::size_t count,
               std::int64_t rows, const Totals& totals) {
  add_to_tile<2, 4>(operands, pairs, count, rows, totals);
}
SHARD_TARGET("avx2,fma")
void add_avx2(const TileOperands& operands, const std::int32_t* pairs, std::size_t count,
              std::int64_t rows, const Totals& totals) {
  add_to_tile<2, 8>(operands, pairs, count, rows, totals);
}
SHARD_TARGET("avx512f,avx512bw,avx512vl,avx512dq,fma")
void add_avx512(const TileOperands& operands, const std::int32_t* pairs, std::size_t count,
                std::int64_t rows, const Totals& totals) {
  add_to_tile<4, 16>(operands, pairs, count, rows, totals);
}

AddToTile adder_for(Vectors vectors) {
  return vectors == Vectors::Avx512 ? add_avx512 : vectors == Vectors::Avx2 ? add_avx2 : add_plain;
}

// Both operands of a product and its result; strides in elements.
struct ShortProduct {
  const MatmulShape& shape;
  const float* left;
  const float* right;
  float* result;
};

// Rows from `first` on, which are kRowsAtOnce at most.
void multiply_rows(const ShortProduct& product, AddToTile add, std::int64_t first) {
  const MatmulShape& shape = product.shape;
  const std::int64_t rows = std::min(kRowsAtOnce, shape.rows - first);
  alignas(64) std::array<float, kRowsAtOnce * kShortSum> row_strips;
  alignas(64) std::array<float, kTileColumns * kShortSum> column_strip;
  alignas(64) std::array<float, kTileSize> tile;
  for (std::int64_t row = 0; row < rows; row += kTileRows)
    pack_strip<kTileRows>(product.left + (first + row) * shape.left_strides[0],
                          shape.left_strides[0], shape.left_strides[1],
                          std::min(kTileRows, rows - row), shape.sum,
                          row_strips.data() + row * shape.sum);
  for (std::int64_t column = 0; column < shape.columns; column += kTileColumns) {
    const std::int64_t columns = std::min(kTileColumns, shape.columns - column);
    pack_strip<kTileColumns>(product.right + column * shape.right_strides[1],
                             shape.right_strides[1], shape.right_strides[0], columns, shape.sum,
                             column_strip.data());
    for (std::int64_t row = 0; row < rows; row += kTileRows) {
      const std::int64_t count = std::min(kTileRows, rows - row);
      float* to = product.result + (first + row) * shape.result_strides[0] + column;
      const TileOperands operands{row_strips.data() + row * shape.sum, column_strip.data(), 0, 0,
                                  shape.sum};
      const std::int32_t pair = 0;
      if (columns == kTileColumns) {
        add(operands, &pair, 1, count, {to, shape.result_strides[0], false});
        continue;
      }
      add(operands, &pair, 1, count, {tile.data(), kTileColumns, false});
      for (std::int64_t r = 0; r < count; ++r)
        std::copy_n(tile.data() + r * kTileColumns, columns, to + r * shape.result_strides[0]);
    }
  }
}

}  // namespace

template <std::int64_t Width>
void pack_strip(const float* from, std::int64_t apart, std::int64_t term, std::int64_t count,
                std::int64_t sum, float* to) {
  for (std::int64_t k = 0; k < sum; ++k, from += term, to += Width) {
    if (apart == 1 && count == Width) {
      std::memcpy(to, from, Width * sizeof(float));
      continue;
    }
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * apart];
    std::fill(to + count, to + Width, 0.0f);
  }
}
template void pack_strip<kTileRows>(const float*, std::int64_t, std::int64_t, std::int64_t,
                                    std::int64_t, float*);
template void pack_strip<kTileColumns>(const float*, std::int64_t, std::int64_t, std::int64_t,
                                       std::int64_t, float*);

void short_matmul(const MatmulShape& shape, Vectors vectors, const std::byte* left,
                  const std::byte* right, std::byte* result) {
  SHARD_CHECK(shape.batch.empty() && shape.sum >= 1 && shape.sum <= kShortSum);
  SHARD_CHECK(shape.result_strides[1] == 1 && shape.operands == DType::Fp32 &&
              shape.result == DType::Fp32);
  const ShortProduct product{shape, reinterpret_cast<const float*>(left),
                             reinterpret_cast<const float*>(right),
                             reinterpret_cast<float*>(result)};
  for (std::int64_t first = 0; first < shape.rows; first += kRowsAtOnce)
    multiply_rows(product, adder_for(vectors), first);
}

void add_products(const TileOperands& operands, Vectors vectors,
                  std::span<const std::int32_t> pairs, TileRows rows, bool adds, float* totals) {
  TileOperands own = operands;
  own.rows += rows.first;
  adder_for(vectors)(own, pairs.data(), pairs.size(), rows.count, {totals, kTileColumns, adds});
}

}  // namespace shard

#include "runtime/short_matmul.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"
#include "runtime/number.h"
#include "runtime/vectorised.h"

namespace shard {
namespace {

constexpr int kVectors = 2;  // of columns
// A running sum of fp32 stands still after 2^24 equal terms. So sums are taken of blocks of terms, which are then added.
constexpr std::int64_t kBlockTerms = 4096;

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

// The product of strips, into a tile: the sum of blocks of terms, of which all but the last one are of one size.
void multiply_strips(const float* rows, const float* columns, std::int64_t sum, std::int64_t count,
                     AddToTile add, float* to, std::int64_t stride) {
  const std::int64_t blocks = sum / kBlockTerms;
  TileOperands operands{rows, columns, kBlockTerms * kTileRows, kBlockTerms * kTileColumns,
                        kBlockTerms};
  for (std::int64_t b = 0; b < blocks; ++b) {
    const auto pair = static_cast<std::int32_t>(b);
    add(operands, &pair, 1, count, {to, stride, b > 0});
  }
  const std::int32_t rest = 0;
  operands.rows += blocks * operands.row_step;
  operands.columns += blocks * operands.column_step;
  operands.sum = sum - blocks * kBlockTerms;
  if (operands.sum > 0) add(operands, &rest, 1, count, {to, stride, blocks > 0});
}

template <class T>
void cut_strip(const T* block, const StripOperand& operand, std::int64_t strip, std::int64_t width,
               float* to) {
  const std::int64_t* lines = operand.lines.data() + strip * width;
  const std::int64_t count =
      std::min(width, static_cast<std::int64_t>(operand.lines.size()) - strip * width);
  bool in_row = true;
  for (std::int64_t i = 1; i < count; ++i) in_row = in_row && lines[i] == lines[0] + i;
  std::uint64_t clamped = 0;
  for (const std::int64_t term : operand.terms) {
    const T* from = block + term;
    if (in_row) {
      for (std::int64_t i = 0; i < count; ++i) to[i] = convert<float>(from[lines[0] + i], clamped);
    } else {
      for (std::int64_t i = 0; i < count; ++i) to[i] = convert<float>(from[lines[i]], clamped);
    }
    std::fill(to + count, to + width, 0.0f);
    to += width;
  }
}

}  // namespace

void StripOperand::cut(const std::byte* block, std::int64_t strip, std::int64_t width,
                       float* to) const {
  with_element_type(type, [&](auto element) {
    cut_strip(reinterpret_cast<const decltype(element)*>(block), *this, strip, width, to);
  });
}

std::int64_t elements_of_tiles(std::int64_t rows, std::int64_t columns) {
  return rows * ((columns + kTileColumns - 1) / kTileColumns * kTileColumns);
}

void short_matmul(const MatmulShape& shape, bool turned, Vectors vectors, const float* first,
                  const float* second, float* result) {
  SHARD_CHECK(shape.batch.empty() && shape.result_strides[1] == 1);
  const std::int64_t rows = turned ? shape.columns : shape.rows;
  const std::int64_t columns = turned ? shape.rows : shape.columns;
  const std::int64_t to_row = shape.result_strides[turned ? 1 : 0];
  const std::int64_t to_column = shape.result_strides[turned ? 0 : 1];
  const AddToTile add = adder_for(vectors);
  alignas(64) std::array<float, kTileSize> tile;
  for (std::int64_t column = 0; column < columns; column += kTileColumns) {
    const std::int64_t in_tile = std::min(kTileColumns, columns - column);
    const float* column_strip = (turned ? first : second) + column * shape.sum;
    for (std::int64_t row = 0; row < rows; row += kTileRows) {
      const std::int64_t count = std::min(kTileRows, rows - row);
      const float* row_strip = (turned ? second : first) + row * shape.sum;
      float* to = result + row * to_row + column * to_column;
      if (in_tile == kTileColumns && to_column == 1) {
        multiply_strips(row_strip, column_strip, shape.sum, count, add, to, to_row);
        continue;
      }
      multiply_strips(row_strip, column_strip, shape.sum, count, add, tile.data(), kTileColumns);
      for (std::int64_t c = 0; c < in_tile; ++c) {
        for (std::int64_t r = 0; r < count; ++r)
          to[r * to_row + c * to_column] = tile[static_cast<std::size_t>(r * kTileColumns + c)];
      }
    }
  }
}

void add_products(const TileOperands& operands, Vectors vectors,
                  std::span<const std::int32_t> pairs, TileRows rows, bool adds, float* totals) {
  TileOperands own = operands;
  own.rows += rows.first;
  adder_for(vectors)(own, pairs.data(), pairs.size(), rows.count, {totals, kTileColumns, adds});
}

}  // namespace shard

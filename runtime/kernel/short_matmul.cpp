#include "runtime/kernel/short_matmul.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "runtime/element/number.h"
#include "runtime/platform/simd.h"

namespace shard {
namespace {

// Why not oneDNN: without this file the training step by FSDP on 256 devices, which sums products of four terms, took 1.67
// times the processor time in fp32 and 1.73 in bf16, on a Xeon with AMX. The one by tensor parallelism, where devices have 16
// columns, took 1.05 times the time in fp32, but 0.54 in bf16, where oneDNN has AMX; without AMX these products took about
// twice as long by oneDNN as here in either type (bench/README.md). Columns of devices that share the other operand cannot
// be stacked into one product of oneDNN: of 4096 columns it gives other last bits than of 16, and --per-device has blocks of
// its own, to be multiplied alone, with the same bits.

constexpr int kVectors = 2;  // of columns, so that an element of a row is used twice when loaded

// The strips of a tile, whose steps are summed in blocks.
struct TileStrips {
  const float* rows;
  const float* columns;
  std::int64_t steps;
  std::int64_t block;
};

// One step of a sum: one term, or two bf16 terms packed into the space of one.
struct OneTerm {
  template <int W>
  static SHARD_INLINE void begin(const Floats<W>& column, const float& row, Floats<W>& sum) {
    sum = column * row;
  }
  template <int W>
  static SHARD_INLINE void add(const Floats<W>& column, const float& row, Floats<W>& sum) {
    sum += column * row;
  }
};
struct TwoTerms {
  template <int W>
  static SHARD_INLINE void begin(const Floats<W>& column, const float& row, Floats<W>& sum) {
    sum = Floats<W>{};
    add<W>(column, row, sum);
  }
  // Inlined only into functions that allow the instructions, which the templates in between do not yet.
  template <int W>
  SHARD_TARGET("avx512f")
  static inline void add(const Floats<W>& column, const float& row, Floats<W>& sum) {
    using Words = typename FloatVector<W>::Words;
    const Words rows = Words{} + std::bit_cast<std::uint32_t>(row);
#if defined(__x86_64__)
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(column), "v"(rows));
#endif
  }
};

// For offsets in memory, which are computed in wide integers.
template <int W>
inline constexpr std::ptrdiff_t kWidth = W;

// Some rows of a tile, and kVectors vectors of W columns.
template <int Rows, int W>
using TilePart = Floats<W>[Rows][kVectors];

template <class Step, int Rows, int W>
SHARD_INLINE void multiply_block(const float* rows, const float* columns, std::int64_t steps,
                                 TilePart<Rows, W>& product) {
  Floats<W> factors[kVectors];
  for (int v = 0; v < kVectors; ++v) load<W>(columns + v * kWidth<W>, factors[v]);
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < kVectors; ++v) Step::template begin<W>(factors[v], rows[r], product[r][v]);
  }
  for (std::int64_t k = 1; k < steps; ++k) {
    rows += kTileRows;
    columns += kTileColumns;
    for (int v = 0; v < kVectors; ++v) load<W>(columns + v * kWidth<W>, factors[v]);
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < kVectors; ++v) Step::template add<W>(factors[v], rows[r], product[r][v]);
    }
  }
}

// Each block's sum is computed in registers and added to those in other registers.
template <class Step, int Rows, int W>
SHARD_INLINE void multiply_rows(const TileStrips& strips, float* to, std::int64_t stride) {
  TilePart<Rows, W> sums;
  multiply_block<Step, Rows, W>(strips.rows, strips.columns, std::min(strips.block, strips.steps),
                                sums);
  for (std::int64_t k = strips.block; k < strips.steps; k += strips.block) {
    TilePart<Rows, W> product;
    multiply_block<Step, Rows, W>(strips.rows + k * kTileRows, strips.columns + k * kTileColumns,
                                  std::min(strips.block, strips.steps - k), product);
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < kVectors; ++v) sums[r][v] += product[r][v];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < kVectors; ++v)
      std::memcpy(to + r * stride + v * kWidth<W>, &sums[r][v], sizeof(sums[r][v]));
  }
}

// As many rows at a time as there are registers for.
template <class Step, int MostRows, int W>
SHARD_INLINE void multiply_tile(const TileStrips& strips, std::int64_t rows, float* to,
                                std::int64_t stride) {
  for (std::int64_t column = 0; column < kTileColumns; column += kVectors * kWidth<W>) {
    TileStrips part = strips;
    part.columns += column;
    float* own = to + column;
    for (std::int64_t left = rows; left > 0; left -= MostRows) {
      if (MostRows >= 4 && left >= 4) {
        multiply_rows<Step, 4, W>(part, own, stride);
      } else if (MostRows >= 3 && left == 3) {
        multiply_rows<Step, 3, W>(part, own, stride);
      } else if (left >= 2) {
        multiply_rows<Step, 2, W>(part, own, stride);
      } else {
        multiply_rows<Step, 1, W>(part, own, stride);
      }
      part.rows += MostRows;
      own += MostRows * stride;
    }
  }
}

// One variant per instruction set; FMA rounds once where the others round twice. Sums and products of `MostRows` rows
// take 4 · MostRows registers, of 32 with AVX-512 and of 16 otherwise: hence 4 rows or 2.
using MultiplyTile = void (*)(const TileStrips&, std::int64_t, float*, std::int64_t);
void tile_plain(const TileStrips& strips, std::int64_t rows, float* to, std::int64_t stride) {
  multiply_tile<OneTerm, 2, 4>(strips, rows, to, stride);
}
SHARD_TARGET("avx2,fma")
void tile_avx2(const TileStrips& strips, std::int64_t rows, float* to, std::int64_t stride) {
  multiply_tile<OneTerm, 2, 8>(strips, rows, to, stride);
}
SHARD_TARGET("avx512f,avx512bw,avx512vl,avx512dq,fma")
void tile_avx512(const TileStrips& strips, std::int64_t rows, float* to, std::int64_t stride) {
  multiply_tile<OneTerm, 4, 16>(strips, rows, to, stride);
}
SHARD_TARGET("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16,fma")
void tile_of_pairs(const TileStrips& strips, std::int64_t rows, float* to, std::int64_t stride) {
  multiply_tile<TwoTerms, 4, 16>(strips, rows, to, stride);
}

MultiplyTile multiplier_for(StripKernel kernel) {
  if (kernel.in_pairs) return tile_of_pairs;
  return kernel.vectors == Vectors::Avx512 ? tile_avx512
         : kernel.vectors == Vectors::Avx2 ? tile_avx2
                                           : tile_plain;
}

// Two terms in the space of one; an odd last term is paired with 0.
void cut_pairs(const Bf16* block, const StripOperand& operand, std::int64_t strip,
               std::int64_t width, float* to) {
  const std::int64_t* lines = operand.lines.data() + strip * width;
  const std::int64_t count =
      std::min(width, static_cast<std::int64_t>(operand.lines.size()) - strip * width);
  for (std::size_t k = 0; k < operand.terms.size(); k += 2) {
    const bool is_pair = k + 1 < operand.terms.size();
    const Bf16* first = block + operand.terms[k];
    const Bf16* second = is_pair ? block + operand.terms[k + 1] : first;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t upper = is_pair ? second[lines[i]].bits : 0u;
      to[i] = std::bit_cast<float>(upper << 16 | first[lines[i]].bits);
    }
    std::fill(to + count, to + width, 0.0f);
    to += width;
  }
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
  if (in_pairs) return cut_pairs(reinterpret_cast<const Bf16*>(block), *this, strip, width, to);
  with_element_type(type, [&](auto element) {
    cut_strip(reinterpret_cast<const decltype(element)*>(block), *this, strip, width, to);
  });
}

std::int64_t elements_of_tiles(std::int64_t rows, std::int64_t columns) {
  return rows * ((columns + kTileColumns - 1) / kTileColumns * kTileColumns);
}

void short_matmul(const MatmulShape& shape, bool turned, StripKernel kernel, const float* first,
                  const float* second, float* result, std::int64_t block) {
  SHARD_CHECK(shape.batch.empty() && shape.result_strides[1] == 1);
  const std::int64_t rows = turned ? shape.columns : shape.rows;
  const std::int64_t columns = turned ? shape.rows : shape.columns;
  const std::int64_t to_row = shape.result_strides[turned ? 1 : 0];
  const std::int64_t to_column = shape.result_strides[turned ? 0 : 1];
  const MultiplyTile multiply = multiplier_for(kernel);
  alignas(64) std::array<float, kTileSize> tile;
  for (std::int64_t column = 0; column < columns; column += kTileColumns) {
    const std::int64_t in_tile = std::min(kTileColumns, columns - column);
    const float* column_strip = (turned ? first : second) + column * shape.sum;
    for (std::int64_t row = 0; row < rows; row += kTileRows) {
      const std::int64_t count = std::min(kTileRows, rows - row);
      const float* row_strip = (turned ? second : first) + row * shape.sum;
      const TileStrips strips{row_strip, column_strip, shape.sum, block};
      float* to = result + row * to_row + column * to_column;
      if (in_tile == kTileColumns && to_column == 1) {
        multiply(strips, count, to, to_row);
        continue;
      }
      multiply(strips, count, tile.data(), kTileColumns);
      for (std::int64_t c = 0; c < in_tile; ++c) {
        for (std::int64_t r = 0; r < count; ++r)
          to[r * to_row + c * to_column] = tile[static_cast<std::size_t>(r * kTileColumns + c)];
      }
    }
  }
}

}  // namespace shard

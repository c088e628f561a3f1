// Products with one short extent, for which a library takes as long to prepare the operands as to multiply them. Here
// they are prepared once for all devices that hold the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/kernel/matmul.h"

namespace shard {

// The rows, columns or terms up to which this is faster than a library. With sums of 64 and 256 terms it took as
// long as oneDNN, or up to 27 % longer (bench/README.md).
inline constexpr std::int64_t kShortExtent = 32;

// A tile of the result: rows that are multiplied with vectors of columns. 32 columns are two AVX-512 vectors.
inline constexpr std::int64_t kTileRows = 4;
inline constexpr std::int64_t kTileColumns = 32;
inline constexpr std::int64_t kTileSize = kTileRows * kTileColumns;

// An operand cut into strips: for each term, `width` of its rows or columns side by side in fp32, padded with zeros; or
// for each pair of terms, two bf16 numbers in the space of one.
struct StripOperand {
  std::vector<std::int64_t> lines;  // the offsets of its rows or columns in its block
  std::vector<std::int64_t> terms;  // the offsets of its terms from the first one
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
  bool in_pairs = false;  // by the bf16 instructions of Vectors::Avx512
};

// Both operands, and which side of a tile each is on.
struct ShortProduct {
  StripOperand first;   // gives the result's rows
  StripOperand second;  // gives its columns
  bool turned = false;  // rows of the result are columns of tiles, as that fills tiles better
  StripKernel kernel;

  std::int64_t width(bool of_first) const { return of_first == turned ? kTileColumns : kTileRows; }
};

// Elements of the tiles needed to cover this many rows and columns.
std::int64_t elements_of_tiles(std::int64_t rows, std::int64_t columns);

// A running sum in fp32 stalls after 2^24 equal terms, so sums are taken over blocks of terms, which are then added.
inline constexpr std::int64_t kBlockSteps = 4096;

// The product of matmul.h, from strips of both operands. Each element is a running sum in fp32 for each `block` of
// steps, to which those of later blocks are added. Last bits differ between instruction sets. Only the extents of the
// shape and the layout of the result are used; its sum counts steps. REQUIRES: no batch, columns of the result
// contiguous.
void short_matmul(const MatmulShape& shape, bool turned, StripKernel kernel, const float* first,
                  const float* second, float* result, std::int64_t block = kBlockSteps);

}  // namespace shard

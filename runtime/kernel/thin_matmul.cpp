#include "runtime/kernel/thin_matmul.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.h"
#include "runtime/element/number.h"
#include "runtime/platform/simd.h"

namespace shard {
namespace {

// Why not oneDNN: of 4 rows by 4096 x 8192 (bench/README.md, `thin`) it took 11.6 ms instead of 5.3 in fp32, 9.8 instead of
// 3.4 in bf16, on a Xeon with AMX; a training step by FSDP on 256 devices, where each has four rows, 1.24 and 1.19 times the
// processor time. Rows of devices that share the other operand cannot be stacked into one product of oneDNN: of 1024 rows
// with sums of 4096 terms in bf16 it gives other last bits than of four, and --per-device has blocks of its own, to be
// multiplied alone, with the same bits.

// Columns at a time, whose sums stay in the first-level cache.
constexpr std::int64_t kColumns = 512;
// Sums side by side, if the sum runs along memory: an AVX-512 register, or two of AVX2.
constexpr int kLanes = 16;
constexpr std::int64_t kSteps = 4;  // terms that are added for each load and store of the sums
// A running sum in fp32 stalls after 2^24 equal terms, so sums are taken over blocks of terms, which are then added.
constexpr std::int64_t kBlockTerms = 4096;

SHARD_INLINE float widened(float value) { return value; }
SHARD_INLINE float widened(Bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

// One matrix of a batch; strides in elements.
template <class T>
struct Thin {
  std::int64_t sum, columns;
  const T* left;
  std::int64_t left_row, left_sum;
  const T* right;
  std::int64_t right_sum, right_column;
};

using Sums = std::array<float, kThinRows * kColumns>;

// sums[row][j] += Σ_k left[row, begin + k] · right[begin + k, first + j].
template <int Rows, int Steps, class T>
SHARD_INLINE void add_steps(const Thin<T>& thin, std::int64_t begin, std::int64_t first,
                            std::int64_t count, float* sums) {
  float factors[Rows][Steps];
  const T* lines[Steps];
  for (int k = 0; k < Steps; ++k) {
    lines[k] = thin.right + (begin + k) * thin.right_sum + first;
    for (int row = 0; row < Rows; ++row)
      factors[row][k] = widened(thin.left[row * thin.left_row + (begin + k) * thin.left_sum]);
  }
  SHARD_INDEPENDENT
  for (std::int64_t j = 0; j < count; ++j) {
    float values[Steps];
    for (int k = 0; k < Steps; ++k) values[k] = widened(lines[k][j]);
    for (int row = 0; row < Rows; ++row) {
      float sum = sums[row * kColumns + j];
      for (int k = 0; k < Steps; ++k) sum += factors[row][k] * values[k];
      sums[row * kColumns + j] = sum;
    }
  }
}

// If columns are contiguous: adds line after line of `right`, from `begin` to `end`.
template <int Rows, class T>
SHARD_INLINE void add_lines(const Thin<T>& thin, std::int64_t begin, std::int64_t end,
                            std::int64_t first, std::int64_t count, float* sums) {
  for (int row = 0; row < Rows; ++row) std::fill_n(sums + row * kColumns, count, 0.0f);
  std::int64_t k = begin;
  for (; k + kSteps <= end; k += kSteps) add_steps<Rows, kSteps>(thin, k, first, count, sums);
  for (; k < end; ++k) add_steps<Rows, 1>(thin, k, first, count, sums);
}

// If the sum runs along memory: scalar products for some columns from `first` on, over the terms from `begin` to `end`.
template <int Rows, int Columns, class T>
SHARD_INLINE void multiply_columns(const Thin<T>& thin, std::int64_t begin, std::int64_t end,
                                   std::int64_t first, float* sums) {
  const T* line = thin.right + first * thin.right_column;
  Floats<kLanes> lanes[Rows][Columns] = {};
  std::int64_t k = begin;
  for (; k + kLanes <= end; k += kLanes) {
    Floats<kLanes> values[Columns];
    for (int j = 0; j < Columns; ++j) load<kLanes>(line + j * thin.right_column + k, values[j]);
    for (int row = 0; row < Rows; ++row) {
      Floats<kLanes> factors;
      load<kLanes>(thin.left + row * thin.left_row + k, factors);
      for (int j = 0; j < Columns; ++j) lanes[row][j] += factors * values[j];
    }
  }
  for (int row = 0; row < Rows; ++row) {
    for (int j = 0; j < Columns; ++j) {
      float sum = sum_of<kLanes>(lanes[row][j]);
      for (std::int64_t rest = k; rest < end; ++rest)
        sum += widened(thin.left[row * thin.left_row + rest]) *
               widened(line[j * thin.right_column + rest]);
      sums[row * kColumns + j] = sum;
    }
  }
}

// `Together`: columns taken at a time, as many as there are registers for: with four rows, 16 sums of AVX-512 fit into
// its 32 registers for 4 columns; with AVX2 one column takes 8 of 16.
template <int Rows, int Together, class T>
SHARD_INLINE void multiply_lines(const Thin<T>& thin, std::int64_t begin, std::int64_t end,
                                 std::int64_t first, std::int64_t count, float* sums) {
  std::int64_t j = 0;
  for (; j + Together <= count; j += Together)
    multiply_columns<Rows, Together>(thin, begin, end, first + j, sums + j);
  for (; j < count; ++j) multiply_columns<Rows, 1>(thin, begin, end, first + j, sums + j);
}

template <int Rows, int Together, class T>
SHARD_INLINE void multiply_block(const Thin<T>& thin, std::int64_t begin, std::int64_t end,
                                 std::int64_t first, std::int64_t count, float* sums) {
  if (thin.right_column == 1) {
    add_lines<Rows>(thin, begin, end, first, count, sums);
  } else {
    multiply_lines<Rows, Together>(thin, begin, end, first, count, sums);
  }
}

template <int Rows, int Together, class T>
SHARD_INLINE void multiply_chunk(const Thin<T>& thin, std::int64_t first, std::int64_t count,
                                 float* sums) {
  Sums block;
  for (std::int64_t begin = 0; begin == 0 || begin < thin.sum; begin += kBlockTerms) {
    const std::int64_t end = std::min(begin + kBlockTerms, thin.sum);
    multiply_block<Rows, Together>(thin, begin, end, first, count,
                                   begin == 0 ? sums : block.data());
    for (int row = 0; row < Rows && begin > 0; ++row) {
      for (std::int64_t j = row * kColumns; j < row * kColumns + count; ++j)
        sums[j] += block[static_cast<std::size_t>(j)];
    }
  }
}

template <int Together, class T>
SHARD_INLINE void multiply(const Thin<T>& thin, std::int64_t rows, std::int64_t first,
                           std::int64_t count, float* sums) {
  switch (rows) {
    case 1:
      return multiply_chunk<1, Together>(thin, first, count, sums);
    case 2:
      return multiply_chunk<2, Together>(thin, first, count, sums);
    case 3:
      return multiply_chunk<3, Together>(thin, first, count, sums);
    default:
      return multiply_chunk<4, Together>(thin, first, count, sums);
  }
}

// One variant per instruction set; FMA rounds once where the others round twice.
template <class T>
struct Variants {
  static void plain(const Thin<T>& thin, std::int64_t rows, std::int64_t first, std::int64_t count,
                    float* sums) {
    multiply<1>(thin, rows, first, count, sums);
  }
  SHARD_TARGET("avx2,fma")
  static void avx2(const Thin<T>& thin, std::int64_t rows, std::int64_t first, std::int64_t count,
                   float* sums) {
    multiply<1>(thin, rows, first, count, sums);
  }
  SHARD_TARGET("avx512f,avx512bw,avx512vl,avx512dq,fma")
  static void avx512(const Thin<T>& thin, std::int64_t rows, std::int64_t first, std::int64_t count,
                     float* sums) {
    multiply<4>(thin, rows, first, count, sums);
  }
  static auto of(Vectors vectors) {
    return vectors == Vectors::Avx512 ? avx512 : vectors == Vectors::Avx2 ? avx2 : plain;
  }
};

template <class T, class To>
void multiply_batch(const MatmulShape& shape, Vectors vectors, const T* left, const T* right,
                    To* result) {
  const auto multiply_some = Variants<T>::of(vectors);
  const std::size_t rank = shape.batch.size();
  const std::int64_t result_row = shape.result_strides[rank];
  Sums sums;
  std::uint64_t clamped = 0;
  for (std::int64_t b = 0; b < element_count(shape.batch); ++b) {
    const MatrixOffsets offsets = offsets_of(shape, b);
    const Thin<T> thin{shape.sum,
                       shape.columns,
                       left + offsets.left,
                       shape.left_strides[rank],
                       shape.left_strides[rank + 1],
                       right + offsets.right,
                       shape.right_strides[rank],
                       shape.right_strides[rank + 1]};
    To* rows = result + offsets.result;
    for (std::int64_t first = 0; first < shape.columns; first += kColumns) {
      const std::int64_t count = std::min(kColumns, shape.columns - first);
      multiply_some(thin, shape.rows, first, count, sums.data());
      for (std::int64_t row = 0; row < shape.rows; ++row) {
        for (std::int64_t j = 0; j < count; ++j)
          rows[row * result_row + first + j] =
              convert<To>(sums[static_cast<std::size_t>(row * kColumns + j)], clamped);
      }
    }
  }
}

template <class T>
void multiply_type(const MatmulShape& shape, Vectors vectors, const std::byte* left,
                   const std::byte* right, std::byte* result) {
  const auto* a = reinterpret_cast<const T*>(left);
  const auto* b = reinterpret_cast<const T*>(right);
  if (shape.result == DType::Fp32)
    return multiply_batch(shape, vectors, a, b, reinterpret_cast<float*>(result));
  multiply_batch(shape, vectors, a, b, reinterpret_cast<Bf16*>(result));
}

}  // namespace

bool is_thin(const MatmulShape& shape) {
  const std::size_t rank = shape.batch.size();
  const bool knows_types = (shape.operands == DType::Fp32 && shape.result == DType::Fp32) ||
                           (shape.operands == DType::Bf16 &&
                            (shape.result == DType::Bf16 || shape.result == DType::Fp32));
  const bool by_columns = shape.right_strides[rank + 1] == 1;
  const bool by_sum = shape.right_strides[rank] == 1 && shape.left_strides[rank + 1] == 1;
  return shape.rows <= kThinRows && knows_types && (by_columns || by_sum) &&
         shape.result_strides[rank + 1] == 1;
}

void thin_matmul(const MatmulShape& shape, Vectors vectors, const std::byte* left,
                 const std::byte* right, std::byte* result) {
  SHARD_CHECK(is_thin(shape));
  if (shape.operands == DType::Fp32)
    return multiply_type<float>(shape, vectors, left, right, result);
  multiply_type<Bf16>(shape, vectors, left, right, result);
}

}  // namespace shard

// Batched matrix products on one device: oneDNN, dgemm for fp64, and plain loops for the rest. The only place that
// knows about oneDNN and OpenMP.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/array/block_copy.h"
#include "runtime/element/dtype.h"

namespace shard {

// result[b…, row, column] = Σ_sum left[b…, row, sum] · right[b…, sum, column]. Strides are in elements, one for each
// dimension of `batch` and then for the two of the matrix.
struct MatmulShape {
  Extents batch;
  std::int64_t rows = 1;
  std::int64_t sum = 1;
  std::int64_t columns = 1;
  Extents left_strides;
  Extents right_strides;
  Extents result_strides;
  DType operands = DType::Fp32;
  DType result = DType::Fp32;
};

// Where a matrix of the batch begins, in elements.
struct MatrixOffsets {
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::int64_t result = 0;
};
MatrixOffsets offsets_of(const MatmulShape& shape, std::int64_t matrix);

// Vector instruction sets that our own kernels choose between.
enum class Vectors { Any, Avx2, Avx512 };

// What the processor does exactly and fast. Without bf16, operands are first widened to fp32; without int8 (s8 products
// saturate on processors without VNNI), they go through `plain_matmul` in fp64.
struct MatmulSupport {
  bool bf16 = false;
  bool int8 = false;
  Vectors vectors = Vectors::Any;
};
// The support of this processor; ONEDNN_MAX_CPU_ISA limits it, for oneDNN and our own kernels alike.
MatmulSupport matmul_support();

// A product prepared for one shape. Immutable; any number of threads may execute it at once.
class Matmul {
 public:
  // fp32 → fp32, bf16 → bf16 or fp32 (accumulated in fp32), int8 → int32. Null if oneDNN has no optimised code for the
  // shape. REQUIRES: no extent is 0.
  static std::shared_ptr<const Matmul> create(const MatmulShape& shape);

  // Bytes of scratch that each thread needs, aligned to 64.
  std::size_t scratch_bytes() const;
  // The name of oneDNN's implementation.
  const char* implementation() const;

  Matmul(const Matmul&) = delete;
  Matmul& operator=(const Matmul&) = delete;
  ~Matmul();

 private:
  friend class MatmulCall;
  struct Primitive;
  explicit Matmul(std::unique_ptr<Primitive> primitive);
  std::unique_ptr<Primitive> primitive_;
};

// Executes a product repeatedly on one thread: setting this up takes longer than a small product.
class MatmulCall {
 public:
  // The product and the scratch must outlive it. Throws std::bad_alloc.
  MatmulCall(const Matmul& matmul, std::byte* scratch);
  ~MatmulCall();
  MatmulCall(const MatmulCall&) = delete;
  MatmulCall& operator=(const MatmulCall&) = delete;

  void execute(const std::byte* left, const std::byte* right, std::byte* result);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The product in fp64, by dgemm if the matrices' strides suit it, or in fp32; otherwise by plain loops, summed in
// order. Operands and result have the same type. REQUIRES: strides along columns are 1.
void plain_matmul(const MatmulShape& shape, const std::byte* left, const std::byte* right,
                  std::byte* result);

}  // namespace shard

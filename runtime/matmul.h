// Batched matrix products on one device: oneDNN, and plain loops for what it does not do. The only
// place that knows oneDNN and OpenMP.
#pragma once

#include <compare>
#include <cstddef>
#include <memory>

#include "runtime/block.h"
#include "runtime/dtype.h"

namespace shard {

// result[b…, row, column] = Σ_sum left[b…, row, sum] · right[b…, sum, column]. Strides in elements,
// one for each dimension of `batch` and then for the two of the matrix.
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

// What the processor does exactly and at speed. Without bf16 operands are widened to fp32 first;
// without int8 (s8 products of processors that have no VNNI saturate) they go through
// `plain_matmul` in fp64.
struct MatmulSupport {
  bool bf16 = false;
  bool int8 = false;
};
MatmulSupport matmul_support();

// A product prepared for one shape. Immutable; any number of threads may execute it at once.
class Matmul {
 public:
  // fp32 → fp32, bf16 → bf16 or fp32 (accumulated in fp32), int8 → int32. Null if oneDNN has no
  // optimised code for the shape. REQUIRES: no extent is 0.
  static std::shared_ptr<const Matmul> create(const MatmulShape& shape);

  // Bytes each execution needs for itself, aligned to 64.
  std::size_t scratch_bytes() const;
  void execute(const std::byte* left, const std::byte* right, std::byte* result,
               std::byte* scratch) const;
  // Name of oneDNN's implementation.
  const char* implementation() const;

  Matmul(const Matmul&) = delete;
  Matmul& operator=(const Matmul&) = delete;
  ~Matmul();

 private:
  struct Primitive;
  explicit Matmul(std::unique_ptr<Primitive> primitive);
  std::unique_ptr<Primitive> primitive_;
};

// The same product with plain loops, summed in order; operands and result have one type, fp64 or
// fp32. REQUIRES: strides along columns are 1.
void plain_matmul(const MatmulShape& shape, const std::byte* left, const std::byte* right,
                  std::byte* result);

}  // namespace shard

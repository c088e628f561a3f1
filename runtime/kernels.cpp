#include "runtime/kernels.h"

#include <cstring>

#include "runtime/contraction_sketch.h"
#include "runtime/number.h"

namespace shard {
namespace {

constexpr std::size_t kAlignment = 64;

}  // namespace

DType sum_type(DType left, DType right) {
  if (is_integer(left))
    return is_integer(right) ? accumulation_type(left) : accumulation_type(right);
  const bool wide = left == DType::Fp64 || right == DType::Fp64;
  return wide ? DType::Fp64 : accumulation_type(left);
}

LocalContraction::LocalContraction(const ContractionProblem& problem, MatmulSupport support) {
  ContractionSketch(problem, support).fill(*this);
}

std::size_t LocalContraction::packed_bytes(Side side) const {
  const Part& operand = part(side);
  if (!operand.copied) return 0;
  return static_cast<std::size_t>(element_count(operand.extents)) * element_size(operand.type);
}

void LocalContraction::pack(Side side, const std::byte* block, std::byte* packed) const {
  const Part& operand = part(side);
  copy_block(operand.extents, {block, operand.block_type, operand.block_strides},
             {packed, operand.type, operand.strides});
}

std::size_t LocalContraction::staging_bytes() const {
  if (!result_.copied) return 0;
  const std::size_t bytes =
      static_cast<std::size_t>(element_count(result_.extents)) * element_size(result_.type);
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t LocalContraction::scratch_bytes() const {
  return staging_bytes() + (matmul_ ? matmul_->scratch_bytes() : 0);
}

std::uint64_t LocalContraction::run(std::int64_t panel, const std::byte* left,
                                    const std::byte* right, std::byte* result,
                                    std::byte* scratch) const {
  if (empty_) {
    std::memset(result, 0, zero_bytes_);
    return 0;
  }
  const auto at = [panel](auto* data, std::int64_t stride, DType type) {
    return data + panel * stride * static_cast<std::int64_t>(element_size(type));
  };
  const std::byte* first =
      at(first_side_ == Side::Left ? left : right, first_.panel_stride, first_.type);
  const std::byte* second =
      at(first_side_ == Side::Left ? right : left, second_.panel_stride, second_.type);
  std::byte* block = at(result, result_.block_panel_stride, result_.block_type);
  std::byte* product = result_.copied ? scratch : block;
  if (matmul_ != nullptr) {
    matmul_->execute(first, second, product, scratch + staging_bytes());
  } else {
    plain_matmul(shape_, first, second, product);
  }
  if (!result_.copied) return 0;
  return copy_block(result_.extents, {product, result_.type, result_.strides},
                    {block, result_.block_type, result_.block_strides});
}

}  // namespace shard

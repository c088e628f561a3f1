#include "runtime/kernel/local_contraction.h"

#include <cstring>

#include "runtime/element/number.h"
#include "runtime/kernel/contraction_planner.h"
#include "runtime/kernel/short_matmul.h"
#include "runtime/kernel/thin_matmul.h"

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

std::pair<const StripOperand&, std::int64_t> LocalContraction::strips_of(Side side) const {
  const bool first = side == first_side_;
  return {first ? short_->first : short_->second, short_->width(first)};
}

std::size_t LocalContraction::packed_bytes(Side side) const {
  const Part& operand = part(side);
  if (short_) {
    const auto& [strips, width] = strips_of(side);
    return static_cast<std::size_t>(strips.strips(width) * strips.floats_of_strip(width)) *
           sizeof(float);
  }
  if (!operand.copied) return 0;
  return static_cast<std::size_t>(element_count(operand.extents)) * element_size(operand.type);
}

void LocalContraction::pack(Side side, const std::byte* block, std::byte* packed) const {
  if (short_) {
    const auto& [strips, width] = strips_of(side);
    for (std::int64_t strip = 0; strip < strips.strips(width); ++strip)
      strips.cut(block, strip, width,
                 reinterpret_cast<float*>(packed) + strip * strips.floats_of_strip(width));
    return;
  }
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

Side LocalContraction::panelled() const {
  const Side other = first_side_ == Side::Left ? Side::Right : Side::Left;
  return first_.panel_stride != 0 ? first_side_ : other;
}

bool LocalContraction::panels_are_rows() const {
  return !empty_ && result_.block_panel_stride == element_count(result_.extents);
}

std::int64_t LocalContraction::work() const {
  // Rough rates, which only decide whether threads share the work: a call takes as long as copying 1 KiB, and four
  // products as long as copying a byte.
  constexpr std::int64_t kCall = 1024;
  constexpr std::int64_t kProductsOfByte = 4;
  if (empty_) return static_cast<std::int64_t>(zero_bytes_);
  const std::int64_t products =
      element_count(shape_.batch) * shape_.rows * shape_.sum * shape_.columns;
  return kCall + products / kProductsOfByte;
}

std::size_t LocalContraction::scratch_bytes() const {
  return staging_bytes() + (matmul_ ? matmul_->scratch_bytes() : 0);
}

LocalCall::LocalCall(const LocalContraction& contraction, std::byte* scratch)
    : contraction_(contraction), scratch_(scratch) {
  if (contraction.matmul_ != nullptr)
    matmul_.emplace(*contraction.matmul_, scratch + contraction.staging_bytes());
  const LocalContraction::Part& result = contraction.result_;
  if (result.copied)
    store_.emplace(result.extents, result.type, result.strides, result.block_type,
                   result.block_strides);
}

std::uint64_t LocalCall::run(std::int64_t panel, const std::byte* left, const std::byte* right,
                             std::byte* result) {
  const LocalContraction::Part& part = contraction_.result_;
  return run_panel(panel, left, right,
                   result + panel * part.block_panel_stride *
                                static_cast<std::int64_t>(element_size(part.block_type)));
}

std::uint64_t LocalCall::run_panel(std::int64_t panel, const std::byte* left,
                                   const std::byte* right, std::byte* result) {
  const LocalContraction& c = contraction_;
  if (c.empty_) {
    std::memset(result, 0, c.zero_bytes_);
    return 0;
  }
  const auto at = [panel](auto* data, std::int64_t stride, DType type) {
    return data + panel * stride * static_cast<std::int64_t>(element_size(type));
  };
  const bool left_first = c.first_side_ == Side::Left;
  const std::byte* first = at(left_first ? left : right, c.first_.panel_stride, c.first_.type);
  const std::byte* second = at(left_first ? right : left, c.second_.panel_stride, c.second_.type);
  std::byte* product = store_ ? scratch_ : result;
  if (matmul_) {
    matmul_->execute(first, second, product);
  } else if (c.is_thin_) {
    thin_matmul(c.shape_, c.vectors_, first, second, product);
  } else if (c.short_) {
    short_matmul(c.shape_, c.short_->turned, c.short_->kernel,
                 reinterpret_cast<const float*>(first), reinterpret_cast<const float*>(second),
                 reinterpret_cast<float*>(product));
  } else {
    plain_matmul(c.shape_, first, second, product);
  }
  return store_ ? store_->run(product, result) : 0;
}

}  // namespace shard

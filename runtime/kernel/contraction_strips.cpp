// Contractions with one short extent, by strips (short_matmul.h).
#include <algorithm>

#include "runtime/kernel/contraction_planner.h"
#include "runtime/kernel/short_matmul.h"
#include "runtime/kernel/thin_matmul.h"

namespace shard {

bool ContractionSketch::has_short_extent(const ContractionProblem& problem) const {
  if (!batch_.empty() || sum_type(problem.left_type, problem.right_type) != DType::Fp32)
    return false;
  const std::int64_t lines = std::min(taken(rows_), taken(columns_));
  // Few rows are left to thin_matmul. Rounded results would need to be stored in fp32 first.
  if (lines <= kThinRows) return false;
  return lines <= kShortExtent ||
         (taken(sum_) <= kShortExtent && problem.result_type == DType::Fp32);
}

void ContractionSketch::use_strips() {
  multiplies_bf16_ = types_[First] == DType::Bf16;
  types_ = {DType::Fp32, DType::Fp32, DType::Fp32};
  const bool lies = run_of(rows_, Contracted).whole && run_of(columns_, Contracted).whole &&
                    run_of(columns_, Contracted).stride == 1;
  if (block_types_[Contracted] != DType::Fp32 || !lies) copy(Contracted);
}

// The offsets of a group's elements, in order.
std::vector<std::int64_t> ContractionSketch::offsets(const Group& group, Tensor tensor) {
  std::vector<std::int64_t> offsets{0};
  for (const Label* label : group) {
    std::vector<std::int64_t> finer;
    for (const std::int64_t offset : offsets) {
      for (std::int64_t i = 0; i < label->extent; ++i)
        finer.push_back(offset + i * label->block_strides[tensor]);
    }
    offsets = std::move(finer);
  }
  return offsets;
}

StripOperand ContractionSketch::strip_operand(Tensor tensor) const {
  return {offsets(tensor == First ? rows_ : columns_, tensor), offsets(sum_, tensor),
          block_types_[tensor], multiplies_bf16_};
}

std::shared_ptr<const ShortProduct> ContractionSketch::short_product() const {
  if (!is_short_) return nullptr;
  const std::int64_t rows = taken(rows_);
  const std::int64_t columns = taken(columns_);
  const bool turned = elements_of_tiles(columns, rows) < elements_of_tiles(rows, columns);
  return std::make_shared<const ShortProduct>(ShortProduct{
      strip_operand(First), strip_operand(Second), turned, {vectors_, multiplies_bf16_}});
}

}  // namespace shard

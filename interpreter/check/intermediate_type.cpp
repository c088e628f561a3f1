#include "interpreter/check/intermediate_type.h"

#include "base/match.h"

namespace shard {

namespace {

bool moves_elements(const checked::Operation& operation) {
  const auto* selection = std::get_if<checked::Selection>(&operation.node);
  return std::holds_alternative<checked::Collective>(operation.node) ||
         (selection != nullptr && selection->kind != SelectionKind::Top &&
          selection->kind != SelectionKind::CumSum && selection->kind != SelectionKind::Scatter);
}

void widen(checked::Operation& operation, DType result) {
  widen_intermediates(operation, result);
  if (!std::holds_alternative<checked::Use>(operation.node) && !moves_elements(operation))
    operation.dtype = intermediate_type(operation.dtype, result);
}

// Elements are put among those of the first operand, so both come in one type.
void widen_selection(checked::Selection& selection, DType result) {
  if (selection.kind == SelectionKind::Top) return;
  widen(selection.operands.front(), result);
  if (selection.kind == SelectionKind::Update) widen(selection.operands[1], result);
  if (selection.kind != SelectionKind::Concat) return;
  for (std::size_t i = 1; i < selection.operands.size(); ++i) widen(selection.operands[i], result);
}

}  // namespace

DType intermediate_type(DType own, DType result) {
  if (own == result) return own;
  const bool wider = bytes_of(result) > bytes_of(own);
  if (is_integer(own) && is_integer(result)) return wider ? result : own;
  if (is_integer(own)) return bytes_of(result) < bytes_of(DType::Fp32) ? DType::Fp32 : result;
  if (is_integer(result)) {
    // Whole numbers of 8 bits are exact in each type of 16.
    const DType least = bytes_of(result) <= bytes_of(DType::Int8) ? DType::Bf16 : DType::Fp32;
    return bytes_of(own) < bytes_of(least) ? least : own;
  }
  if (bytes_of(result) != bytes_of(own)) return wider ? result : own;
  // bf16 holds what both kinds of fp8 hold, fp32 what bf16 and fp16 hold.
  return bytes_of(own) < bytes_of(DType::Bf16) ? DType::Bf16 : DType::Fp32;
}

void widen_intermediates(checked::Operation& value, DType result) {
  match(
      value.node, [](checked::Use&) {}, [](checked::Product&) {},
      [&](checked::Elementwise& one) {
        for (checked::Operation& operand : one.operands) widen(operand, result);
      },
      [&](checked::Reduction& one) { widen(*one.operand, result); },
      [&](checked::Softmax& one) { widen(*one.operand, result); },
      [&](checked::Selection& one) { widen_selection(one, result); },
      [&](checked::Collective& one) { widen(*one.operand, result); });
  // The powers and their sum are on the way as well.
  if (std::holds_alternative<checked::Softmax>(value.node))
    value.dtype = intermediate_type(value.dtype, result);
  if (!moves_elements(value)) return;
  const auto operands = checked::operands_of(value);
  value.dtype = operands.front()->dtype;
  const auto* selection = std::get_if<checked::Selection>(&value.node);
  if (selection == nullptr || selection->kind != SelectionKind::Concat) return;
  for (const checked::Operation* operand : operands)
    value.dtype = common_type(value.dtype, operand->dtype).value_or(value.dtype);
}

}  // namespace shard

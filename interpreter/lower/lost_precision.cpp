#include "interpreter/lower/lost_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>

#include "runtime/element/dtype.h"

namespace shard {

namespace {

// What is written: of an array changed in part, what is put there.
const checked::Operation& written_value(const checked::Flow& flow) {
  const auto* selection = std::get_if<checked::Selection>(&flow.value.node);
  const bool updates = selection != nullptr && selection->kind == SelectionKind::Update;
  return updates ? selection->operands[1] : flow.value;
}

// `0`, `1e-3`
bool is_written_number(const checked::Operation& value) {
  const auto* elements = std::get_if<checked::Elementwise>(&value.node);
  return elements != nullptr && elements->operands.empty();
}

// `floor(a)`, `a > 0`: numbers without a fraction.
bool is_whole(const checked::Operation& value) {
  constexpr ElementOp kWhole[] = {
      ElementOp::Round,     ElementOp::Floor,    ElementOp::Ceil,
      ElementOp::Less,      ElementOp::Greater,  ElementOp::Equal,
      ElementOp::LessEqual, ElementOp::NotEqual, ElementOp::GreaterEqual};
  const auto* elements = std::get_if<checked::Elementwise>(&value.node);
  return elements != nullptr && !elements->program.empty() &&
         std::find(std::begin(kWhole), std::end(kWhole), elements->program.back().op) !=
             std::end(kWhole);
}

// What becomes of a number of the one type that the other one does not have; "" if there is none.
std::string_view lost_by(DType from, DType to) {
  if (is_integer(from) && is_integer(to)) return bytes_of(to) < bytes_of(from) ? "clamped" : "";
  if (is_integer(to)) return "rounded";
  if (is_integer(from)) {
    // An integer of fp32 is exact up to 2^24, beyond most positions and counts.
    const DTypeInfo& wide = info_of(to);
    const bool holds = wide.significand >= info_of(DType::Fp32).significand ||
                       wide.significand >= info_of(from).bits - 1;
    return holds ? "" : "rounded";
  }
  return common_type(from, to) == to ? "" : "rounded";
}

}  // namespace

std::string rounding_remark(const checked::Flow& flow, const Scope& scope) {
  const checked::Operation& value = written_value(flow);
  const DType to = scope.store.arrays[flow.target].dtype;
  const std::string_view lost = lost_by(value.dtype, to);
  if (lost.empty() || is_written_number(value) || (is_integer(to) && is_whole(value))) return "";
  return fmt::format("{} from {} to {}", lost, name_of(value.dtype), name_of(to));
}

}  // namespace shard

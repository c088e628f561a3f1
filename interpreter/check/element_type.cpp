#include "interpreter/check/element_type.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "interpreter/check/operation.h"
#include "interpreter/check/origin_notes.h"

namespace shard {

namespace {

// The type of a part of the program: of its arrays, none for numbers; and whether it has fractions even of integers.
struct PartType {
  std::optional<DType> dtype;
  bool fractions = false;
  bool negative = false;                              // a number below 0
  std::optional<std::size_t> operand = std::nullopt;  // the first with this type
};

class ElementTyper {
 public:
  ElementTyper(const checked::Elementwise& elements, CheckContext& context)
      : elements_(elements), context_(context) {}

  std::optional<DType> run() {
    std::vector<PartType> stack;
    for (const ElementInstruction& instruction : elements_.program) {
      if (instruction.op == ElementOp::Operand) {
        stack.push_back({.dtype = elements_.operands[instruction.operand].dtype,
                         .operand = instruction.operand});
      } else if (instruction.op == ElementOp::Position) {
        stack.push_back({.dtype = DType::Int32});
      } else if (instruction.op == ElementOp::Constant) {
        const auto number = instruction.constant.constant();
        stack.push_back({.dtype = std::nullopt,
                         .fractions = number && !number->is_integer(),
                         .negative = number && *number < 0});
      } else {
        const auto first = stack.end() - arity_of(instruction.op);
        const auto part = part_type(instruction.op, {first, stack.end()});
        if (!part) return std::nullopt;
        stack.erase(first, stack.end());
        stack.push_back(*part);
      }
    }
    const DType type = stack.back().dtype.value_or(DType::Int32);
    return stack.back().fractions ? fractional_type(type) : type;
  }

 private:
  // The rule for types (docs: language, "Elements"). Types with fractions that differ are reported.
  std::optional<PartType> part_type(ElementOp op, const std::vector<PartType>& arguments) {
    const bool decides = op == ElementOp::Where;
    PartType part;
    for (std::size_t i = decides ? 1 : 0; i < arguments.size(); ++i) {
      if (!join_types(part, arguments[i])) return std::nullopt;
    }
    if (decides && !part.dtype) part.dtype = arguments.front().dtype;
    const ElementResult result = element_result(op);
    if (result == ElementResult::Truth) part.fractions = false;
    const bool inverse = op == ElementOp::Power && arguments.back().negative;
    if (result == ElementResult::Fractions || inverse) part.fractions = true;
    return part;
  }

  bool join_types(PartType& part, const PartType& other) {
    part.fractions = part.fractions || other.fractions;
    if (!other.dtype) return true;
    const auto common = part.dtype ? common_type(*part.dtype, *other.dtype) : other.dtype;
    if (!common) return report_types(*part.operand, *other.operand);
    if (*common != part.dtype) part.operand = other.operand;
    part.dtype = common;
    return true;
  }

  bool report_types(std::size_t a, std::size_t b) {
    const checked::Operation& first = elements_.operands[a];
    const checked::Operation& operand = elements_.operands[b];
    report(
        context_, DiagnosticKind::DtypeMismatch, operand.span,
        fmt::format("`{}` is {}, but `{}` is {}", describe(operand, context_.scope),
                    name_of(operand.dtype), describe(first, context_.scope), name_of(first.dtype)),
        {one_type_help(first, operand, context_.scope)},
        type_notes({&first, &operand}, context_.scope));
    return false;
  }

  const checked::Elementwise& elements_;
  CheckContext& context_;
};

}  // namespace

std::optional<DType> type_of_elements(const checked::Elementwise& elements, CheckContext& context) {
  return ElementTyper(elements, context).run();
}

}  // namespace shard

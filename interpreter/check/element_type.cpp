#include "interpreter/check/element_type.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "interpreter/check/intermediate_type.h"
#include "interpreter/check/operation.h"
#include "interpreter/check/origin_notes.h"

namespace shard {

namespace {

// The type of a part of the program: of its arrays, none for numbers; and whether it has fractions even of integers.
struct PartType {
  std::optional<DType> dtype;
  bool fractions = false;
  bool negative = false;     // a number below 0
  TypedOperand origin = {};  // of the type: the first that has it
};

class ElementTyper {
 public:
  ElementTyper(const checked::Elementwise& elements, CheckContext& context)
      : elements_(elements), context_(context) {}

  std::optional<DType> run() {
    std::vector<PartType> stack;
    for (const ElementInstruction& instruction : elements_.program) {
      if (instruction.op == ElementOp::Operand) {
        const checked::Operation& operand = elements_.operands[instruction.operand];
        stack.push_back({.dtype = operand.dtype, .origin = {&operand, operand.dtype}});
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
    return type_of(stack.back());
  }

 private:
  static DType type_of(const PartType& part) {
    const DType type = part.dtype.value_or(DType::Int32);
    return part.fractions ? fractional_type(type) : type;
  }

  // The rule for types (docs: language, "Elements"). Types with fractions that no type brings together are reported.
  std::optional<PartType> part_type(ElementOp op, const std::vector<PartType>& arguments) {
    if (const auto type = cast_type(op)) return cast_part(*type, arguments.front());
    const bool decides = op == ElementOp::Where;
    PartType part;
    for (std::size_t i = decides ? 1 : 0; i < arguments.size(); ++i) {
      if (!join_types(part, arguments[i])) return std::nullopt;
    }
    const ElementResult result = element_result(op);
    // 1 and 0 are numbers as written ones are, whatever was compared: a count of them is exact.
    if (result == ElementResult::Truth) return PartType{};
    const bool inverse = op == ElementOp::Power && arguments.back().negative;
    if (result == ElementResult::Fractions || inverse) part.fractions = true;
    return part;
  }

  static PartType cast_part(DType type, const PartType& argument) {
    return {.dtype = type, .origin = {argument.origin.operand, type, true}};
  }

  bool join_types(PartType& part, const PartType& other) {
    part.fractions = part.fractions || other.fractions;
    if (!other.dtype) return true;
    TypedOperand next = other.origin;
    next.dtype = *other.dtype;
    if (part.dtype) {
      TypedOperand so_far = part.origin;
      so_far.dtype = *part.dtype;
      const auto common = meet(so_far, next, context_);
      if (!common) return false;
      if (*common == part.dtype) return true;
      next.dtype = *common;
    }
    part.origin = next;
    part.dtype = next.dtype;
    return true;
  }

  const checked::Elementwise& elements_;
  CheckContext& context_;
};

std::string text_of(const TypedOperand& one, const Scope& scope) {
  const std::string text = one.operand == nullptr ? "…" : describe(*one.operand, scope);
  return one.cast ? fmt::format("{}({})", name_of(one.dtype), text) : text;
}

Span place_of(const TypedOperand& first, const TypedOperand& second) {
  return second.operand != nullptr  ? second.operand->span
         : first.operand != nullptr ? first.operand->span
                                    : Span{};
}

void report_types_apart(const TypedOperand& first, const TypedOperand& second,
                        CheckContext& context) {
  const Scope& scope = context.scope;
  const std::string_view wide = name_of(intermediate_type(first.dtype, second.dtype));
  std::string help = fmt::format("{} holds the numbers of both: cast one of them, {}({})", wide,
                                 wide, second.cast ? "…" : text_of(second, scope));
  std::vector<Edit> edits;
  std::vector<const checked::Operation*> arrays;
  for (const TypedOperand& one : {first, second}) {
    if (one.operand != nullptr && !one.cast) arrays.push_back(one.operand);
  }
  if (arrays.size() == 2) help += "; or " + one_type_help(*arrays[0], *arrays[1], scope);
  const Span place = place_of(first, second);
  if (second.operand != nullptr && !second.cast) {
    edits.push_back({{place.file, place.begin, place.begin}, std::string(wide) + "("});
    edits.push_back({{place.file, place.end, place.end}, ")"});
  }
  report(context, DiagnosticKind::DtypeMismatch, place,
         fmt::format("`{}` is {}, but `{}` is {}, and neither type holds the numbers of the other",
                     text_of(second, scope), name_of(second.dtype), text_of(first, scope),
                     name_of(first.dtype)),
         {std::move(help)}, type_notes(arrays, scope), std::move(edits));
}

void warn_of_wider_type(const TypedOperand& first, const TypedOperand& second, DType common,
                        CheckContext& context) {
  const Scope& scope = context.scope;
  std::vector<const checked::Operation*> arrays;
  for (const TypedOperand& one : {first, second}) {
    if (one.operand != nullptr && !one.cast) arrays.push_back(one.operand);
  }
  std::vector<std::string> help;
  if (arrays.size() == 2) help.push_back(one_type_help(*arrays[0], *arrays[1], scope));
  report(context, DiagnosticKind::WiderType, place_of(first, second),
         fmt::format("`{}` is {} and `{}` is {}: they meet in {}, which holds the numbers of both",
                     text_of(first, scope), name_of(first.dtype), text_of(second, scope),
                     name_of(second.dtype), name_of(common)),
         std::move(help), type_notes(arrays, scope));
}

}  // namespace

std::optional<DType> meet(const TypedOperand& first, const TypedOperand& second,
                          CheckContext& context) {
  const auto common = common_type(first.dtype, second.dtype);
  if (!common)
    report_types_apart(first, second, context);
  else if (!is_integer(*common) && *common != first.dtype && *common != second.dtype)
    warn_of_wider_type(first, second, *common, context);
  return common;
}

std::optional<DType> type_of_elements(const checked::Elementwise& elements, CheckContext& context) {
  return ElementTyper(elements, context).run();
}

}  // namespace shard

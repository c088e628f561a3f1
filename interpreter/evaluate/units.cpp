#include "interpreter/evaluate/units.h"

#include <fmt/format.h>

#include "grammar/print/printer.h"
#include "interpreter/suggest/unit_help.h"

namespace shard {

namespace {

std::string values_text(const Quantity& left, const Quantity& right, const ast::Binary& binary) {
  return fmt::format("`{}` is {}, `{}` is {}", print(*binary.left, Spelling::Unicode),
                     to_text(left), print(*binary.right, Spelling::Unicode), to_text(right));
}

// The name of bytes or FLOPs by which the expression is divided last, where a rate in its place would make the unit wanted.
const ast::Expr* volume_below(const ast::Expr& expr, const Unit& has, const Unit& wanted,
                              const Scope& scope) {
  const auto* quotient = std::get_if<ast::Binary>(&expr.node);
  if (quotient == nullptr || quotient->op != ast::BinaryOp::Divide || has * kSeconds != wanted)
    return nullptr;
  const auto* name = std::get_if<ast::ArrayRef>(&quotient->right->node);
  if (name == nullptr || !name->name || name->bracketed) return nullptr;
  const BindingInfo* binding = scope.find_binding(name->name->text);
  const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
  const bool volume = quantity != nullptr && (quantity->unit == kBytes || quantity->unit == kFlops);
  return volume ? &*quotient->right : nullptr;
}

// `bytes / bw` with `bw = 90 GB`, which was to be 90 GB/s.
bool report_volume_as_rate(const Quantity& left, const Quantity& right, const ast::Binary& binary,
                           CheckContext& context) {
  const ast::Expr* divisor = volume_below(*binary.left, left.unit, right.unit, context.scope);
  if (divisor == nullptr)
    divisor = volume_below(*binary.right, right.unit, left.unit, context.scope);
  if (divisor == nullptr) return false;
  const BindingInfo* volume =
      context.scope.find_binding(std::get<ast::ArrayRef>(divisor->node).name->text);
  const std::string value = to_text(volume->value);
  report(context, DiagnosticKind::UnitMismatch, binary.sign.span,
         fmt::format("the left side is {}, the right side {}: `{}` is {}, and no rate",
                     describe(left.unit), describe(right.unit), volume->name, value),
         {fmt::format("or give `{}` as a rate, such as {}/s", volume->name, value)},
         {{volume->span, fmt::format("it is {} from here on", value)}},
         {{{divisor->at.span, fmt::format("({} / 1 s)", volume->name)}}});
  return true;
}

// A plain 0 is as much in every unit; `0 s` is a time.
bool has_any_unit(const Quantity& quantity) {
  return quantity.unit.is_plain() && quantity.value.is_zero();
}

}  // namespace

bool check_units(const Quantity& left, const Quantity& right, const ast::Binary& binary,
                 CheckContext& context) {
  if (left.unit == right.unit || has_any_unit(left) || has_any_unit(right)) return true;
  if (report_volume_as_rate(left, right, binary, context)) return false;
  const ast::Number* rate = meant_as_rate(*binary.left, left.unit, right.unit);
  if (rate == nullptr) rate = meant_as_rate(*binary.right, right.unit, left.unit);
  const Span behind =
      rate == nullptr ? Span{} : Span{rate->at.span.file, rate->at.span.end, rate->at.span.end};
  const auto written = [](const Quantity& side) {
    return WrittenUnit{side.unit, side.value.constant().value_or(Rational(0))};
  };
  report(context, DiagnosticKind::UnitMismatch, binary.sign.span,
         fmt::format(
             "the left side is {}, the right side {}{}", describe(left.unit), describe(right.unit),
             rate == nullptr
                 ? ""
                 : fmt::format(": `{}` is {}, and no rate", rate->text, describe(rate->unit))),
         {values_text(left, right, binary)}, {},
         rate != nullptr         ? std::vector<Edit>{{behind, "/s"}}
         : left.unit.is_plain()  ? unit_edits(*binary.left, right.unit)
         : right.unit.is_plain() ? unit_edits(*binary.right, left.unit)
                                 : side_edits(binary, written(left), written(right)));
  return false;
}

}  // namespace shard

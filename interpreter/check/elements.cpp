// What works element by element: signs, functions, multiples (design: language, "Statements" and rule 7).
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/function.h"
#include "grammar/print/printer.h"
#include "interpreter/check/collective/collective_help.h"
#include "interpreter/check/element_type.h"
#include "interpreter/check/equal_lengths.h"
#include "interpreter/check/input_source.h"
#include "interpreter/check/operation.h"
#include "interpreter/check/selection/selection.h"
#include "interpreter/planning/local_layout.h"

namespace shard {

namespace {

std::optional<ElementOp> element_op(ast::BinaryOp op) {
  using Op = ast::BinaryOp;
  switch (op) {
    case Op::Add:
      return ElementOp::Add;
    case Op::Subtract:
      return ElementOp::Subtract;
    case Op::Hadamard:
      return ElementOp::Multiply;
    case Op::Divide:
      return ElementOp::Divide;
    case Op::Modulo:
      return ElementOp::Modulo;
    case Op::Power:
      return ElementOp::Power;
    case Op::Less:
      return ElementOp::Less;
    case Op::LessEqual:
      return ElementOp::LessEqual;
    case Op::Greater:
      return ElementOp::Greater;
    case Op::GreaterEqual:
      return ElementOp::GreaterEqual;
    case Op::Equal:
      return ElementOp::Equal;
    case Op::NotEqual:
      return ElementOp::NotEqual;
    case Op::FloorDivide:
    case Op::Approx:
    case Op::And:
    case Op::Or:
      return std::nullopt;
  }
  return std::nullopt;
}

class ElementChecker {
 public:
  ElementChecker(Span span, const TargetHint& target, CheckContext& context)
      : span_(span), target_(target), context_(context), scope_(context.scope) {}

  std::optional<checked::Operation> check(const ast::Expr& expr) {
    // Every mistake in the operands is reported.
    if (!add(expr) || target_.failed) return std::nullopt;
    return finish();
  }

  std::optional<checked::Operation> scale(checked::Operation operation,
                                          const std::vector<const ast::Expr*>& numbers) {
    for (const ast::Expr* number : numbers) {
      if (!add_number(*number)) return std::nullopt;
    }
    append(std::move(operation));
    elements_.program.insert(elements_.program.end(), numbers.size(), {.op = ElementOp::Multiply});
    return finish();
  }

 private:
  bool fail(DiagnosticKind kind, Span span, std::string message,
            std::vector<std::string> help = {}) {
    report(context_, kind, span, std::move(message), std::move(help));
    return false;
  }

  void push(ElementOp op) { elements_.program.push_back({.op = op}); }

  bool add(const ast::Expr& expr) {
    if (is_number(expr, scope_)) return add_number(expr);
    if (const auto label = iota_dimension(expr, scope_)) return add_position(*label);
    if (const auto* binary = std::get_if<ast::Binary>(&expr.node)) return add_binary(*binary);
    if (const auto* unary = std::get_if<ast::Unary>(&expr.node)) return add_unary(*unary, expr);
    const auto* call = std::get_if<ast::Call>(&expr.node);
    if (call != nullptr && is_elementwise(expr)) return add_call(*call);
    return add_operand(expr);
  }

  bool add_number(const ast::Expr& expr) {
    const auto number = plain_number(expr, context_);
    if (number) elements_.program.push_back({.op = ElementOp::Constant, .constant = *number});
    return number.has_value();
  }

  bool add_position(DimensionId label) {
    positions_.push_back(label);
    elements_.program.push_back({.op = ElementOp::Position,
                                 .label = label.value,
                                 .name = scope_.store.dimensions[label].name});
    return true;
  }

  bool add_binary(const ast::Binary& binary) {
    const auto op = element_op(binary.op);
    if (!op) {
      const bool logic = binary.op == ast::BinaryOp::And || binary.op == ast::BinaryOp::Or;
      return fail(logic ? DiagnosticKind::NotScalar : DiagnosticKind::NotYet, binary.sign.span,
                  "this operator takes numbers, and this is an array",
                  {logic ? "comparisons give 1 or 0: `and` is written ⊙, `or` max(A, B)"
                         : "a whole quotient is (A - A mod B) / B"});
    }
    const bool left = check_reading(*binary.left) && add(*binary.left);
    const bool right = check_reading(*binary.right) && add(*binary.right);
    push(*op);
    return left && right;
  }

  // A bare name next to a sign that is a size as well as an array has two readings.
  bool check_reading(const ast::Expr& expr) {
    const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
    if (array == nullptr || array->bracketed || !array->name) return true;
    const auto id = scope_.names.find_array(array->name->text);
    if (!id || scope_.names.hides_outer_scalar(array->name->text) ||
        (scope_.find_binding(array->name->text) == nullptr &&
         !scope_.names.find_dimension(array->name->text)))
      return true;
    return fail(DiagnosticKind::AmbiguousName, expr.at.span,
                fmt::format("`{}` is an array and a size", array->name->text),
                {fmt::format("write {} for the array, |{}| for the size",
                             scope_.describe(*id, newest_layout(*id, scope_)), array->name->text)});
  }

  bool add_unary(const ast::Unary& unary, const ast::Expr& expr) {
    if (unary.op == ast::UnaryOp::Not) {
      return fail(DiagnosticKind::NotScalar, expr.at.span,
                  "`not` takes a comparison of numbers, and this is an array",
                  {"of 0 and 1 it is 1 - A"});
    }
    if (!add(*unary.operand)) return false;
    push(ElementOp::Negate);
    return true;
  }

  // `cast(A, B)`: the cast that has the name of B's element type.
  bool add_cast_like(const ast::Call& call) {
    const auto dtype = type_of_cast(call, context_);
    if (!dtype || !add(*call.arguments.front())) return false;
    push(element_function(name_of(*dtype)));
    return true;
  }

  bool add_call(const ast::Call& call) {
    if (casts_like(call.function.text)) return add_cast_like(call);
    const ElementOp op = element_function(call.function.text);
    const auto wanted = static_cast<std::size_t>(arity_of(op));
    if (call.arguments.size() != wanted) {
      return fail(DiagnosticKind::BadArgument, call.function.at.span,
                  fmt::format("`{}` of arrays takes {} argument{}, and {} {} written",
                              call.function.text, wanted, wanted == 1 ? "" : "s",
                              call.arguments.size(), call.arguments.size() == 1 ? "is" : "are"),
                  op == ElementOp::Max && call.arguments.size() == 1
                      ? std::vector<std::string>{"the maximum along a dimension is max_J(…)"}
                      : std::vector<std::string>());
    }
    bool fine = true;
    for (const auto& argument : call.arguments) fine = add(*argument) && fine;
    push(op);
    return fine;
  }

  bool add_operand(const ast::Expr& expr) {
    if (report_source_inside(expr, target_, context_)) return false;
    auto operation = check_operation(expr, target_.inside(), context_);
    if (!operation) return false;
    append(std::move(*operation));
    return true;
  }

  // The program of an operand that is elementwise itself goes on here; the same array twice is one operand.
  void append(checked::Operation operation) {
    auto* inner = std::get_if<checked::Elementwise>(&operation.node);
    if (inner == nullptr) {
      elements_.program.push_back(
          {.op = ElementOp::Operand, .operand = place_of(std::move(operation))});
      return;
    }
    std::vector<std::size_t> places;
    for (checked::Operation& operand : inner->operands)
      places.push_back(place_of(std::move(operand)));
    for (ElementInstruction instruction : inner->program) {
      if (instruction.op == ElementOp::Operand) instruction.operand = places[instruction.operand];
      if (instruction.op == ElementOp::Position)
        positions_.push_back(DimensionId{instruction.label});
      elements_.program.push_back(std::move(instruction));
    }
  }

  std::size_t place_of(checked::Operation operation) {
    auto& operands = elements_.operands;
    const auto known =
        std::find_if(operands.begin(), operands.end(),
                     [&](const checked::Operation& other) { return same_use(other, operation); });
    if (known != operands.end()) return static_cast<std::size_t>(known - operands.begin());
    operands.push_back(std::move(operation));
    return operands.size() - 1;
  }

  std::optional<checked::Operation> finish() {
    const auto dtype = type_of_elements(elements_, context_);
    if (!dtype || !check_told_apart(elements_.operands, context_) ||
        !check_own_lengths(elements_.operands, context_))
      return std::nullopt;
    warn_of_equal_lengths(elements_.operands, target_, context_);
    std::vector<DimensionId> labels;
    for (const checked::Operation& operand : elements_.operands) {
      for (const DimensionId label : operand.labels) {
        if (!contains(labels, label)) labels.push_back(label);
      }
    }
    for (const DimensionId label : positions_) {
      if (!contains(labels, label)) labels.push_back(label);
    }
    checked::Operation result{.node = checked::Elementwise{}, .labels = {}};
    result.labels = in_target_order(std::move(labels), target_);
    if (!check_element_count(result.labels, span_, context_) || !check_linear())
      return std::nullopt;
    result.dtype = *dtype;
    result.layout = local_layout(result.labels);
    result.span = span_;
    result.node = std::move(elements_);
    return result;
  }

  // Partial sums that were written have to be used linearly (rule 7).
  bool check_linear() {
    const Mesh& mesh = scope_.mesh();
    std::vector<bool> written;
    std::vector<bool> all;
    const checked::Operation* partial = nullptr;
    Layout layout;
    for (const checked::Operation& operand : elements_.operands) {
      const bool inferred = is_inferred_sum(operand);
      const Layout own =
          inferred || !operand.layout ? Layout{} : without_trivial_axes(*operand.layout, mesh);
      written.push_back(!own.unreduced.empty());
      all.push_back(written.back() || inferred);
      if (!written.back() || partial != nullptr) continue;
      partial = &operand;
      layout = own;
    }
    if (partial == nullptr) return true;
    if (layout.combination != Combination::Sum) {
      return report_not_linear(*partial, layout, "holds", "");
    }
    for (const checked::Operation& operand : elements_.operands) {
      if (is_inferred_sum(operand) || !operand.layout) continue;
      const Layout own = without_trivial_axes(*operand.layout, mesh);
      if (own.unreduced == layout.unreduced) continue;
      const bool clashes = std::any_of(layout.unreduced.begin(), layout.unreduced.end(),
                                       [&](AxisId axis) { return uses(own, axis); });
      if (clashes || !own.unreduced.empty()) {
        return report_not_linear(*partial, layout, "is still unreduced",
                                 fmt::format("which `{}` is not", describe(operand, scope_)));
      }
    }
    if (is_linear_in(elements_.program, all) || is_linear_in(elements_.program, written))
      return true;
    return report_not_linear(*partial, layout, "is still unreduced", why_not_linear(layout, all));
  }

  // Of `h{U_Y} + bias[D]`: what would be added once for each device. `partial`: the operands that are partial sums.
  std::string why_not_linear(const Layout& layout, const std::vector<bool>& partial) const {
    const auto adds = [](const ElementInstruction& one) {
      return one.op == ElementOp::Operand || one.op == ElementOp::Add ||
             one.op == ElementOp::Subtract || one.op == ElementOp::Negate;
    };
    const auto whole = std::find(partial.begin(), partial.end(), false);
    if (whole == partial.end() ||
        !std::all_of(elements_.program.begin(), elements_.program.end(), adds))
      return "and what is computed of it is not linear";
    const checked::Operation& added =
        elements_.operands[static_cast<std::size_t>(whole - partial.begin())];
    const Amount devices = size_of(
        std::vector<AxisId>(layout.unreduced.begin(), layout.unreduced.end()), scope_.mesh());
    return fmt::format("so each device would add `{}`, and the sum would have it {} times",
                       describe(added, scope_), devices.to_string());
  }

  bool report_not_linear(const checked::Operation& operand, const Layout& layout,
                         std::string_view what, std::string_view why) {
    const std::string axes = axes_to_string(layout.unreduced, scope_.mesh());
    const std::string text = describe(operand, scope_);
    const bool sums = layout.combination == Combination::Sum;
    const std::string parts = partial_name(layout.combination);
    ReduceFirst mend = reduce_first(operand, scope_);
    mend.help.push_back(
        !sums ? parts + " may be renamed, indexed, reshaped and reduced, and nothing else"
              : "partial sums may be added to sums unreduced over the same axes, and multiplied "
                "with what is whole along them");
    report(context_, DiagnosticKind::UnreducedOperand, operand.span,
           sums ? fmt::format("`{}` {} over `{}`, {}", text, what, axes, why)
                : fmt::format("`{}` {} {} over `{}`", text, what, parts, axes),
           std::move(mend.help), {}, std::move(mend.edits));
    return false;
  }

  std::optional<Layout> local_layout(const std::vector<DimensionId>& labels) const {
    const auto& operands = elements_.operands;
    // Most operands lie as the first one does, and so does what is made of them.
    const auto lies_alike = [&](const checked::Operation& operand) {
      return operand.layout && operand.layout->unreduced.empty() && operand.labels == labels &&
             operand.layout == operands.front().layout;
    };
    if (!operands.empty() && std::ranges::all_of(operands, lies_alike))
      return without_trivial_axes(*operands.front().layout, scope_.mesh());
    std::vector<planning::Labels> operand_labels;
    std::vector<Layout> layouts;
    for (const checked::Operation& operand : operands) {
      if (!operand.layout) return std::nullopt;
      operand_labels.push_back(numbered(operand.labels));
      layouts.push_back(without_trivial_axes(*operand.layout, scope_.mesh()));
    }
    const auto local =
        planning::local_elements(elements_.program, operand_labels, layouts, numbered(labels));
    const Layout* layout = std::get_if<Layout>(&local);
    return layout == nullptr ? std::nullopt : std::optional(*layout);
  }

  Span span_;
  const TargetHint& target_;
  CheckContext& context_;
  Scope& scope_;
  checked::Elementwise elements_;
  std::vector<DimensionId> positions_;  // dimensions of `iota`
};

}  // namespace

bool is_elementwise(const ast::Expr& expr) {
  return match(
      expr.node, [](const ast::Number&) { return false; },
      [](const ast::ArrayRef&) { return false; }, [](const ast::Product&) { return false; },
      [](const ast::Binary&) { return true; }, [](const ast::Unary&) { return true; },
      [](const ast::Collective&) { return false; },
      [](const ast::Call& call) {
        return call.subscript.empty() &&
               (casts_like(call.function.text) ||
                element_function(call.function.text) != ElementOp::Operand);
      },
      [](const ast::Shaped&) { return false; }, [](const ast::Indexed&) { return false; },
      [](const ast::Text&) { return false; }, [](const ast::Member&) { return false; },
      [](const ast::SizeOf&) { return false; }, [](const ast::BlockExpr&) { return false; },
      [](const ast::Question&) { return false; });
}

std::optional<Formula> plain_number(const ast::Expr& expr, CheckContext& context) {
  const auto refuse = [&](const ast::BlockExpr& block) {
    report(context, DiagnosticKind::BadArgument,
           block.body.empty() ? Span{} : block.body.front().at.span,
           "a figure of a cost block stands in no expression of arrays",
           {"give the figure a name on a line of its own: t = c.time"});
  };
  const auto quantity = context.scalars.quantity(expr, refuse, context);
  if (!quantity) return std::nullopt;
  if (quantity->unit.is_plain()) return quantity->value;
  report(context, DiagnosticKind::UnitMismatch, expr.at.span,
         fmt::format("`{}` is {}, and elements of arrays are plain numbers",
                     print(expr, Spelling::Unicode), describe(quantity->unit)),
         {"divide by a unit first, as in t / 1 us"});
  return std::nullopt;
}

std::optional<checked::Operation> check_elements(const ast::Expr& expr, const TargetHint& target,
                                                 CheckContext& context) {
  return ElementChecker(expr.at.span, target, context).check(expr);
}

std::optional<checked::Operation> scaled(checked::Operation operation,
                                         const std::vector<const ast::Expr*>& numbers, Span span,
                                         CheckContext& context) {
  const TargetHint none;
  return ElementChecker(span, none, context).scale(std::move(operation), numbers);
}

}  // namespace shard

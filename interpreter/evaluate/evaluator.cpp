#include "interpreter/evaluate/evaluator.h"

#include <fmt/format.h>

#include <cmath>

#include "base/format.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/former_array.h"
#include "interpreter/check/level.h"
#include "interpreter/check/operation.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/evaluate/answer_names.h"
#include "interpreter/evaluate/builtin_call.h"
#include "interpreter/evaluate/compare.h"
#include "interpreter/evaluate/compare_found.h"
#include "interpreter/evaluate/known_figures.h"
#include "interpreter/evaluate/member.h"
#include "interpreter/evaluate/name.h"
#include "interpreter/evaluate/units.h"
#include "interpreter/ir/frames.h"
#include "runtime/algebra/formula_extent.h"

namespace shard {

namespace {

using Op = ast::BinaryOp;

// Blocks are evaluated inside each other: the scopes that are made on the way are no part of that stack.
[[gnu::noinline]] Supposition supposition_of(const ast::BlockExpr& block, const Scope& scope) {
  return {std::make_shared<const ast::BlockExpr>(block),
          std::make_shared<const Scope>(written_scope(scope)), std::make_shared<SupposedFigures>()};
}

class Evaluator {
 public:
  explicit Evaluator(EvaluationContext& context)
      : context_(context), check_(context.check), scope_(context.check.scope) {}

  std::optional<Value> evaluate(const ast::Expr& expr) {
    const Level level(context_.host.budget());
    if (!level.check(expr.at.span, check_)) return std::nullopt;
    auto value = match(
        expr.node, [&](const ast::Number& number) { return literal(number); },
        [&](const ast::ArrayRef& array) {
          return array.bracketed || !array.name
                     ? not_scalar(expr)
                     : value_of_name(array.name->text, array.at.span, check_);
        },
        [&](const ast::Product& product) { return multiply(product, expr); },
        [&](const ast::Binary& binary) { return apply(binary, expr); },
        [&](const ast::Unary& unary) { return apply(unary, expr); },
        [&](const ast::Collective&) { return not_scalar(expr); },
        [&](const ast::Call& call) { return evaluate_call(call, expr.at.span, context_); },
        [&](const ast::Shaped& shaped) {
          return places_behind(shaped, check_.scope).empty() ? not_scalar(expr) : no_element(expr);
        },
        [&](const ast::Indexed&) { return no_element(expr); },
        [&](const ast::Text& text) { return no_number(text, expr.at.span); },
        [&](const ast::Member& member) { return evaluate_member(member, context_); },
        [&](const ast::SizeOf& size) {
          return value_of_size(size.name.text, size.name.at.span, check_);
        },
        [&](const ast::BlockExpr& block) { return block_value(block, expr.at.span); },
        [&](const ast::Question& question) {
          return context_.host.answer(question, expr.at.span, check_);
        });
    return value ? check_number(std::move(*value), expr) : std::nullopt;
  }

 private:
  std::optional<Value> fail(DiagnosticKind kind, Span span, std::string message,
                            std::vector<std::string> help = {}) {
    report(check_, kind, span, std::move(message), std::move(help));
    return std::nullopt;
  }

  std::optional<Value> check_number(Value value, const ast::Expr& expr) {
    const auto* quantity = std::get_if<Quantity>(&value);
    if (quantity != nullptr && !check_formula(quantity->value, expr.at.span)) return std::nullopt;
    const auto number = quantity != nullptr ? quantity->value.constant() : std::nullopt;
    if (number && number->is_overflow()) {
      return fail(DiagnosticKind::NumberTooLarge, expr.at.span,
                  fmt::format("`{}` does not fit into the numbers that are exact here",
                              print(expr, Spelling::Unicode)),
                  {"sizes and costs are fractions of 128-bit integers"});
    }
    return value;
  }

  bool check_formula(const Formula& formula, Span span) {
    const std::string help = "give more of its sizes values: B = 1024";
    const bool is_long = is_longer_than(formula, kMaxFormulaSize);
    if (!is_long && is_higher_than(formula, kMaxFormulaHeight)) {
      fail(DiagnosticKind::TooDeep, span,
           fmt::format("as a formula this is nested deeper than {} levels", kMaxFormulaHeight),
           {help});
      return false;
    }
    if (!is_long) return true;
    fail(DiagnosticKind::TooLarge, span,
         fmt::format("as a formula this has more than {} terms", format_integer(kMaxFormulaSize)),
         {help});
    return false;
  }

  std::optional<Value> literal(const ast::Number& number) {
    return Quantity{Formula(number.value), number.unit};
  }

  std::optional<Value> not_scalar(const ast::Expr& expr) {
    const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
    if (array != nullptr && array->name && !check_.scope.names.find_array(array->name->text) &&
        (check_.scope.told.is_unknown(array->name->text) ||
         report_dropped(array->name->text, expr.at.span, check_) ||
         report_ended(array->name->text, expr.at.span, check_) ||
         report_unknown_element(*array, check_)))
      return std::nullopt;
    const BindingInfo* bound =
        array != nullptr && array->name ? check_.scope.find_binding(array->name->text) : nullptr;
    if (bound != nullptr && std::holds_alternative<Supposition>(bound->value))
      return fail(DiagnosticKind::NotScalar, expr.at.span,
                  fmt::format("`{}` is a cost block, and has figures", array->name->text),
                  {fmt::format("ask for one of them, or for its steps: {0}.time, {0}.steps",
                               array->name->text)});
    return fail(DiagnosticKind::NotScalar, expr.at.span,
                fmt::format("`{}` is an array, and arithmetic takes scalars",
                            print(expr, Spelling::Unicode)),
                {"ask for a figure of it: bytes(A[I_X, J]), time { … }, cost { … }.flops"});
  }

  // Of what a function of the script gives, where numbers are.
  std::optional<Value> no_element(const ast::Expr& expr) {
    const std::string text = one_line(print(expr, Spelling::Unicode));
    return fail(DiagnosticKind::NotScalar, expr.at.span,
                fmt::format("`{}` is an array, and arithmetic takes scalars", text),
                {fmt::format("give it a name first, and use that: y = {}", text)});
  }

  std::optional<Value> no_number(const ast::Text& text, Span span) {
    return fail(DiagnosticKind::NotScalar, span,
                fmt::format("\"{}\" is a text, and arithmetic takes numbers", text.value));
  }

  std::optional<Quantity> quantity(const ast::Expr& expr) {
    const auto value = evaluate(expr);
    if (!value) return std::nullopt;
    if (const auto* number = std::get_if<Quantity>(&*value)) return *number;
    if (std::holds_alternative<Supposition>(*value)) {
      fail(DiagnosticKind::NotScalar, expr.at.span,
           "this is a whole cost block, and a number is needed", {figures_help()});
    } else if (!scope_.lacks_machine()) {  // else an answer is that for no machine
      fail(DiagnosticKind::NotScalar, expr.at.span,
           fmt::format("this is `{}`, and a number is needed", to_text(*value)));
    }
    return std::nullopt;
  }

  std::optional<Value> multiply(const ast::Product& product, const ast::Expr& expr) {
    if (product.local || !product.index.empty()) return not_scalar(expr);
    return multiply_numbers(*product.left, *product.right);
  }

  std::optional<Value> multiply_numbers(const ast::Expr& one, const ast::Expr& other) {
    const auto left = quantity(one);
    const auto right = quantity(other);
    if (!left || !right) return std::nullopt;
    return Quantity{left->value * right->value, left->unit * right->unit};
  }

  // `7 // 3` and `7 mod 3`: the quotient rounded down, and what is left.
  std::optional<Value> divide_whole(const ast::Binary& binary) {
    const auto left = quantity(*binary.left);
    const auto right = quantity(*binary.right);
    if (!left || !right || !check_units(*left, *right, binary, check_)) return std::nullopt;
    if (right->value.is_zero())
      return fail(DiagnosticKind::DivisionByZero, binary.sign.span,
                  "a number cannot be divided by 0");
    const Formula whole = floor(left->value / right->value);
    if (binary.op == ast::BinaryOp::FloorDivide) return Quantity{whole, kPlain};
    return Quantity{left->value - right->value * whole, left->unit};
  }

  std::optional<Value> apply(const ast::Unary& unary, const ast::Expr& expr) {
    if (unary.op == ast::UnaryOp::Negate) {
      const auto operand = quantity(*unary.operand);
      if (!operand) return std::nullopt;
      return Quantity{Formula(0) - operand->value, operand->unit};
    }
    const auto operand = truth(*unary.operand, expr.at.span);
    if (!operand) return std::nullopt;
    return Truth{operand->holds ? std::optional(!*operand->holds) : std::nullopt};
  }

  std::optional<Truth> truth(const ast::Expr& expr, Span span) {
    const auto value = evaluate(expr);
    if (!value) return std::nullopt;
    if (const auto* result = std::get_if<Truth>(&*value)) return *result;
    fail(DiagnosticKind::BadArgument, span, "`and`, `or` and `not` take comparisons");
    return std::nullopt;
  }

  std::optional<Value> apply(const ast::Binary& binary, const ast::Expr& expr) {
    switch (binary.op) {
      case Op::And:
      case Op::Or:
        return logic(binary, expr.at.span);
      case Op::Add:
      case Op::Subtract:
        return add(binary);
      case Op::Divide:
        return divide(binary);
      case Op::Power:
        return raise(binary);
      case Op::Hadamard:
        return multiply_numbers(*binary.left, *binary.right);
      case Op::FloorDivide:
      case Op::Modulo:
        return divide_whole(binary);
      default:
        return compare(binary);
    }
  }

  std::optional<Value> logic(const ast::Binary& binary, Span span) {
    const auto left = truth(*binary.left, span);
    const auto right = left ? truth(*binary.right, span) : std::nullopt;
    if (!left || !right) return std::nullopt;
    const bool deciding =
        binary.op == ast::BinaryOp::Or;  // `or` is decided by a true, `and` by a false
    if (left->holds == deciding || right->holds == deciding) return Truth{deciding};
    if (!left->holds || !right->holds) return Truth{};
    return Truth{!deciding};
  }

  // FLOPs are a count: they compare with the plain number that a formula like 2·I·J·K gives.
  static bool counts_flops(const Unit& left, const Unit& right) {
    return (left == kFlops && right.is_plain()) || (left.is_plain() && right == kFlops);
  }

  std::optional<Value> add(const ast::Binary& binary) {
    const auto left = quantity(*binary.left);
    const auto right = quantity(*binary.right);
    if (!left || !right || !check_units(*left, *right, binary, check_)) return std::nullopt;
    const Unit unit = left->unit.is_plain() ? right->unit : left->unit;
    return Quantity{
        binary.op == ast::BinaryOp::Add ? left->value + right->value : left->value - right->value,
        unit};
  }

  std::optional<Value> divide(const ast::Binary& binary) {
    const auto left = quantity(*binary.left);
    const auto right = quantity(*binary.right);
    if (!left || !right) return std::nullopt;
    if (right->value.is_zero()) {
      // A block of which a mistake left out all statements takes no time.
      if (scope_.machine.failed || scope_.told.lacks_anything()) return std::nullopt;
      return fail(DiagnosticKind::DivisionByZero, binary.sign.span,
                  std::holds_alternative<ast::Number>(binary.right->node)
                      ? "a number cannot be divided by 0"
                      : fmt::format("`{}` is 0, and a number cannot be divided by 0",
                                    print(*binary.right, Spelling::Unicode)));
    }
    return Quantity{left->value / right->value, left->unit / right->unit};
  }

  std::optional<Value> raise(const ast::Binary& binary) {
    const auto base = quantity(*binary.left);
    const auto exponent = quantity(*binary.right);
    if (!base || !exponent) return std::nullopt;
    const auto number = exponent->value.constant();
    if (base->value.is_zero() && number && *number < Rational(0)) {
      return fail(DiagnosticKind::DivisionByZero, binary.sign.span,
                  "0 to a negative power divides by 0");
    }
    const auto whole = number ? number->to_int64() : std::nullopt;
    const auto known = base->value.constant();
    if (known && *known < Rational(0) && number && !whole) {
      return fail(
          DiagnosticKind::BadArgument, binary.sign.span,
          fmt::format("{} to the power {} is no number", to_text(*base), to_text(*exponent)),
          {"a negative number has whole powers only"});
    }
    if (!exponent->unit.is_plain() || (!base->unit.is_plain() && !whole)) {
      return fail(DiagnosticKind::UnitMismatch, binary.sign.span,
                  "an exponent is a plain number, and a whole one where there are units");
    }
    constexpr std::int64_t kLargest = 1000;
    if (whole && std::abs(*whole) > kLargest) {
      return fail(DiagnosticKind::NumberTooLarge, binary.sign.span,
                  fmt::format("the exponent {} is too large", *whole));
    }
    const Unit unit = whole ? power(base->unit, static_cast<int>(*whole)) : base->unit;
    return Quantity{power(base->value, exponent->value), unit};
  }

  std::optional<Value> compare(const ast::Binary& binary) {
    const auto left = evaluate(*binary.left);
    if (left && is_compared_as_found(*left, binary, scope_))
      return compare_found(*left, binary, context_);
    // That arrays are no scalars is said once.
    const bool arrays = !left && is_array_expression(*binary.left, scope_) &&
                        is_array_expression(*binary.right, scope_);
    // What a question is compared with reads by the rules of its answer.
    const bool asked = !left && std::holds_alternative<ast::Question>(binary.left->node);
    if (arrays || asked) return std::nullopt;
    const AnswerNames open(left, scope_);
    const auto right = evaluate(*binary.right);
    if (!left || !right) return std::nullopt;
    const auto* left_number = std::get_if<Quantity>(&*left);
    const auto* right_number = std::get_if<Quantity>(&*right);
    if (left_number == nullptr || right_number == nullptr) {
      return fail(DiagnosticKind::NotScalar, binary.sign.span, "only numbers can be compared");
    }
    if (!counts_flops(left_number->unit, right_number->unit) &&
        !check_units(*left_number, *right_number, binary, check_))
      return std::nullopt;
    const double tolerance =
        binary.tolerance ? binary.tolerance->value.to_double() : kDefaultTolerance;
    return shard::compare(binary.op, *left_number, *right_number, tolerance);
  }

  std::optional<Value> block_value(const ast::BlockExpr& block, Span span) {
    if (block.kind == ast::BlockKind::Comms) {
      return fail(DiagnosticKind::NotYet, span,
                  "this version has no values that are the collectives of a block",
                  {"`expect comms { … } is { AllGather_X A }` pins them, and `why c` lists those "
                   "of a cost block"});
    }
    Supposition supposition = supposition_of(block, scope_);
    const auto figures = context_.host.suppose(supposition, check_);
    if (!figures) return std::nullopt;
    if (block.kind == ast::BlockKind::Time) return Quantity{figures->totals.most.time, kSeconds};
    if (block.kind == ast::BlockKind::Flops) return Quantity{figures->totals.most.flops, kFlops};
    return supposition;
  }

  EvaluationContext& context_;
  CheckContext& check_;
  Scope& scope_;
};

}  // namespace

std::optional<Value> evaluate(const ast::Expr& expr, EvaluationContext& context) {
  if (hangs_on_mistake(expr, context.check.scope)) return std::nullopt;
  return Evaluator(context).evaluate(expr);
}

std::optional<Quantity> evaluate_quantity(const ast::Expr& expr, EvaluationContext& context) {
  auto value = evaluate(expr, context);
  if (!value) return std::nullopt;
  if (const auto* quantity = std::get_if<Quantity>(&*value)) return *quantity;
  report(context.check, DiagnosticKind::NotScalar, expr.at.span,
         fmt::format("`{}` is not a number", print(expr, Spelling::Unicode)));
  return std::nullopt;
}

}  // namespace shard

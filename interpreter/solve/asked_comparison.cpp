#include "interpreter/solve/asked_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/keyword.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/solve/absent_size.h"
#include "interpreter/solve/condition.h"
#include "interpreter/solve/crossing.h"
#include "interpreter/solve/rewrite.h"
#include "interpreter/suggest/unit_help.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

using BinaryOp = ast::BinaryOp;

bool is_comparison(BinaryOp op) {
  switch (op) {
    case BinaryOp::Less:
    case BinaryOp::LessEqual:
    case BinaryOp::Greater:
    case BinaryOp::GreaterEqual:
    case BinaryOp::Equal:
      return true;
    default:
      return false;
  }
}

// What is divided by a rate has bytes or FLOPs below: with both above, as in B·s, it is no time in any reading.
bool may_be_rate(const Unit& unit) {
  return unit.bytes * unit.seconds <= 0 && unit.flops * unit.seconds <= 0;
}

bool are_rates(const Sides& sides) {
  const bool open = !sides.left.value.constant() && !sides.right.value.constant();
  return open && sides.left.unit.seconds != 0 &&
         sides.left.unit.seconds == sides.right.unit.seconds && may_be_rate(sides.left.unit) &&
         may_be_rate(sides.right.unit);
}

// Whether whole parts or remainders are in it, which no formula says.
bool rounds(const ast::Expr& expr) {
  return any_inside(expr, [](const ast::Expr& inner) {
    const auto* binary = std::get_if<ast::Binary>(&inner.node);
    if (const auto* call = std::get_if<ast::Call>(&inner.node)) {
      const std::string& name = call->function.text;
      return name == "floor" || name == "ceil" || name == "round";
    }
    return binary != nullptr &&
           (binary->op == BinaryOp::Modulo || binary->op == BinaryOp::FloorDivide);
  });
}

// A side is given with its value, where that is known.
WrittenUnit written(const Quantity& side) {
  return {side.unit, side.value.constant().value_or(Rational(0))};
}

}  // namespace

const ast::Binary* comparison_in(const ast::Expr& asked, const AskedQuestion& about) {
  const ast::Question& question = about.question;
  const auto* binary = std::get_if<ast::Binary>(&asked.node);
  const bool solves = question.kind == ast::QuestionKind::Solve;
  if (binary != nullptr && is_comparison(binary->op) && (solves || binary->op != BinaryOp::Equal))
    return binary;
  if (binary != nullptr && binary->op == BinaryOp::Equal && rounds(asked)) {
    report_rounding(about);
    return nullptr;
  }
  if (binary != nullptr && binary->op == BinaryOp::Equal) {
    const ast::Question other{ast::QuestionKind::Solve,
                              question.size.value_or(ast::Identifier{"B", {}}), asked};
    report(about.context.check, DiagnosticKind::BadArgument, asked.at.span,
           "`when` asks for which sizes one side is larger",
           {print(ast::Expr{other, {}}, Spelling::Unicode) + " finds where both are equal"});
    return nullptr;
  }
  report(about.context.check, DiagnosticKind::BadArgument, asked.at.span,
         fmt::format("`{}` takes one comparison of two numbers", word_of(question.kind)),
         {solves ? "solve B { c.math = c.comms }" : "when { c.math > c.comms }"});
  return nullptr;
}

// Formulas of figures of the chip are written as the documents do, who count bytes and FLOPs without saying so:
// `B / X > C / W`, `8·B·D·F / C > 8·D·F / W`.
bool check_units(const ast::Binary& binary, const Sides& sides, const AskedQuestion& about) {
  const auto is_open = [](const Quantity& side) {
    return side.value.is_zero() || (side.unit.is_plain() && !side.value.constant());
  };
  const auto counts = [](const Quantity& side) {
    return side.unit == kFlops || side.unit.is_plain();
  };
  if (sides.left.unit == sides.right.unit || is_open(sides.left) || is_open(sides.right) ||
      (counts(sides.left) && counts(sides.right)) || are_rates(sides))
    return true;
  report(about.context.check, DiagnosticKind::UnitMismatch, binary.sign.span,
         fmt::format("the left side is {}, the right side {}", describe(sides.left.unit),
                     describe(sides.right.unit)),
         {sides_text(*binary.left, *binary.right, sides)}, {},
         sides.left.unit.is_plain() ? unit_edits(*binary.left, sides.right.unit)
         : sides.right.unit.is_plain()
             ? unit_edits(*binary.right, sides.left.unit)
             : side_edits(binary, written(sides.left), written(sides.right)));
  return false;
}

void report_others(const std::vector<std::string>& others, const AskedQuestion& about) {
  if (lacks_what_was_reported(others, about.context.check.scope)) return;
  std::vector<std::string> quoted;
  std::vector<std::string> values;
  bool lacks_chip = false;
  for (const std::string& other : others) {
    quoted.push_back("`" + other + "`");
    if (is_chip_symbol(other))
      lacks_chip = true;
    else
      values.push_back(other + " = 8192");
  }
  std::vector<std::string> help;
  if (!values.empty())
    help.push_back(fmt::format("give {} a value before: {}", values.size() == 1 ? "it" : "each",
                               join(values, ", ")));
  if (lacks_chip) help.emplace_back("figures of a chip are those of the hardware: hardware TPUv5p");
  report(about.context.check, DiagnosticKind::SeveralOpenSizes, about.span,
         fmt::format("{} {} open as well, and no formula says where it is so", join_words(quoted),
                     others.size() == 1 ? "is" : "are"),
         std::move(help));
}

void report_rounding(const AskedQuestion& about) {
  const std::string size = about.question.size ? about.question.size->text : "B";
  report(about.context.check, DiagnosticKind::Undecidable, about.span,
         "what rounds, or leaves a remainder, is no formula that can be solved",
         {fmt::format("look at sizes one by one: for {0} in 1..17 {{ print {0}, {1} }}", size,
                      one_line(print(*about.question.asked, Spelling::Unicode)))});
}

std::vector<std::string> others_in(const Formula& formula, const std::string& symbol) {
  std::vector<std::string> others = formula.symbols();
  std::erase(others, symbol);
  return others;
}

std::string plan_remark(const ast::Expr& left, const ast::Expr& right, const Sides& sides,
                        const AskedQuestion& about) {
  if (!prices(left) && !prices(right)) return "";
  std::vector<std::string> open;
  if (about.question.size) open.push_back(about.question.size->text);
  std::vector<std::string> symbols = sides.difference().symbols();
  std::erase_if(symbols, is_chip_symbol);
  const Formula known = without_latencies(sides.difference());
  const auto differs = [&](const std::map<std::string, double, std::less<>>& numbers) {
    const auto other = sides_planned_at(left, &right, open, numbers, about.context);
    return other && !(without_latencies(other->difference()) == known);
  };
  for (const double size : {512.0, 8192.0, 1048576.0}) {
    if (differs({{"", size}})) return kPlanRemark;
    for (const std::string& symbol : symbols) {
      const bool is_axis = about.context.check.scope.find_axis(symbol).has_value();
      if (!is_axis && differs({{symbol, size}})) return kPlanRemark;
    }
  }
  return "";
}

}  // namespace shard

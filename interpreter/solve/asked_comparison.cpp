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
#include "interpreter/suggest/chip_help.h"
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

// A figure that is a word or a condition, and the comparisons of numbers that it stands for.
struct WordFigure {
  std::string_view figure;
  std::string_view word;  // that it is compared with; empty: any
  std::string_view asked;
};
constexpr WordFigure kWordFigures[] = {
    {"bound", "compute", "{0}.math >= {0}.hbm and {0}.math >= {0}.comms"},
    {"bound", "memory", "{0}.hbm > {0}.math and {0}.hbm >= {0}.comms"},
    {"bound", "", "{0}.comms > {0}.math and {0}.comms > {0}.hbm"},
    {"fits", "", "{0}.peak_memory <= chip.HBM"},
};

std::string name_in(const ast::Expr& expr) {
  const auto* name = std::get_if<ast::ArrayRef>(&expr.node);
  return name != nullptr && name->name && !name->bracketed ? name->name->text : "";
}

// What asks for the same with numbers: "c.math >= c.comms"; empty where no such figure is compared.
std::string asked_by_numbers(const ast::Expr& side, const std::string& word) {
  const auto* member = std::get_if<ast::Member>(&side.node);
  const std::string block = member == nullptr ? "" : name_in(*member->object);
  if (block.empty()) return "";
  for (const WordFigure& known : kWordFigures) {
    if (known.figure != member->field.text || (!known.word.empty() && known.word != word)) continue;
    return fmt::format(fmt::runtime(known.asked), block);
  }
  return "";
}
std::string asked_by_numbers(const ast::Expr& asked) {
  const auto* binary = std::get_if<ast::Binary>(&asked.node);
  if (binary == nullptr) return asked_by_numbers(asked, "");
  const std::string left = asked_by_numbers(*binary->left, name_in(*binary->right));
  return left.empty() ? asked_by_numbers(*binary->right, name_in(*binary->left)) : left;
}

bool report_word(const ast::Expr& asked, const AskedQuestion& about) {
  const std::string numbers = asked_by_numbers(asked);
  if (numbers.empty()) return false;
  const auto& size = about.question.size;
  report(about.context.check, DiagnosticKind::BadArgument, asked.at.span,
         fmt::format("`{}` takes one comparison of two numbers", word_of(about.question.kind)),
         {fmt::format("when {}{{ {} }}", size ? size->text + " " : "", numbers)});
  return true;
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
  if (report_word(asked, about)) return nullptr;
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

std::vector<std::string> sizes_to_give(const ast::Expr& left, const ast::Expr& right,
                                       const AskedQuestion& about) {
  const Scope& scope = about.context.check.scope;
  auto open = open_symbols(left, right, about.context);
  const bool lacks_machine = std::any_of(open.begin(), open.end(), [&](const auto& symbol) {
    return is_chip_symbol(symbol) || scope.find_axis(symbol);
  });
  if (lacks_machine) return {};
  if (about.question.size) std::erase(open, asked_size(*about.question.size, scope).symbol);
  return open;
}

void report_others(const std::vector<std::string>& others, const AskedQuestion& about) {
  if (lacks_what_was_reported(others, about.context.check.scope)) return;
  std::vector<std::string> quoted;
  std::vector<std::string> values;
  std::vector<std::string> of_chip;
  for (const std::string& other : others) {
    quoted.push_back("`" + other + "`");
    if (is_chip_symbol(other))
      of_chip.push_back(other);
    else
      values.push_back(other + " = 8192");
  }
  std::vector<std::string> help;
  if (!values.empty())
    help.push_back(fmt::format("give {} a value before: {}", values.size() == 1 ? "it" : "each",
                               join(values, ", ")));
  if (!of_chip.empty())
    help.push_back("figures of a chip are those of the hardware: " +
                   hardware_line(of_chip, about.context.check.scope, ""));
  report(about.context.check, DiagnosticKind::SeveralOpenSizes, about.span,
         fmt::format("{} {} open as well, and no formula says where it is so", join_words(quoted),
                     others.size() == 1 ? "is" : "are"),
         std::move(help));
}

void report_several(const std::vector<std::string>& open, const AskedQuestion& about) {
  if (lacks_what_was_reported(open, about.context.check.scope)) return;
  std::vector<std::string> quoted;
  std::vector<std::string> values;
  for (const std::string& symbol : open) {
    quoted.push_back("`" + symbol + "`");
    if (&symbol != &open.front()) values.push_back(symbol + " = 8192");
  }
  ast::Question other = about.question;
  other.size = ast::Identifier{open.front(), {}};
  report(about.context.check, DiagnosticKind::SeveralOpenSizes, about.span,
         fmt::format("{} are open, and no formula says where it is so", join_words(quoted)),
         {fmt::format("give all but one a value before: {}, then {}", join(values, ", "),
                      one_line(print(ast::Expr{other, {}}, Spelling::Unicode)))});
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

#include "interpreter/solve/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/keyword.h"
#include "interpreter/solve/absent_size.h"
#include "interpreter/solve/condition.h"
#include "interpreter/solve/crossing.h"
#include "interpreter/solve/least.h"
#include "interpreter/solve/mesh_search.h"
#include "interpreter/solve/monomial.h"
#include "interpreter/solve/open_size.h"
#include "interpreter/solve/pieces.h"
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

std::shared_ptr<const std::string> said(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

class Answerer {
 public:
  Answerer(const ast::Question& question, Span span, EvaluationContext& context)
      : question_(question), span_(span), context_(context), scope_(context.check.scope) {}

  std::optional<Value> answer() {
    switch (question_.kind) {
      case ast::QuestionKind::Solve:
        return solve();
      case ast::QuestionKind::When:
        return when();
      case ast::QuestionKind::Minimize:
        break;
    }
    return minimize();
  }

 private:
  std::optional<Value> fail(DiagnosticKind kind, Span span, std::string message,
                            std::vector<std::string> help = {}, std::vector<Edit> edits = {}) {
    report(context_.check, kind, span, std::move(message), std::move(help), {}, std::move(edits));
    return std::nullopt;
  }

  // ------------------------------------------------------------ what is asked

  // Null after a report.
  const ast::Binary* comparison(const ast::Expr& asked) {
    const auto* binary = std::get_if<ast::Binary>(&asked.node);
    const bool solves = question_.kind == ast::QuestionKind::Solve;
    if (binary != nullptr && is_comparison(binary->op) && (solves || binary->op != BinaryOp::Equal))
      return binary;
    if (binary != nullptr && binary->op == BinaryOp::Equal) {
      fail(DiagnosticKind::BadArgument, asked.at.span,
           "`when` asks for which sizes one side is larger",
           {print(ast::Expr{ast::Question{ast::QuestionKind::Solve,
                                          question_.size.value_or(ast::Identifier{"B", {}}), asked},
                            {}},
                  Spelling::Unicode) +
            " finds where both are equal"});
      return nullptr;
    }
    fail(DiagnosticKind::BadArgument, asked.at.span,
         fmt::format("`{}` takes one comparison of two numbers", word_of(question_.kind)),
         {solves ? "solve B { c.math = c.comms }" : "when { c.math > c.comms }"});
    return nullptr;
  }

  // A number of bytes, FLOPs or seconds is no plain one. Formulas of figures of the chip are written as the documents do, who count
  // bytes and FLOPs without saying so: `B / X > C / W`, `8·B·D·F / C > 8·D·F / W`.
  bool check_units(const ast::Binary& binary, const Sides& sides) {
    const auto is_open = [](const Quantity& side) {
      return side.value.is_zero() || (side.unit.is_plain() && !side.value.constant());
    };
    const auto counts = [](const Quantity& side) {
      return side.unit == kFlops || side.unit.is_plain();
    };
    if (sides.left.unit == sides.right.unit || is_open(sides.left) || is_open(sides.right) ||
        (counts(sides.left) && counts(sides.right)) || are_rates(sides))
      return true;
    fail(DiagnosticKind::UnitMismatch, binary.sign.span,
         fmt::format("the left side is {}, the right side {}", describe(sides.left.unit),
                     describe(sides.right.unit)),
         {sides_text(*binary.left, *binary.right, sides)},
         sides.left.unit.is_plain() ? unit_edits(*binary.left, sides.right.unit)
                                    : unit_edits(*binary.right, sides.left.unit));
    return false;
  }

  static bool are_rates(const Sides& sides) {
    const bool open = !sides.left.value.constant() && !sides.right.value.constant();
    return open && sides.left.unit.seconds != 0 &&
           sides.left.unit.seconds == sides.right.unit.seconds;
  }

  std::vector<std::string> others_in(const Formula& formula, const std::string& symbol) const {
    std::vector<std::string> others = formula.symbols();
    std::erase(others, symbol);
    return others;
  }

  std::optional<Value> report_absent(const AskedSize& size, const std::vector<Formula>& asked) {
    const bool one = asked.size() == 1;
    shard::report_absent(size, asked,
                         one ? "what is to be least does not depend" : "neither side depends",
                         context_.check);
    return std::nullopt;
  }

  std::optional<Value> report_others(const std::vector<std::string>& others) {
    if (lacks_what_was_reported(others, scope_)) return std::nullopt;
    std::vector<std::string> quoted;
    std::vector<std::string> values;
    for (const std::string& other : others) {
      quoted.push_back("`" + other + "`");
      values.push_back(other + " = 8192");
    }
    return fail(DiagnosticKind::SeveralOpenSizes, span_,
                fmt::format("{} {} open as well, and no formula says where it is so",
                            join_words(quoted), others.size() == 1 ? "is" : "are"),
                {fmt::format("give {} a value before: {}", others.size() == 1 ? "it" : "each",
                             join(values, ", "))});
  }

  // ------------------------------------------------------------ solve

  std::optional<Value> solve() {
    const ast::Binary* binary = comparison(*question_.asked);
    if (binary == nullptr) return std::nullopt;
    SizeComparison asked{with_figures(*binary->left, scope_),
                         with_figures(*binary->right, scope_),
                         binary->op,
                         asked_size(*question_.size, scope_),
                         {}};
    bool undecided = false;
    const std::vector<std::string> open = {asked.size.name.text};
    const auto sides = open_sides(asked.left, &asked.right, open, context_, &undecided);
    if (undecided) {
      if (auto found = searched_crossings(asked, context_)) return found;
      open_sides(asked.left, &asked.right, open, context_);  // says why
      return std::nullopt;
    }
    if (!sides || !check_units(*binary, *sides)) return std::nullopt;
    asked.sides = *sides;
    const std::string& symbol = asked.size.symbol;
    const Formula difference = sides->difference();
    if (!has_symbol(sides->left.value, symbol) && !has_symbol(sides->right.value, symbol)) {
      // With other plans than that of the open size they may.
      auto found = searched_crossings(asked, context_);
      if (found && !std::holds_alternative<Word>(*found)) return found;
      return report_absent(asked.size, {sides->left.value, sides->right.value});
    }
    if (!has_symbol(difference, symbol)) return cancels(asked);
    const auto others = others_in(difference, symbol);
    if (!others.empty()) return solve_formula(asked, others);
    auto found = crossings_of(asked, context_);
    if (!found) return report_others({symbol});
    return found;
  }

  // The size is on both sides, and makes no difference.
  std::optional<Value> cancels(const SizeComparison& asked) {
    const std::string text = sides_text(asked.left, asked.right, asked.sides);
    const auto difference = asked.sides.difference();
    const auto number = difference.constant();
    if (!number) {
      return fail(DiagnosticKind::NoOpenSize, question_.size->at.span,
                  fmt::format("`{}` cancels: both sides differ by {} for all of it",
                              question_.size->text, difference.to_string()),
                  {"ask for one of the sizes that are left"});
    }
    const int sign = *number > Rational(0) ? 1 : *number < Rational(0) ? -1 : 0;
    bool holds = sign == 0;
    if (asked.op == BinaryOp::Greater || asked.op == BinaryOp::GreaterEqual)
      holds = sign > 0 || (sign == 0 && asked.op == BinaryOp::GreaterEqual);
    if (asked.op == BinaryOp::Less || asked.op == BinaryOp::LessEqual)
      holds = sign < 0 || (sign == 0 && asked.op == BinaryOp::LessEqual);
    return Word{holds ? kHoldsAlways : kHoldsNever, text};
  }

  std::optional<Value> solve_formula(const SizeComparison& asked,
                                     const std::vector<std::string>& others) {
    const Formula difference = asked.sides.difference();
    const Formula plain = without_latencies(difference);
    const auto terms = monomials_of(plain);
    if (!terms) return report_others(others);
    const bool opaque = std::any_of(terms->begin(), terms->end(),
                                    [](const Monomial& term) { return term.is_opaque; });
    const Inequality inequality = cancelled(*terms);
    if (inequality.larger.empty() || inequality.smaller.empty())
      return Word{kHoldsNever, sides_text(asked.left, asked.right, asked.sides)};
    const auto solved = solved_for(asked.size.symbol, inequality);
    if (!solved || opaque) return report_others(others);
    std::string remark = plain == difference ? "" : kBandwidthRemark;
    if (solved->where) {
      remark += fmt::format("{}where {}, else never", remark.empty() ? "" : "; ",
                            positive_text(*solved->where));
    }
    return Quantity{solved->bound, kPlain, remark.empty() ? nullptr : said(remark)};
  }

  // ------------------------------------------------------------ when

  struct Found {
    Asked asked;
    Condition condition;
  };

  std::optional<Value> when() {
    auto found = found_for(*question_.asked, true);
    if (!found) return std::nullopt;
    return std::move(found->condition);
  }

  // `alone`: it has to depend on the size that is asked for.
  std::optional<Found> found_for(const ast::Expr& expr, bool alone) {
    const auto* both = std::get_if<ast::Binary>(&expr.node);
    if (both != nullptr && (both->op == BinaryOp::And || both->op == BinaryOp::Or)) {
      const auto one = found_for(*both->left, false);
      const auto other = one ? found_for(*both->right, false) : std::nullopt;
      if (!other) return std::nullopt;
      const bool all = both->op == BinaryOp::And;
      auto condition =
          joined_condition({one->asked, one->condition}, {other->asked, other->condition}, all);
      const Formula& left = one->asked.difference;
      const Formula& right = other->asked.difference;
      Asked asked = one->asked;
      asked.difference = all ? min(left, right) : max(left, right);
      return Found{std::move(asked), std::move(condition)};
    }
    const ast::Binary* binary = comparison(expr);
    if (binary == nullptr) return std::nullopt;
    const ast::Expr left = with_figures(*binary->left, scope_);
    const ast::Expr right = with_figures(*binary->right, scope_);
    std::vector<std::string> open;
    if (question_.size) open.push_back(question_.size->text);
    const auto sides = open_sides(left, &right, open, context_);
    if (!sides || !check_units(*binary, *sides)) return std::nullopt;
    const bool more = binary->op == BinaryOp::Greater || binary->op == BinaryOp::GreaterEqual;
    Asked asked{.difference = more ? sides->difference() : Formula(0) - sides->difference(),
                .strict = binary->op == BinaryOp::Greater || binary->op == BinaryOp::Less,
                .size = {},
                .sides = sides_text(left, right, *sides)};
    if (question_.size) asked.size = asked_size(*question_.size, scope_);
    if (alone && asked.size && !has_symbol(sides->left.value, asked.size->symbol) &&
        !has_symbol(sides->right.value, asked.size->symbol)) {
      report_absent(*asked.size, {sides->left.value, sides->right.value});
      return std::nullopt;
    }
    auto condition = condition_of(asked, scope_);
    if (!condition) {
      condition = more ? raw_condition(asked, sides->left.value, sides->right.value)
                       : raw_condition(asked, sides->right.value, sides->left.value);
    }
    if (alone) add_whole_sizes(asked, left, right, *condition);
    return Found{std::move(asked), *std::move(condition)};
  }

  // Of the only size that is open, where it is one that is priced.
  void add_whole_sizes(const Asked& asked, const ast::Expr& left, const ast::Expr& right,
                       Condition& condition) {
    const auto symbols = asked.difference.symbols();
    if (symbols.size() != 1 || !(prices(left) || prices(right))) return;
    const auto row = signs_of(asked.difference, symbols.front());
    const auto step = step_of(left, &right, symbols.front(), context_);
    if (!row || row->roots.size() != 1 || !step) return;
    const std::string whole = whole_text(row->roots.front(), row->signs.back() > 0, *step);
    if (!whole.empty()) condition.remark = "whole " + whole;
  }

  // ------------------------------------------------------------ minimize

  std::optional<Value> minimize() {
    const ast::Expr what = with_figures(*question_.asked, scope_);
    const AskedSize size = asked_size(*question_.size, scope_);
    const auto axis = scope_.find_axis(size.name.text);
    const bool is_cut = axis && scope_.mesh().axes[*axis].size.constant();
    if (is_cut && scope_.machine.mesh_known() && !question_.follows && prices(what))
      return over_meshes(what, size);
    std::vector<std::string> open = {size.name.text};
    const ast::Expr* follows = nullptr;
    if (question_.follows) {
      open.push_back(question_.follows->name.text);
      follows = &*question_.follows->value;
    }
    const auto sides = open_sides(what, follows, open, context_);
    if (!sides) return std::nullopt;
    Formula formula = sides->left.value;
    if (question_.follows) {
      const AskedSize other = asked_size(question_.follows->name, scope_);
      if (!has_symbol(formula, other.symbol)) return report_absent(other, {formula});
      formula = with_value(formula, other.symbol, sides->right.value);
    }
    if (!has_symbol(formula, size.symbol)) return report_absent(size, {formula});
    return least_value(formula, size, sides->left.unit);
  }

  std::optional<Value> least_value(const Formula& formula, const AskedSize& size,
                                   const Unit& unit) {
    const Least least = least_of(formula, size.symbol);
    const std::string where = least.without_latency ? fmt::format(", {}", kBandwidthRemark) : "";
    const std::string text = to_text(Quantity{formula, unit}) + where;
    switch (least.kind) {
      case Least::Kind::Falls:
        return Word{kHoldsNever, fmt::format("less with every larger {}: {}", size.symbol, text)};
      case Least::Kind::Rises:
        return Word{kHoldsNever, fmt::format("less with every smaller {}: {}", size.symbol, text)};
      case Least::Kind::Flat:
        return Word{kHoldsAlways, fmt::format("the same for every {}: {}", size.symbol, text)};
      case Least::Kind::Unknown:
        return report_others(others_in(formula, size.symbol));
      case Least::Kind::At:
        break;
    }
    Quantity found{least.at, kPlain, said(least.without_latency ? kBandwidthRemark : "")};
    const Formula value = with_value(formula, size.symbol, least.at);
    if (value.constant()) found.remark = said("it is " + to_text(Quantity{value, unit}) + " there");
    return found;
  }

  std::optional<Value> over_meshes(const ast::Expr& what, const AskedSize& size) {
    const std::string& name = size.name.text;
    const auto shared = shared_axes(scope_);
    if (!contains(shared, name)) {
      return fail(DiagnosticKind::BadArgument, size.name.at.span,
                  fmt::format("how long `{}` is, the machine decides", name),
                  {shared.empty() ? "minimize c.time over X, with mesh {X: 4x4, Y: 4}"
                                  : fmt::format("ask for {}", join_words(shared, "or"))});
    }
    if (shared.size() > kMostAxesTried) {
      return fail(DiagnosticKind::BadArgument, size.name.at.span,
                  fmt::format("there are too many meshes of {} axes to try", shared.size()),
                  {fmt::format("a mesh of at most {} axes", kMostAxesTried)});
    }
    const auto tried = tried_meshes(name, what, context_);
    if (tried.empty()) {
      const auto value = evaluate_quantity(what, context_);
      if (!value) return std::nullopt;
      return report_others(value->value.symbols());
    }
    const auto is_less = [](const TriedMesh& a, const TriedMesh& b) {
      return *a.value.value.constant() < *b.value.value.constant();
    };
    const auto best = std::min_element(tried.begin(), tried.end(), is_less);
    std::string text = fmt::format("{}: {}", best->mesh, to_text(best->value));
    constexpr std::size_t kMostOthers = 7;
    std::size_t others = 0;
    for (const TriedMesh& mesh : tried) {
      if (&mesh == &*best || ++others > kMostOthers) continue;
      text += fmt::format("; {}: {}", mesh.mesh, to_text(mesh.value));
    }
    if (others > kMostOthers) text += fmt::format("; {} more", others - kMostOthers);
    return Quantity{Formula(best->size), kPlain, said(text)};
  }

  const ast::Question& question_;
  Span span_;
  EvaluationContext& context_;
  Scope& scope_;
};

}  // namespace

std::optional<Value> answer(const ast::Question& question, Span span, EvaluationContext& context) {
  return Answerer(question, span, context).answer();
}

}  // namespace shard

#include "interpreter/solve/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/machine/mesh_misfit.h"
#include "interpreter/solve/absent_size.h"
#include "interpreter/solve/asked_comparison.h"
#include "interpreter/solve/condition.h"
#include "interpreter/solve/crossing.h"
#include "interpreter/solve/least.h"
#include "interpreter/solve/least_priced.h"
#include "interpreter/solve/mesh_search.h"
#include "interpreter/solve/monomial.h"
#include "interpreter/solve/open_size.h"
#include "interpreter/solve/rewrite.h"
#include "interpreter/solve/when.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

using BinaryOp = ast::BinaryOp;

std::shared_ptr<const std::string> said(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

class Answerer {
 public:
  Answerer(const ast::Question& question, Span span, EvaluationContext& context)
      : about_{question, span, context},
        question_(question),
        span_(span),
        context_(context),
        scope_(context.check.scope) {}

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

  std::optional<Value> report_absent(const AskedSize& size, const std::vector<Formula>& asked) {
    const bool one = asked.size() == 1;
    shard::report_absent(size, asked,
                         one ? "what is to be least does not depend" : "neither side depends",
                         context_.check);
    return std::nullopt;
  }

  std::optional<Value> report_others(const std::vector<std::string>& others) {
    shard::report_others(others, about_);
    return std::nullopt;
  }

  // ------------------------------------------------------------ solve

  std::optional<Value> solve() {
    const ast::Binary* binary = comparison_in(*question_.asked, about_);
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
      if (const auto others = sizes_to_give(asked.left, asked.right, about_); !others.empty())
        return report_others(others);
      if (const auto signs = signs_of_sizes(asked, context_)) return crossings_of(asked, *signs);
      open_sides(asked.left, &asked.right, open, context_);  // says why
      return std::nullopt;
    }
    if (!sides || !check_units(*binary, *sides, about_)) return std::nullopt;
    asked.sides = *sides;
    const auto others = others_in(sides->difference(), asked.size.symbol);
    if (others.empty()) return solve_alone(asked);
    if (!has_symbol(sides->left.value, asked.size.symbol) &&
        !has_symbol(sides->right.value, asked.size.symbol))
      return report_absent(asked.size, {sides->left.value, sides->right.value});
    if (!has_symbol(sides->difference(), asked.size.symbol)) return cancels(asked);
    return solve_formula(asked, others);
  }

  // No other size is open.
  std::optional<Value> solve_alone(const SizeComparison& asked) {
    const auto signs = signs_of_sizes(asked, context_);
    if (!signs) {
      report_rounding(about_);
      return std::nullopt;
    }
    if (!signs->depends)
      return report_absent(asked.size, {asked.sides.left.value, asked.sides.right.value});
    return crossings_of(asked, *signs);
  }

  // The size is on both sides, and makes no difference.
  std::optional<Value> cancels(const SizeComparison& asked) {
    return fail(DiagnosticKind::NoOpenSize, question_.size->at.span,
                fmt::format("`{}` cancels: both sides differ by {} for all of it",
                            question_.size->text, asked.sides.difference().to_string()),
                {"ask for one of the sizes that are left"});
  }

  // The size is a factor of both sides; what is left may be solved for another one.
  std::optional<Value> falls_out(const std::vector<std::string>& others,
                                 const Inequality& inequality) {
    for (const std::string& other : others) {
      const auto solved = is_chip_symbol(other) ? std::nullopt : solved_for(other, inequality);
      if (!solved) continue;
      return fail(
          DiagnosticKind::NoOpenSize, question_.size->at.span,
          fmt::format("`{}` is a factor of both sides and falls out: it is so where {} = {}",
                      question_.size->text, other, to_text(Quantity{solved->bound, kPlain})),
          {}, {{question_.size->at.span, other}});
    }
    return report_others(others);
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
    const std::string plan = plan_remark(asked.left, asked.right, asked.sides, about_);
    if (inequality.larger.empty() || inequality.smaller.empty()) {
      const std::string text = sides_text(asked.left, asked.right, asked.sides);
      return Word{kHoldsNever, plan.empty() ? text : text + "; " + plan};
    }
    const auto solved = solved_for(asked.size.symbol, inequality);
    if (!solved && !opaque && !has_symbol(inequality, asked.size.symbol))
      return falls_out(others, inequality);
    if (!solved || opaque) return report_others(others);
    std::vector<std::string> remarks;
    if (!(plain == difference)) remarks.emplace_back(kBandwidthRemark);
    if (solved->where) remarks.push_back("where " + positive_text(*solved->where) + ", else never");
    if (!plan.empty()) remarks.push_back(plan);
    return Quantity{solved->bound, kPlain, remarks.empty() ? nullptr : said(join(remarks, "; "))};
  }

  std::optional<Value> when() {
    auto condition = condition_asked(about_);
    if (!condition) return std::nullopt;
    return *std::move(condition);
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
    bool undecided = false;
    const auto sides = open_sides(what, follows, open, context_, &undecided);
    if (undecided) return of_numbers(what, follows, size, open);
    if (!sides) return std::nullopt;
    Formula formula = sides->left.value;
    if (question_.follows) {
      const AskedSize other = asked_size(question_.follows->name, scope_);
      if (!has_symbol(formula, other.symbol)) return report_absent(other, {formula});
      formula = with_value(formula, other.symbol, sides->right.value);
    }
    if (!question_.follows) {
      SizeComparison asked = alone(what, size);
      asked.sides = {sides->left, {Formula(0), sides->left.unit}};
      if (const auto least = least_priced(asked, context_)) return priced_value(*least, size);
    }
    if (!has_symbol(formula, size.symbol)) return report_absent(size, {formula});
    return least_value(formula, size, sides->left.unit);
  }

  // Beside nothing.
  static SizeComparison alone(const ast::Expr& what, const AskedSize& size) {
    const ast::Number zero{.value = Rational(0), .unit = kPlain, .text = "0", .at = {}};
    return {what, {zero, what.at}, ast::BinaryOp::Equal, size, {}};
  }

  Value priced_value(const LeastPriced& least, const AskedSize& size) const {
    const std::string value = to_text(least.value);
    switch (least.kind) {
      case Least::Kind::Falls:
        return Word{kHoldsNever, fmt::format("less with every larger {}", size.symbol)};
      case Least::Kind::Rises:
        return Word{kHoldsNever, fmt::format("least with the smallest {}: {}", size.symbol, value)};
      case Least::Kind::Flat:
        return Word{kHoldsAlways, fmt::format("the same for every {}: {}", size.symbol, value)};
      default:
        return Quantity{Formula(least.at.number()), kPlain, said("it is " + value + " there")};
    }
  }

  // Figures of the timeline are no formulas: whole sizes are priced.
  std::optional<Value> of_numbers(const ast::Expr& what, const ast::Expr* follows,
                                  const AskedSize& size, const std::vector<std::string>& open) {
    const auto sizes =
        follows == nullptr ? sizes_to_give(what, what, about_) : std::vector<std::string>();
    if (!sizes.empty()) return report_others(sizes);
    auto others = open_symbols(what, what, context_);
    for (const std::string& name : open) std::erase(others, asked_size({name, {}}, scope_).symbol);
    if (others.empty() && follows == nullptr) {
      if (const auto least = least_of_prices(alone(what, size), context_))
        return priced_value(*least, size);
    }
    if (others.empty() && follows != nullptr) {
      return fail(
          DiagnosticKind::Undecidable, question_.follows->name.at.span,
          fmt::format("`{}` is priced for numbers alone: there is no formula to put `{}` into",
                      one_line(print(*question_.asked, Spelling::Unicode)),
                      question_.follows->name.text),
          {"figures that are formulas: `time`, `comms`, `math`, `flops`, `memory`"});
    }
    open_sides(what, follows, open, context_);  // says why
    return std::nullopt;
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
        return Word{kHoldsNever, fmt::format("least with the smallest {}: {}", size.symbol, text)};
      case Least::Kind::Flat:
        return Word{kHoldsAlways, fmt::format("the same for every {}: {}", size.symbol, text)};
      case Least::Kind::Endless:
        return Word{
            kHoldsNever,
            fmt::format("it falls without bound next to {} = {}, where it divides by zero: {}",
                        size.symbol, to_text(Quantity{least.at, kPlain}), text)};
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

  // It has no value on any mesh that was tried.
  std::optional<Value> report_no_mesh(const ast::Expr& what, const AskedSize& size) {
    const auto value = evaluate_quantity(what, context_);
    if (!value || !fits_slice(scope_.machine)) return std::nullopt;  // reported
    const auto symbols = value->value.symbols();
    if (!symbols.empty()) return report_others(symbols);
    return fail(DiagnosticKind::NoOpenSize, size.name.at.span,
                fmt::format("no mesh of as many devices has a value for it, whatever `{}` is",
                            size.name.text));
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
    std::vector<std::string> open;
    const auto tried = tried_meshes(name, what, context_, open);
    if (!open.empty()) return report_others(open);
    if (tried.empty()) return report_no_mesh(what, size);
    const auto is_less = [](const TriedMesh& a, const TriedMesh& b) {
      return *a.value.value.constant() < *b.value.value.constant();
    };
    const auto [best, worst] = std::minmax_element(tried.begin(), tried.end(), is_less);
    // The figure of a block that has a mesh of its own, for instance.
    if (tried.size() > 1 && !is_less(*best, *worst)) {
      return fail(
          DiagnosticKind::NoOpenSize, size.name.at.span,
          fmt::format("it is {} on every mesh, whatever `{}` is", to_text(best->value), name),
          {"a block with a `mesh` of its own is priced on that: leave the `mesh` out of it"});
    }
    note_own_meshes(what, name, context_.check);
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

  const AskedQuestion about_;
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

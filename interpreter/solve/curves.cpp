#include "interpreter/solve/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/format.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/solve/absent_size.h"
#include "interpreter/solve/answer.h"
#include "interpreter/solve/open_size.h"
#include "interpreter/solve/rewrite.h"
#include "interpreter/suggest/chip_help.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

// Between two sizes that are drawn; kinks and steps of the planning are between neighbours of a hundredth of the picture.
constexpr int kIntervals = 96;

std::string series_text(const ast::Expr& expr) { return one_line(print(expr, Spelling::Unicode)); }

bool asks_for_computing(const ast::Expr& expr) {
  const auto* member = std::get_if<ast::Member>(&expr.node);
  return member != nullptr && member->field.text == "math";
}

class Drawer {
 public:
  Drawer(const ast::Plot& plot, Span span, EvaluationContext& context)
      : plot_(plot), span_(span), context_(context) {
    for (const ast::Expr& expr : plot.series)
      series_.push_back(with_figures(expr, context.check.scope));
  }

  std::optional<Curves> draw() {
    if (series_.size() > kMostCurves) {
      return fail(DiagnosticKind::BadArgument, series_[kMostCurves].at.span,
                  fmt::format("a picture has up to {} curves", kMostCurves),
                  {"draw the others by another `plot`"});
    }
    const auto from = bound(plot_.from);
    const auto to = from ? bound(plot_.to) : std::nullopt;
    if (!to) return std::nullopt;
    if (*from > *to) {
      return fail(DiagnosticKind::BadArgument, cover(plot_.from.at.span, plot_.to.at.span),
                  fmt::format("the range ends at {}, before its begin", format_integer(*to)),
                  {fmt::format("from {} to {}", series_text(plot_.to), series_text(plot_.from))});
    }
    if (!read_open()) return std::nullopt;
    if (!choose_sizes(*from, *to)) return std::nullopt;
    for (const ast::Expr& expr : series_) sample(expr);
    if (!is_drawn()) return std::nullopt;
    find_crossings();
    return std::move(curves_);
  }

 private:
  std::nullopt_t fail(DiagnosticKind kind, Span span, std::string message,
                      std::vector<std::string> help = {}, std::vector<Edit> edits = {}) {
    report(context_.check, kind, span, std::move(message), std::move(help), {}, std::move(edits));
    return std::nullopt;
  }

  std::optional<std::int64_t> bound(const ast::Expr& expr) {
    const auto value = evaluate_quantity(expr, context_);
    if (!value) return std::nullopt;
    const auto number = value->value.constant();
    if (!number) {
      return fail(DiagnosticKind::BadArgument, expr.at.span,
                  fmt::format("`{}` is a formula, and a range takes numbers", series_text(expr)),
                  {"give its sizes values before"});
    }
    const auto whole = number->to_int64();
    if (!value->unit.is_plain() || !whole || *whole < 1 || *whole > kMaxLength) {
      return fail(DiagnosticKind::BadArgument, expr.at.span,
                  fmt::format("`{}` is {}, and no size", series_text(expr), to_text(*value)),
                  {kLengthRule});
    }
    return whole;
  }

  // With the size open: what is wrong for all sizes, and what has no value.
  bool read_open() {
    curves_.size = plot_.size.text;
    const AskedSize size = asked_size(plot_.size, context_.check.scope);
    bool depends = false;
    std::vector<std::optional<Formula>> values;
    std::vector<Formula> known;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      bool undecided = false;
      const auto sides = open_sides(series_[i], nullptr, {plot_.size.text}, context_, &undecided);
      if (!sides && !undecided) return false;
      depends = depends || undecided || has_symbol(sides->left.value, size.symbol);
      if (sides && !fits_unit(i, sides->left.unit)) return false;
      values.emplace_back();
      if (!sides) continue;
      values.back() = sides->left.value;
      known.push_back(sides->left.value);
    }
    if (!depends) {
      report_absent(size, known, "nothing that is drawn depends", context_.check);
      return false;
    }
    for (std::size_t i = 0; i < series_.size(); ++i) {
      if (values[i] && !is_alone(*values[i], size.symbol, series_[i])) return false;
    }
    return true;
  }

  bool is_alone(const Formula& value, const std::string& symbol, const ast::Expr& expr) {
    std::vector<std::string> others = value.symbols();
    std::erase(others, symbol);
    if (others.empty()) return true;
    if (lacks_what_was_reported(others, context_.check.scope)) return false;
    std::vector<std::string> of_chip;
    std::vector<std::string> quoted;
    std::vector<std::string> values;
    for (const std::string& other : others) {
      quoted.push_back("`" + other + "`");
      if (is_chip_symbol(other))
        of_chip.push_back(other);
      else
        values.push_back(other + " = 8192");
    }
    std::vector<std::string> help;
    if (!of_chip.empty())
      help.push_back("name the chip and the slice before: " +
                     hardware_line(of_chip, context_.check.scope));
    if (!values.empty()) help.push_back("give values before: " + join(values, ", "));
    fail(DiagnosticKind::SeveralOpenSizes, expr.at.span,
         fmt::format("a picture takes numbers, and {} {} open", join_words(quoted),
                     others.size() == 1 ? "is" : "are"),
         std::move(help));
    return false;
  }

  bool fits_unit(std::size_t place, const Unit& unit) {
    if (!unit_) unit_ = unit;
    if (*unit_ == unit) return true;
    fail(DiagnosticKind::UnitMismatch, series_[place].at.span,
         fmt::format("the first curve is {}, this one {}", describe(*unit_), describe(unit)),
         {"all curves of a picture have one unit: draw the others by another `plot`"});
    return false;
  }

  // Multiples of what all that is priced is cut into.
  std::int64_t step() {
    std::int64_t step = 1;
    for (const ast::Expr& expr : series_) {
      if (!prices(expr)) continue;
      const auto own = step_of(expr, nullptr, plot_.size.text, context_);
      if (own && std::lcm(step, *own) <= kMaxLength) step = std::lcm(step, *own);
    }
    return step;
  }

  bool choose_sizes(std::int64_t from, std::int64_t to) {
    const std::int64_t step = this->step();
    const std::int64_t first = (from + step - 1) / step;
    const std::int64_t last = to / step;
    if (first > last) {
      fail(DiagnosticKind::BadArgument, cover(plot_.from.at.span, plot_.to.at.span),
           fmt::format("no multiple of {}, which the mesh cuts `{}` into, is in this range",
                       format_integer(step), plot_.size.text),
           {fmt::format("from {} to {}", step * std::max<std::int64_t>(first - 1, 1),
                        step * first)});
      return false;
    }
    const bool by_factors = last / first >= 10;
    std::vector<std::int64_t>& sizes = curves_.sizes;
    for (int i = 0; i <= kIntervals; ++i) {
      const double share = static_cast<double>(i) / kIntervals;
      const double begin = static_cast<double>(first);
      const double end = static_cast<double>(last);
      const double part =
          by_factors ? begin * std::pow(end / begin, share) : begin + (end - begin) * share;
      const std::int64_t whole = std::clamp<std::int64_t>(std::llround(part), first, last) * step;
      if (sizes.empty() || sizes.back() < whole) sizes.push_back(whole);
    }
    return true;
  }

  void sample(const ast::Expr& expr) {
    const auto& drawn = curves_.curves;
    const bool has_bound =
        std::any_of(drawn.begin(), drawn.end(), [](const Curve& each) { return each.is_bound; });
    Curve curve{
        series_text(plot_.series[drawn.size()]), !has_bound && asks_for_computing(expr), {}};
    std::size_t missing = 0;
    for (const std::int64_t size : curves_.sizes) {
      const auto sides = sides_at(expr, nullptr, plot_.size.text, Rational(size), context_);
      curve.values.emplace_back();
      if (sides) {
        const double value = sides->left.value.constant()->to_double();
        if (std::isfinite(value)) curve.values.back() = value;
        unit_ = unit_.value_or(sides->left.unit);
      }
      if (!curve.values.back()) ++missing;
    }
    if (missing > 0) {
      curves_.remarks.push_back(
          fmt::format("{} has no value at {} of {} sizes, and is not drawn there", curve.name,
                      missing, curves_.sizes.size()));
    }
    curves_.curves.push_back(std::move(curve));
  }

  // Nothing has a value: what the first size lacks is reported.
  bool is_drawn() {
    curves_.unit = unit_.value_or(kPlain);
    for (const Curve& curve : curves_.curves) {
      for (const auto& value : curve.values) {
        if (value) return true;
      }
    }
    fail(DiagnosticKind::BadArgument, span_,
         fmt::format("none of the sizes from {} to {} has a value here",
                     format_integer(curves_.sizes.front()), format_integer(curves_.sizes.back())),
         {"`print` shows what one size lacks"});
    return false;
  }

  // Of two curves that change places between two sizes; those that only touch are not marked.
  void find_crossings() {
    for (std::size_t one = 0; one < series_.size(); ++one) {
      for (std::size_t other = one + 1; other < series_.size(); ++other) {
        if (change_places(one, other)) add_crossings(one, other);
      }
    }
    std::sort(curves_.crossings.begin(), curves_.crossings.end(), [](const auto& a, const auto& b) {
      return std::tuple(a.size, a.one, a.other) < std::tuple(b.size, b.one, b.other);
    });
  }

  bool change_places(std::size_t one, std::size_t other) const {
    bool above = false;
    bool below = false;
    for (std::size_t i = 0; i < curves_.sizes.size(); ++i) {
      const auto& a = curves_.curves[one].values[i];
      const auto& b = curves_.curves[other].values[i];
      if (!a || !b) continue;
      above = above || *a > *b;
      below = below || *a < *b;
    }
    return above && below;
  }

  void add_crossings(std::size_t one, std::size_t other) {
    DiagnosticSink unseen;
    CheckContext check{context_.check.scope, unseen, context_.check.scalars};
    EvaluationContext inner{check, context_.host};
    const ast::Binary equal{ast::BinaryOp::Equal, series_[one], series_[other], std::nullopt,
                            plot_.size.at};
    const ast::Question question{ast::QuestionKind::Solve, plot_.size, ast::Expr{equal, {span_}}};
    const auto found = answer(question, span_, inner);
    if (!found) return;
    if (const auto* single = std::get_if<Quantity>(&*found)) add_crossing(one, other, *single);
    if (const auto* list = std::get_if<List>(&*found)) {
      for (const Quantity& each : list->values) add_crossing(one, other, each);
    }
  }

  void add_crossing(std::size_t one, std::size_t other, const Quantity& at) {
    const auto number = at.value.constant();
    if (!number) return;
    const double size = number->to_double();
    const auto value = value_between(curves_.curves[one], size);
    if (value) curves_.crossings.push_back({one, other, size, *value});
  }

  std::optional<double> value_between(const Curve& curve, double size) const {
    const auto& sizes = curves_.sizes;
    const auto next = std::lower_bound(sizes.begin(), sizes.end(), size,
                                       [](auto a, double b) { return static_cast<double>(a) < b; });
    if (next == sizes.end()) return std::nullopt;
    const auto right = static_cast<std::size_t>(next - sizes.begin());
    if (static_cast<double>(*next) == size) return curve.values[right];
    if (right == 0 || !curve.values[right - 1] || !curve.values[right]) return std::nullopt;
    const auto begin = static_cast<double>(sizes[right - 1]);
    const double share = (size - begin) / (static_cast<double>(sizes[right]) - begin);
    return *curve.values[right - 1] + share * (*curve.values[right] - *curve.values[right - 1]);
  }

  const ast::Plot& plot_;
  Span span_;
  EvaluationContext& context_;
  std::vector<ast::Expr> series_;
  std::optional<Unit> unit_;
  Curves curves_;
};

}  // namespace

std::optional<Curves> curves_of(const ast::Plot& plot, Span span, EvaluationContext& context) {
  return Drawer(plot, span, context).draw();
}

}  // namespace shard

#include "interpreter/solve/crossing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/solve/condition.h"
#include "interpreter/solve/rewrite.h"

namespace shard {

namespace {

using BinaryOp = ast::BinaryOp;

std::string expr_text(const ast::Expr& expr) { return one_line(print(expr, Spelling::Unicode)); }

// A place where the difference of both sides changes its sign, or touches zero.
struct Crossing {
  Root root;
  int before = 0;
  int after = 0;
};

std::vector<Crossing> crossings_in(const SignRow& row) {
  std::vector<Crossing> crossings;
  for (std::size_t i = 0; i < row.roots.size(); ++i)
    crossings.push_back({row.roots[i], row.signs[i], row.signs[i + 1]});
  return crossings;
}

Rational multiple_below(const Root& root, std::int64_t step, bool strict) {
  const Rational parts = root.number() / Rational(step);
  Rational whole = floor(parts);
  if (strict && root.exact && whole == parts) whole = whole - Rational(1);
  return whole * Rational(step);
}

Rational multiple_above(const Root& root, std::int64_t step, bool strict) {
  const Rational parts = root.number() / Rational(step);
  Rational whole = ceil(parts);
  if (strict && root.exact && whole == parts) whole = whole + Rational(1);
  return whole * Rational(step);
}

int sign_of_difference(const std::optional<Sides>& sides) {
  const auto value = sides->difference().constant();
  return *value > Rational(0) ? 1 : *value < Rational(0) ? -1 : 0;
}

std::string multiple_text(std::int64_t step) {
  return step == 1 ? "" : fmt::format(", a multiple of {}", format_integer(step));
}

class CrossingFinder {
 public:
  CrossingFinder(const SizeComparison& asked, EvaluationContext& context)
      : asked_(asked), context_(context) {
    if (prices(asked.left) || prices(asked.right))
      step_ = step_of(asked.left, &asked.right, asked.size.name.text, context);
  }

  std::optional<Value> by_formula() {
    const Formula difference = asked_.sides.difference();
    const auto row = signs_of(difference, asked_.size.symbol);
    if (!row) return by_search();
    const auto crossings = crossings_in(*row);
    if (step_ && !are_true(crossings)) return by_search();
    return answer(crossings);
  }

  std::optional<Value> by_search() {
    if (!step_) return std::nullopt;
    by_price_ = true;
    std::vector<Crossing> crossings;
    std::optional<std::pair<std::int64_t, int>> last;
    for (std::int64_t parts = 1; parts <= kMaxLength / *step_ / 2; parts = next_tried(parts)) {
      const auto sides = at(parts);
      if (!sides) continue;
      if (!sample_) sample_ = sides;
      const int sign = sign_of_difference(sides);
      if (last && last->second != sign)
        crossings.push_back(between(last->first, last->second, parts, sign));
      last = {parts, sign};
    }
    return answer(crossings);
  }

 private:
  // 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, …: quarters of powers of two.
  static std::int64_t next_tried(std::int64_t parts) {
    std::int64_t power = 1;
    while (power * 2 <= parts) power *= 2;
    constexpr std::int64_t kQuarters = 4;
    return parts + std::max<std::int64_t>(power / kQuarters, 1);
  }

  std::optional<Sides> at(std::int64_t parts) {
    return sides_at(asked_.left, &asked_.right, asked_.size.name.text, Rational(parts * *step_),
                    context_);
  }

  // What is priced at the multiples on both sides of each crossing has the signs of the formula.
  bool are_true(const std::vector<Crossing>& crossings) {
    for (const Crossing& crossing : crossings) {
      const Rational below = multiple_below(crossing.root, *step_, true) / Rational(*step_);
      const Rational above = multiple_above(crossing.root, *step_, true) / Rational(*step_);
      if (!has_sign(below, crossing.before) || !has_sign(above, crossing.after)) return false;
    }
    return true;
  }

  bool has_sign(const Rational& parts, int sign) {
    const auto whole = parts.to_int64();
    if (!whole || *whole < 1) return true;
    const auto sides = at(*whole);
    return !sides || sign_of_difference(sides) == sign || sign == 0;
  }

  Crossing between(std::int64_t low, int before, std::int64_t high, int after) {
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      const auto sides = at(middle);
      const int sign = sides ? sign_of_difference(sides) : after;
      if (sign == before) {
        low = middle;
      } else {
        high = middle;
        after = sign;
      }
    }
    const Rational number(high * *step_);
    return {{number.to_double(), number}, before, after};
  }

  std::optional<Value> answer(const std::vector<Crossing>& crossings) {
    std::vector<Quantity> found;
    for (const Crossing& crossing : crossings) {
      if (auto quantity = described(crossing)) found.push_back(*std::move(quantity));
    }
    if (found.size() == 1) return found.front();
    if (!found.empty()) return List{std::move(found)};
    return without_crossing();
  }

  std::optional<Quantity> described(const Crossing& crossing) const {
    if (asked_.op == BinaryOp::Equal || asked_.op == BinaryOp::Approx) {
      return Quantity{Formula(crossing.root.number()), kPlain,
                      std::make_shared<const std::string>(remark_of(crossing))};
    }
    const bool wants_more = asked_.op == BinaryOp::Greater || asked_.op == BinaryOp::GreaterEqual;
    const bool strict = asked_.op == BinaryOp::Greater || asked_.op == BinaryOp::Less;
    if (crossing.before == crossing.after) return std::nullopt;
    const bool begins = (crossing.after > crossing.before) == wants_more;
    const std::int64_t step = step_.value_or(1);
    const Rational whole = begins ? multiple_above(crossing.root, step, strict)
                                  : multiple_below(crossing.root, step, strict);
    const std::string remark =
        fmt::format("it holds {}{}", begins ? "from there on" : "up to there", multiple_text(step));
    return Quantity{Formula(whole), kPlain, std::make_shared<const std::string>(remark)};
  }

  std::string left_text() const {
    constexpr std::size_t kMostColumns = 40;
    std::string text = expr_text(asked_.left);
    return display_width(text) > kMostColumns ? "the left side" : text;
  }

  std::string remark_of(const Crossing& crossing) const {
    if (by_price_)
      return fmt::format("the first multiple of {} at which {} is {}", format_integer(*step_),
                         left_text(),
                         crossing.after > 0   ? "larger"
                         : crossing.after < 0 ? "smaller"
                                              : "the same");
    if (crossing.before == crossing.after) return "both only touch there";
    if (!step_) return crossing.after == 0 || crossing.before == 0 ? "where they become one" : "";
    const bool rises = crossing.after > crossing.before;
    const std::string whole = whole_text(crossing.root, true, *step_);
    if (whole.empty()) return "";
    return fmt::format("{} is {} {}", left_text(), rises ? "larger" : "smaller", whole);
  }

  Value without_crossing() const {
    const Sides& sides = sample_ ? *sample_ : asked_.sides;
    const bool inequality = asked_.op != BinaryOp::Equal && asked_.op != BinaryOp::Approx;
    const auto row = by_price_ ? std::nullopt : signs_of(sides.difference(), asked_.size.symbol);
    const bool same = row && row->signs.front() == 0;
    const std::string text = sides_text(asked_.left, asked_.right, sides);
    if (same) return Word{kHoldsAlways, text};
    if (inequality && row) {
      const bool wants_more = asked_.op == BinaryOp::Greater || asked_.op == BinaryOp::GreaterEqual;
      if ((row->signs.front() > 0) == wants_more) return Word{kHoldsAlways, text};
    }
    return Word{kHoldsNever, text};
  }

  const SizeComparison& asked_;
  EvaluationContext& context_;
  std::optional<std::int64_t> step_;
  std::optional<Sides> sample_;  // of a search
  bool by_price_ = false;
};

}  // namespace

std::string whole_text(const Root& root, bool above, std::int64_t step) {
  if (root.exact && (*root.exact / Rational(step)).is_integer()) return "";
  const Rational whole =
      above ? multiple_above(root, step, false) : multiple_below(root, step, false);
  return fmt::format("{} {}{}{}", above ? "from" : "up to", size_text(whole), above ? " on" : "",
                     multiple_text(step));
}

std::string sides_text(const ast::Expr& left, const ast::Expr& right, const Sides& sides) {
  const auto side = [](const ast::Expr& expr, const Quantity& value) {
    const std::string written = expr_text(expr);
    const std::string text = to_text(value);
    return written == text ? text : written + " = " + text;
  };
  return side(left, sides.left) + ", " + side(right, sides.right);
}

std::optional<Value> crossings_of(const SizeComparison& comparison, EvaluationContext& context) {
  return CrossingFinder(comparison, context).by_formula();
}

std::optional<Value> searched_crossings(const SizeComparison& comparison,
                                        EvaluationContext& context) {
  return CrossingFinder(comparison, context).by_search();
}

}  // namespace shard

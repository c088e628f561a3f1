#include "interpreter/solve/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/words.h"
#include "interpreter/solve/monomial.h"
#include "interpreter/solve/rewrite.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

using FormulaOp = Formula::Op;

std::string with_sign(const std::string& left, bool larger, bool strict, const std::string& right) {
  return fmt::format("{} {} {}", left, larger ? (strict ? ">" : "≥") : (strict ? "<" : "≤"), right);
}

// "12 < B < 96", "B = 5".
std::string range_text(const SizeRange& range, const std::string& symbol) {
  if (range.from && range.to && *range.from == *range.to)
    return fmt::format("{} = {}", symbol, size_text(*range.from));
  if (range.from && range.to) {
    return with_sign(with_sign(size_text(*range.from), false, !range.has_from, symbol), false,
                     !range.has_to, size_text(*range.to));
  }
  if (range.from) return with_sign(symbol, true, !range.has_from, size_text(*range.from));
  if (range.to) return with_sign(symbol, false, !range.has_to, size_text(*range.to));
  return kHoldsAlways;
}

Condition certain(bool holds, const std::string& remark) {
  const std::string word = holds ? kHoldsAlways : kHoldsNever;
  return {word, word, remark};
}

// Exact where it is; else the digits that a double has for certain.
std::string key_number(const Root& root) {
  return root.exact ? root.exact->to_string() : fmt::format("{:.9g}", root.value);
}

std::string bound_text(const Formula& bound) {
  const auto number = bound.constant();
  return number ? size_text(*number) : bound.to_string();
}

// Sizes and other symbols of a product, with the signs of their exponents.
struct SizeSplit {
  std::vector<std::string> above;
  std::vector<std::string> below;
};
SizeSplit sizes_of(const Monomial& ratio) {
  SizeSplit split;
  for (const auto& [symbol, power_of] : ratio.powers) {
    if (is_chip_symbol(symbol)) continue;
    (power_of > Rational(0) ? split.above : split.below).push_back(symbol);
  }
  return split;
}

std::string solved_text(const std::string& size, const Inequality& inequality, bool strict) {
  const auto solved = solved_for(size, inequality);
  if (!solved) return "";
  const std::string bound = bound_text(solved->bound);
  if (!solved->where) return with_sign(size, solved->from_below, strict, bound);
  return fmt::format("{} where {}, else {}", with_sign(size, solved->from_below, strict, bound),
                     positive_text(*solved->where),
                     solved->else_holds ? kHoldsAlways : kHoldsNever);
}

// "B / X > C / W": sizes on the left, numbers and figures of the chip on the right; "B > F·X" if there are none of these.
std::string ratio_text(const Monomial& ratio, bool larger, bool strict) {
  Monomial left;
  Monomial right;
  left.coefficient = 1;
  right.coefficient = Rational(1) / ratio.coefficient;
  for (const auto& [symbol, power_of] : ratio.powers) {
    if (is_chip_symbol(symbol)) {
      right.powers[symbol] = -power_of;
    } else {
      left.powers[symbol] = power_of;
    }
  }
  if (right.powers.empty() && right.coefficient == Rational(1)) {
    for (const auto& [symbol, power_of] : std::exchange(left.powers, {}))
      (power_of > Rational(0) ? left : right).powers[symbol] =
          power_of > Rational(0) ? power_of : -power_of;
  }
  return with_sign(formula_of({left}).to_string(), larger, strict, bound_text(formula_of({right})));
}

// Of a product of powers against 1, where no size was asked for.
std::string best_reading(const Inequality& inequality, bool strict, const Scope& scope) {
  const Monomial& ratio = inequality.larger.front();
  const SizeSplit sizes = sizes_of(ratio);
  if (sizes.above.empty() && sizes.below.size() == 1)
    return solved_text(sizes.below.front(), inequality, strict);
  const auto is_axis = [&](const std::string& symbol) {
    return scope.find_axis(symbol).has_value();
  };
  const bool two_axes = sizes.above.size() == 1 && sizes.below.size() == 1 &&
                        is_axis(sizes.above.front()) && is_axis(sizes.below.front());
  if (two_axes) return solved_text(sizes.below.front(), inequality, strict);
  const std::size_t count = sizes.above.size() + sizes.below.size();
  const auto axis = std::find_if(sizes.below.begin(), sizes.below.end(), is_axis);
  if (count == 2 && sizes.above.size() == 1 && axis == sizes.below.end())
    return solved_text(sizes.above.front(), inequality, strict);
  if (count == 1 && sizes.above.size() == 1)
    return solved_text(sizes.above.front(), inequality, strict);
  if (sizes.above.empty()) {
    Monomial inverse{Rational(1) / ratio.coefficient, {}, ratio.is_opaque};
    for (const auto& [symbol, power_of] : ratio.powers) inverse.powers[symbol] = -power_of;
    return ratio_text(inverse, false, strict);
  }
  const bool one_axis = axis != sizes.below.end() &&
                        std::count_if(sizes.below.begin(), sizes.below.end(), is_axis) == 1;
  const std::string alone = one_axis ? ", so " + solved_text(*axis, inequality, strict) : "";
  return ratio_text(ratio, true, strict) + alone;
}

bool has_maximum(const Formula& formula) {
  if (formula.op() == FormulaOp::Amount) return false;
  if (formula.op() == FormulaOp::Max || formula.op() == FormulaOp::Min) return true;
  return std::any_of(formula.arguments().begin(), formula.arguments().end(), has_maximum);
}

// Where a number for one size decides, the condition is the range of that size, as it is where no other size is open.
void add_range(const Inequality& inequality, bool strict, Condition& condition) {
  const Monomial& ratio = inequality.larger.front();
  const SizeSplit sizes = sizes_of(ratio);
  const auto& all = sizes.above.empty() ? sizes.below : sizes.above;
  if (ratio.is_opaque || ratio.powers.size() != 1 || all.size() != 1) return;
  const auto solved = solved_for(all.front(), inequality);
  const auto bound = solved ? solved->bound.constant() : std::nullopt;
  if (!bound || bound->is_overflow()) return;
  const bool more = solved->from_below;
  const Condition range =
      ranges_of({.cuts = {{Root{bound->to_double(), *bound}, !strict}}, .between = {!more, more}},
                all.front());
  condition.key = range.key;
  condition.size = range.size;
  condition.ranges = range.ranges;
}

// A product or sum of powers on either side.
std::optional<Condition> formula_condition(const Formula& difference, const Asked& asked,
                                           const Scope& scope) {
  if (has_maximum(difference)) return std::nullopt;
  const auto terms = monomials_of(difference);
  if (!terms) return std::nullopt;
  const Inequality inequality = cancelled(*terms);
  if (inequality.smaller.empty())
    return certain(!inequality.larger.empty() || !asked.strict, asked.sides);
  if (inequality.larger.empty()) return certain(false, asked.sides);
  Condition condition{"", key_of(inequality, asked.strict), ""};
  if (asked.size) condition.text = solved_text(asked.size->symbol, inequality, asked.strict);
  const bool product = inequality.larger.size() == 1 && inequality.smaller.size() == 1;
  if (condition.text.empty() && product)
    condition.text = best_reading(inequality, asked.strict, scope);
  if (condition.text.empty()) {
    condition.text = with_sign(formula_of(inequality.larger).to_string(), true, asked.strict,
                               formula_of(inequality.smaller).to_string());
  }
  if (product) add_range(inequality, asked.strict, condition);
  return condition;
}

}  // namespace

std::string size_text(const Rational& number) { return to_text(Quantity{Formula(number), kPlain}); }

void Holds::simplify() {
  Holds kept;
  kept.between = {between.front()};
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const bool now = between[i + 1];
    if (cuts[i].holds == kept.between.back() && now == kept.between.back()) continue;
    kept.cuts.push_back(cuts[i]);
    kept.between.push_back(now);
  }
  *this = std::move(kept);
}

Holds holds_of(const SizeSigns& signs, bool more, bool strict) {
  const auto holds = [&](int sign) { return sign == 0 ? !strict : (sign > 0) == more; };
  Holds result;
  result.between = {holds(signs.first)};
  for (const SignChange& change : signs.changes) {
    result.cuts.push_back({change.root, holds(change.jumps ? change.after : 0)});
    result.between.push_back(holds(change.after));
  }
  result.simplify();
  return result;
}

Holds joined_holds(const Holds& one, const Holds& other, bool all) {
  const auto both = [&](bool left, bool right) { return all ? left && right : left || right; };
  Holds result;
  result.between = {both(one.between.front(), other.between.front())};
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < one.cuts.size() || j < other.cuts.size()) {
    const bool ends_left = i == one.cuts.size();
    const bool ends_right = j == other.cuts.size();
    const double left = ends_left ? HUGE_VAL : one.cuts[i].at.value;
    const double right = ends_right ? HUGE_VAL : other.cuts[j].at.value;
    const bool is_left = left <= right;
    const bool is_right = right <= left;
    const bool at_left = is_left ? one.cuts[i].holds : one.between[i];
    const bool at_right = is_right ? other.cuts[j].holds : other.between[j];
    result.cuts.push_back({is_left ? one.cuts[i].at : other.cuts[j].at, both(at_left, at_right)});
    if (is_left) ++i;
    if (is_right) ++j;
    result.between.push_back(both(one.between[i], other.between[j]));
  }
  result.simplify();
  return result;
}

Condition ranges_of(const Holds& holds, const std::string& symbol) {
  Condition condition;
  condition.size = symbol;
  std::string key;
  const auto add = [&](const Holds::Cut* from, const Holds::Cut* to) {
    SizeRange range;
    if (from != nullptr) range.from = from->at.number();
    if (to != nullptr) range.to = to->at.number();
    range.has_from = from != nullptr && from->holds;
    range.has_to = to != nullptr && to->holds;
    condition.text += (condition.text.empty() ? "" : " or ") + range_text(range, symbol);
    key += fmt::format("{}{}{}..{}{};", symbol, from == nullptr ? "" : key_number(from->at),
                       range.has_from ? "=" : "", to == nullptr ? "" : key_number(to->at),
                       range.has_to ? "=" : "");
    condition.ranges.push_back(range);
  };
  const Holds::Cut* from = nullptr;  // of the range that is open
  for (std::size_t i = 0; i < holds.between.size(); ++i) {
    const bool is_last = i == holds.cuts.size();
    const Holds::Cut* cut = is_last ? nullptr : &holds.cuts[i];
    if (holds.between[i]) {
      // It goes on through a cut at which it holds as well.
      if (is_last || !(cut->holds && holds.between[i + 1])) add(from, cut);
    } else if (!is_last && cut->holds && !holds.between[i + 1]) {
      add(cut, cut);
    }
    if (!is_last && !(holds.between[i] && cut->holds && holds.between[i + 1])) from = cut;
  }
  condition.key = std::move(key);
  const bool always = holds.cuts.empty() && holds.between.front();
  if (always || condition.ranges.empty()) {
    condition.text = always ? kHoldsAlways : kHoldsNever;
    condition.key = condition.text;
  }
  return condition;
}

std::optional<Condition> condition_of(const Asked& asked, const Scope& scope) {
  const auto symbols = asked.difference.symbols();
  if (symbols.empty()) {
    const Rational value = *asked.difference.constant();
    const bool holds = value > Rational(0) || (!asked.strict && value.is_zero());
    return certain(holds, asked.sides);
  }
  if (auto exact = formula_condition(asked.difference, asked, scope)) return exact;
  const Formula plain = without_latencies(asked.difference);
  if (plain == asked.difference) return std::nullopt;
  auto condition = formula_condition(plain, asked, scope);
  if (condition && condition->remark.empty()) condition->remark = kBandwidthRemark;
  return condition;
}

Condition joined_condition(const PartOfCondition& one, const PartOfCondition& other, bool all) {
  const Condition& left = one.condition;
  const Condition& right = other.condition;
  const std::string neutral = all ? kHoldsAlways : kHoldsNever;
  const std::string decisive = all ? kHoldsNever : kHoldsAlways;
  if (left.text == neutral || right.text == decisive) return right;
  if (right.text == neutral || left.text == decisive || left.key == right.key) return left;
  const char* word = all ? " and " : " or ";
  // What an axis has to be besides, "…, so X < B·W / C", says the same again.
  const auto part = [&](const std::string& whole) {
    const std::string text = whole.substr(0, whole.find(", so "));
    const bool is_simple = text.find(all ? " or " : " and ") == std::string::npos &&
                           text.find(" where ") == std::string::npos;
    return is_simple ? text : "(" + text + ")";
  };
  return {part(left.text) + word + part(right.text),
          std::min(left.key, right.key) + word + std::max(left.key, right.key),
          left.remark.empty() ? right.remark : left.remark};
}

Condition raw_condition(const Asked& asked, const Formula& left, const Formula& right) {
  const std::string text = with_sign(left.to_string(), true, asked.strict, right.to_string());
  return {text, text, ""};
}

}  // namespace shard

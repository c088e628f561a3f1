#include "interpreter/solve/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/words.h"
#include "interpreter/solve/monomial.h"
#include "interpreter/solve/pieces.h"
#include "interpreter/solve/rewrite.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

using FormulaOp = Formula::Op;

std::string with_sign(const std::string& left, bool larger, bool strict, const std::string& right) {
  return fmt::format("{} {} {}", left, larger ? (strict ? ">" : "≥") : (strict ? "<" : "≤"), right);
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
  std::string bound = bound_text(solved->bound);
  if (!solved->where) return with_sign(size, solved->from_below, strict, bound);
  if (!solved->above.is_zero() && solved->bound.op() != FormulaOp::Power &&
      solved->bound.op() != FormulaOp::Sqrt)
    bound = fmt::format("{} / ({})", solved->above.to_string(), difference_text(*solved->where));
  return fmt::format("{} where {}, else never", with_sign(size, solved->from_below, strict, bound),
                     positive_text(*solved->where));
}

// "B / X > C / W": sizes on the left, numbers and figures of the chip on the right.
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
  return condition;
}

}  // namespace

std::string size_text(const Rational& number) { return to_text(Quantity{Formula(number), kPlain}); }

Condition ranges_of(const Formula& difference, const std::string& symbol, bool strict) {
  const auto row = signs_of(difference, symbol);
  if (!row) return {};
  std::string text;
  std::string key;
  const auto holds = [&](std::size_t i) {
    return row->signs[i] > 0 || (!strict && row->signs[i] == 0);
  };
  for (std::size_t i = 0; i < row->signs.size(); ++i) {
    if (!holds(i)) continue;
    const std::size_t first = i;
    // Without `strict` it holds at the size between two ranges as well.
    while (!strict && i + 1 < row->signs.size() && holds(i + 1)) ++i;
    const Root* from = first == 0 ? nullptr : &row->roots[first - 1];
    const Root* to = i == row->roots.size() ? nullptr : &row->roots[i];
    std::string range;
    if (from != nullptr && to != nullptr) {
      range = with_sign(with_sign(size_text(from->number()), false, strict, symbol), false, strict,
                        size_text(to->number()));
    } else if (from != nullptr || to != nullptr) {
      const Root& end = from != nullptr ? *from : *to;
      range = with_sign(symbol, from != nullptr, strict, size_text(end.number()));
    } else {
      return certain(true, "");
    }
    text += (text.empty() ? "" : " or ") + range;
    key += fmt::format("{}{}..{}{};", symbol, from == nullptr ? "" : key_number(*from),
                       to == nullptr ? "" : key_number(*to), strict ? "" : "=");
  }
  if (text.empty()) return certain(false, "");
  return {text, key, ""};
}

std::optional<Condition> condition_of(const Asked& asked, const Scope& scope) {
  const auto symbols = asked.difference.symbols();
  if (symbols.empty()) {
    const Rational value = *asked.difference.constant();
    const bool holds = value > Rational(0) || (!asked.strict && value.is_zero());
    return certain(holds, asked.sides);
  }
  if (symbols.size() == 1) {
    Condition ranges = ranges_of(asked.difference, symbols.front(), asked.strict);
    if (!ranges.text.empty()) {
      if (ranges.text == kHoldsAlways || ranges.text == kHoldsNever) ranges.remark = asked.sides;
      return ranges;
    }
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
  const Formula both = all ? min(one.asked.difference, other.asked.difference)
                           : max(one.asked.difference, other.asked.difference);
  const auto symbols = both.symbols();
  if (symbols.size() == 1 && one.asked.strict == other.asked.strict) {
    Condition ranges = ranges_of(both, symbols.front(), one.asked.strict);
    if (!ranges.text.empty()) return ranges;
  }
  const char* word = all ? " and " : " or ";
  // What an axis has to be besides, "…, so X < B·W / C", says the same again.
  const auto part = [&](const std::string& whole) {
    const std::string text = whole.substr(0, whole.find(", so "));
    return text.find(all ? " or " : " and ") == std::string::npos ? text : "(" + text + ")";
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

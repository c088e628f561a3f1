#include "interpreter/ir/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

// A size that is no whole number, and large: nobody reads 7.762e+04.
double readable(double value) {
  constexpr double kFrom = 1e4;
  constexpr double kTo = 1e15;
  return std::abs(value) >= kFrom && std::abs(value) < kTo ? std::round(value) : value;
}

std::string number_text(double value, const Unit& unit) {
  if (unit == kSeconds) return format_seconds(value);
  if (unit == kBytes) return format_bytes(value);
  if (unit == kFlops) return format_flops(value);
  if (unit == kBytesPerSecond) return format_bytes(value) + "/s";
  if (unit == kFlopsPerSecond) return format_flops_per_second(value);
  if (unit.is_plain()) return format_number(readable(value));
  return format_number(value) + " " + to_string(unit);
}

// Symbols that carry a unit of their own: a coefficient next to them is a plain number.
bool has_chip_symbol(const Formula& formula) {
  const auto symbols = formula.symbols();
  return std::any_of(symbols.begin(), symbols.end(), is_chip_symbol);
}

// Every coefficient as a time: "5.556 ps·D·F + 2 us".
std::string times_text(const Amount& amount) {
  std::string text;
  for (const Amount::Term& term : amount.terms()) {
    Amount symbols(Rational(1));
    for (const Amount::Power& power_of : term.powers) {
      symbols = symbols * power(Amount::symbol(power_of.symbol), power_of.exponent);
    }
    const std::string time = format_seconds(term.coefficient.to_double());
    std::string rest = symbols.to_string();
    if (rest.rfind("1 / ", 0) == 0)
      rest = rest.substr(1);
    else if (!rest.empty())
      rest = "·" + rest;
    text += (text.empty() ? "" : " + ") + (term.powers.empty() ? time : time + rest);
  }
  return text.empty() ? format_seconds(0) : text;
}

std::string times_text(const Formula& formula);

// "6·max(1 us, …)": a plain number times a time.
std::optional<std::string> scaled_time_text(const Formula& product) {
  const auto& factors = product.arguments();
  if (factors.size() != 2) return std::nullopt;
  const auto number = factors[0].constant();
  if (!number || factors[1].op() == Formula::Op::Amount) return std::nullopt;
  return number->to_string() + "·" + times_text(factors[1]);
}

// "max(1 us, …) / B": a time by a plain number.
std::string time_share_text(const Formula& time, const Amount& number) {
  const bool is_sum = time.op() == Formula::Op::Sum ||
                      (time.op() == Formula::Op::Amount && time.amount().terms().size() > 1);
  const std::string divisor = number.to_string();
  const bool is_one_name = divisor.find_first_of(" \xc2*") == std::string::npos;
  return (is_sum ? "(" + times_text(time) + ")" : times_text(time)) + " / " +
         (is_one_name ? divisor : "(" + divisor + ")");
}

std::string times_text(const Formula& formula) {
  using Op = Formula::Op;
  if (formula.op() == Op::Amount) return times_text(formula.amount());
  if (formula.op() == Op::Max || formula.op() == Op::Min || formula.op() == Op::Sum) {
    const bool sum = formula.op() == Op::Sum;
    std::string text;
    for (const Formula& argument : formula.arguments()) {
      text += (text.empty() ? "" : sum ? " + " : ", ") + times_text(argument);
    }
    return sum ? text : (formula.op() == Op::Max ? "max(" : "min(") + text + ")";
  }
  if (formula.op() == Op::Product) {
    if (auto text = scaled_time_text(formula)) return *text;
  }
  if (formula.op() == Op::Quotient && formula.arguments()[1].op() == Op::Amount)
    return time_share_text(formula.arguments()[0], formula.arguments()[1].amount());
  return "(" + formula.to_string() + ") s";
}

bool has_remark(const Quantity& quantity) {
  return quantity.remark != nullptr && !quantity.remark->empty();
}

std::string with_remark(const std::string& text, const std::string& remark) {
  return remark.empty() ? text : text + ": " + remark;
}

}  // namespace

bool is_length(const Quantity& quantity) {
  const auto number = quantity.value.constant();
  if (!number) return true;
  const auto length = number->to_int64();
  return quantity.unit.is_plain() && length && *length > 0 && *length <= kMaxLength;
}

std::optional<std::int64_t> whole_length(const Value& value) {
  const auto* quantity = std::get_if<Quantity>(&value);
  const auto number = quantity != nullptr ? quantity->value.constant() : std::nullopt;
  return number && is_length(*quantity) ? number->to_int64() : std::nullopt;
}

std::string to_text(const Quantity& quantity) {
  if (const auto number = quantity.value.constant())
    return number_text(number->to_double(), quantity.unit);
  if (quantity.unit == kSeconds && !has_chip_symbol(quantity.value))
    return times_text(quantity.value);
  if (quantity.unit == kSeconds || quantity.unit.is_plain()) return quantity.value.to_string();
  const std::string unit = quantity.unit == kFlops ? "FLOPs" : to_string(quantity.unit);
  return quantity.value.to_string() + " " + unit;
}

std::string to_text(const Value& value) {
  return match(
      value,
      [](const Quantity& quantity) {
        return to_text(quantity) + (has_remark(quantity) ? " (" + *quantity.remark + ")" : "");
      },
      [](const Truth& truth) -> std::string {
        return !truth.holds ? "undecided" : *truth.holds ? "true" : "false";
      },
      [](const Supposition&) -> std::string { return "cost { … }"; },
      [](const Word& word) { return with_remark(word.text, word.remark); },
      [](const List& list) {
        std::string text;
        for (const Quantity& quantity : list.values)
          text += (text.empty() ? "" : ", ") + to_text(Value(quantity));
        return text;
      },
      [](const Condition& condition) {
        if (condition.key == kHoldsAlways || condition.key == kHoldsNever)
          return with_remark(condition.text, condition.remark);
        return condition.text + (condition.remark.empty() ? "" : " (" + condition.remark + ")");
      });
}

bool is_same_value(const Value& one, const Value& other) {
  if (one.index() != other.index()) return false;
  return match(
      one,
      [&](const Quantity& quantity) {
        const auto& known = std::get<Quantity>(other);
        return quantity.unit == known.unit && quantity.value == known.value;
      },
      [&](const Truth& truth) { return truth.holds == std::get<Truth>(other).holds; },
      [&](const Supposition& supposition) {
        const auto& known = std::get<Supposition>(other);
        return supposition.block == known.block || *supposition.block == *known.block;
      },
      [&](const Word& word) { return word.text == std::get<Word>(other).text; },
      [&](const List& list) {
        const auto& known = std::get<List>(other).values;
        return std::equal(list.values.begin(), list.values.end(), known.begin(), known.end(),
                          [](const Quantity& a, const Quantity& b) {
                            return a.unit == b.unit && a.value == b.value;
                          });
      },
      [&](const Condition& condition) { return condition.key == std::get<Condition>(other).key; });
}

}  // namespace shard

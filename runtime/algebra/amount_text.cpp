#include "runtime/algebra/amount_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/words.h"

namespace shard {
namespace {

using Term = Amount::Term;

std::string power_text(const std::string& symbol, int exponent) {
  return exponent == 1 ? symbol : fmt::format("{}^{}", symbol, exponent);
}

std::string factors_text(const std::vector<std::string>& factors) {
  return factors.empty() ? "1" : join(factors, "·");
}

int numerator_degree(const Term& term) {
  int degree = 0;
  for (const auto& power : term.powers) degree += std::max(0, power.exponent);
  return degree;
}

int degree(const Term& term) {
  int total = 0;
  for (const auto& power : term.powers) total += power.exponent;
  return total;
}

bool reads_before(const Term& a, const Term& b) {
  const auto rank = [](const Term& term) {
    return std::pair(numerator_degree(term), degree(term));
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  return std::lexicographical_compare(b.powers.rbegin(), b.powers.rend(), a.powers.rbegin(),
                                      a.powers.rend());
}

// To 6 significant digits: 90000000000 as "9e+10".
std::string decimal_text(const Rational& number) {
  return fmt::format("{:.6g}", number.to_double());
}

// Whether a number is easier to read as a decimal than in full. Whole numbers of up to 7 digits are written out; longer
// ones become decimals only if that loses nothing, until at 1e15 nobody reads the digits. Fractions stay fractions
// while both numerator and denominator are small enough to take in at a glance.
bool is_long(const Rational& number) {
  const double size = std::abs(number.to_double());
  if (number.is_integer()) {
    return size >= 1e15 || (size >= 1e7 && std::strtod(decimal_text(number).c_str(), nullptr) ==
                                               number.to_double());
  }
  return number.denominator() > 1000 || size >= 1000;
}

void add_coefficient(TermText& text, const Rational& size, Digits digits, bool in_fraction) {
  const bool decimal = size.is_overflow() || (digits == Digits::Plain && is_long(size));
  if (decimal || !in_fraction) {
    if (size != Rational(1))
      text.numerator.insert(text.numerator.begin(), number_text(size, digits));
    return;
  }
  const Rational above = Rational::fraction(size.numerator(), 1);
  const Rational below = Rational::fraction(size.denominator(), 1);
  if (above != Rational(1)) text.numerator.insert(text.numerator.begin(), above.to_string());
  if (below != Rational(1)) text.denominator.insert(text.denominator.begin(), below.to_string());
}

}  // namespace

std::string number_text(const Rational& number, Digits digits) {
  if (digits == Digits::Plain && !number.is_overflow() && is_long(number)) {
    return decimal_text(number);
  }
  return number.to_string();
}

TermText term_text(const Term& term, Digits digits, bool in_fraction) {
  TermText text;
  for (const auto& [symbol, exponent] : term.powers) {
    if (exponent > 0) text.numerator.push_back(power_text(symbol, exponent));
    if (exponent < 0) text.denominator.push_back(power_text(symbol, -exponent));
  }
  text.negative = term.coefficient < Rational(0);
  add_coefficient(text, text.negative ? -term.coefficient : term.coefficient, digits,
                  in_fraction || !text.denominator.empty());
  return text;
}

std::string fraction_text(const TermText& text) {
  std::string result = factors_text(text.numerator);
  if (text.denominator.empty()) return result;
  const std::string below = factors_text(text.denominator);
  result += text.denominator.size() == 1 ? " / " + below : " / (" + below + ")";
  return result;
}

std::vector<Term> reading_order(const Amount& amount) {
  const auto sorted = amount.terms();
  std::vector<Term> terms(sorted.begin(), sorted.end());
  std::sort(terms.begin(), terms.end(), reads_before);
  return terms;
}

std::string sum_text(const std::vector<SignedText>& pieces) {
  std::string result;
  for (const SignedText& piece : pieces) {
    if (result.empty()) {
      result = piece.negative ? "-" : "";
    } else {
      result += piece.negative ? " - " : " + ";
    }
    result += piece.text;
  }
  return result;
}

std::string to_text(const Amount& amount, Digits digits) {
  if (amount.is_zero()) return "0";
  std::vector<SignedText> pieces;
  for (const Term& term : reading_order(amount)) {
    const TermText text = term_text(term, digits);
    pieces.push_back({text.negative, fraction_text(text)});
  }
  return sum_text(pieces);
}

std::string Amount::to_string() const { return to_text(*this, Digits::Exact); }

}  // namespace shard

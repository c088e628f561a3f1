#include <algorithm>
#include <utility>

#include "base/words.h"
#include "runtime/algebra/amount_text.h"
#include "runtime/algebra/formula_terms.h"

namespace shard {
namespace {

using Op = Formula::Op;

std::string_view function_name(Op op) {
  switch (op) {
    case Op::Max:
      return "max";
    case Op::Min:
      return "min";
    case Op::Ceil:
      return "ceil";
    case Op::Floor:
      return "floor";
    case Op::Round:
      return "round";
    case Op::Sqrt:
      return "sqrt";
    case Op::Log2:
      return "log2";
    default:
      return "";
  }
}

// "⌈X / 2⌉": the denominator of a coefficient goes below the line.
std::string rounded_up_text(const Formula& argument) {
  if (argument.op() == Op::Amount && argument.amount().terms().size() == 1) {
    const Rational below =
        Rational::fraction(argument.amount().terms()[0].coefficient.denominator(), 1);
    if (below != Rational(1)) {
      return "⌈" + Formula(argument.amount() * Amount(below)).to_string() + " / " +
             below.to_string() + "⌉";
    }
  }
  return "⌈" + argument.to_string() + "⌉";
}

std::string call_text(const Formula& formula) {
  if (formula.op() == Op::Ceil) return rounded_up_text(formula.arguments()[0]);
  std::vector<std::string> arguments;
  for (const Formula& argument : formula.arguments()) arguments.push_back(argument.to_string());
  return std::string(function_name(formula.op())) + "(" + join(arguments, ", ") + ")";
}

// Whether the text can be a factor without parentheses.
bool is_simple(const Formula& formula) {
  if (formula.op() != Op::Amount) return !function_name(formula.op()).empty();
  const auto number = formula.constant();
  if (number) return number->is_integer() && *number >= Rational(0);
  const auto& terms = formula.amount().terms();
  return terms.size() == 1 && terms[0].coefficient == Rational(1) && terms[0].powers.size() == 1 &&
         terms[0].powers[0].exponent == 1;
}

// b - a, not -a + b: what is added comes first.
std::string sum_in_parentheses(const Amount& sum) {
  std::vector<Amount::Term> terms = reading_order(sum);
  const auto added = std::find_if(terms.begin(), terms.end(), [](const Amount::Term& term) {
    return term.coefficient > Rational(0);
  });
  if (added != terms.end()) std::rotate(terms.begin(), added, added + 1);
  std::vector<SignedText> pieces;
  for (const Amount::Term& term : terms) {
    const TermText text = term_text(term, Digits::Plain);
    pieces.push_back({text.negative, fraction_text(text)});
  }
  return "(" + sum_text(pieces) + ")";
}

std::string factor_text(const Formula& formula) {
  if (is_simple(formula)) return formula.to_string();
  return formula.op() == Op::Amount ? sum_in_parentheses(formula.amount())
                                    : "(" + formula.to_string() + ")";
}

std::string raised_text(const Formula& base, const Formula& exponent) {
  return exponent == Formula(1) ? factor_text(base)
                                : factor_text(base) + "^" + factor_text(exponent);
}

// sqrt(B·F·N) / F reads sqrt(B·N / F): what stands under the root and below the line goes below it there.
FormulaTerm with_fraction_under_root(FormulaTerm term) {
  const auto root =
      std::find_if(term.factors.begin(), term.factors.end(), [](const Factor& factor) {
        return factor.exponent == 1 && factor.atom.op() == Op::Sqrt &&
               factor.atom.arguments()[0].op() == Op::Amount &&
               factor.atom.arguments()[0].amount().terms().size() == 1;
      });
  if (root == term.factors.end() || term.coefficient.terms().size() != 1) return term;
  Amount under = root->atom.arguments()[0].amount();
  const auto symbols = under.symbols();
  const auto powers = term.coefficient.terms()[0].powers;
  for (const Amount::Power& power_of : powers) {
    if (power_of.exponent >= 0 ||
        !std::binary_search(symbols.begin(), symbols.end(), power_of.symbol))
      continue;
    const Amount outside = power(Amount::symbol(power_of.symbol), power_of.exponent);
    under = under * outside * outside;
    term.coefficient = term.coefficient / outside;
  }
  root->atom = make_node(Op::Sqrt, {Formula(under)});
  return term;
}

bool is_negative(const Amount::Term& term) { return term.coefficient < Rational(0); }

bool has_minus(const Formula& formula) {
  return formula.op() == Op::Amount &&
         std::any_of(formula.amount().terms().begin(), formula.amount().terms().end(), is_negative);
}

// A term as a fraction: first the coefficient's factors, then those of the atoms.
TermText fraction_of(const FormulaTerm& written) {
  const FormulaTerm term = with_fraction_under_root(written);
  TermText text;
  const auto& coefficients = term.coefficient.terms();
  if (coefficients.size() > 1) {
    text.negative = std::all_of(coefficients.begin(), coefficients.end(), is_negative);
    const Amount sum = text.negative ? Amount(0) - term.coefficient : term.coefficient;
    text.numerator.push_back("(" + to_text(sum, Digits::Plain) + ")");
  }
  const bool has_denominator =
      std::any_of(term.factors.begin(), term.factors.end(),
                  [](const Factor& factor) { return factor.exponent < 0; });
  if (coefficients.size() == 1) text = term_text(coefficients[0], Digits::Plain, has_denominator);
  for (const Factor& factor : term.factors) {
    const int exponent = factor.exponent < 0 ? -factor.exponent : factor.exponent;
    // -a / (c - b) reads a / (b - c).
    const bool takes_sign = text.negative && exponent % 2 == 1 && has_minus(factor.atom);
    if (takes_sign) text.negative = false;
    (factor.exponent > 0 ? text.numerator : text.denominator)
        .push_back(
            raised_text(takes_sign ? Formula(0) - factor.atom : factor.atom, Formula(exponent)));
  }
  return text;
}

SignedText signed_text(const FormulaTerm& term) {
  const TermText text = fraction_of(term);
  return {text.negative, fraction_text(text)};
}

// 1e-06·(ceil(X) + ceil(Y)): a factor common to all terms is written once.
std::optional<std::string> with_common_factor(const std::vector<FormulaTerm>& terms) {
  const Amount common = terms.front().coefficient;
  if (common == Amount(1) || common == Amount(-1) || !common.is_monomial()) return std::nullopt;
  std::vector<SignedText> pieces;
  for (FormulaTerm term : terms) {
    if (term.coefficient != common || term.factors.empty()) return std::nullopt;
    term.coefficient = 1;
    pieces.push_back(signed_text(term));
  }
  const TermText outside = term_text(common.terms().front(), Digits::Plain);
  if (!outside.denominator.empty()) return std::nullopt;
  return (outside.negative ? "-" : "") + fraction_text(outside) + "·(" + sum_text(pieces) + ")";
}

std::string terms_text(const std::vector<FormulaTerm>& terms) {
  if (terms.size() > 1) {
    if (auto text = with_common_factor(terms)) return *text;
  }
  std::vector<SignedText> pieces;
  for (const FormulaTerm& term : terms) {
    if (!term.factors.empty()) {
      pieces.push_back(signed_text(term));
      continue;
    }
    for (const Amount::Term& part : reading_order(term.coefficient)) {
      pieces.push_back(signed_text({Amount::from_terms({part}), {}}));
    }
  }
  return sum_text(pieces);
}

}  // namespace

std::string Formula::to_string() const {
  switch (op()) {
    case Op::Amount:
      return to_text(amount_, Digits::Plain);
    case Op::Sum:
    case Op::Product:
    case Op::Quotient:
      return terms_text(terms_of(*this));
    case Op::Power:
      return raised_text(arguments()[0], arguments()[1]);
    default:
      return call_text(*this);
  }
}

}  // namespace shard

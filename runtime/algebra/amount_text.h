// How numbers and terms of amounts and formulas are printed; shared by both printers.
#pragma once

#include <string>
#include <vector>

#include "runtime/algebra/amount.h"

namespace shard {

enum class Digits {
  Exact,  // "4000000", "1/2"
  Plain,  // numbers that are long in digits or as a fraction become decimals: "1e-06", "4.59e+14"
};

// One term as numerator and denominator, so that a formula can add its own factors to either.
struct TermText {
  bool negative = false;
  std::vector<std::string> numerator;    // without a factor 1
  std::vector<std::string> denominator;  // without a factor 1
};

// `in_fraction`: something else is in the denominator already, so that 1/2 is written as a 2 next to it.
TermText term_text(const Amount::Term& term, Digits digits, bool in_fraction = false);
// Without the sign: "2·B·D·F / (X·Y)", "1/2·B", "1 / (2·X)", "3".
std::string fraction_text(const TermText& text);
// The terms of an amount in reading order: by degree of the numerator, then of the whole term, then the alphabetically
// last symbols first, as in 4·D·F / Y + 4·B·D / X.
std::vector<Amount::Term> reading_order(const Amount& amount);
std::string to_text(const Amount& amount, Digits digits);
std::string number_text(const Rational& number, Digits digits);

// "a + b - c" from signed pieces.
struct SignedText {
  bool negative = false;
  std::string text;
};
std::string sum_text(const std::vector<SignedText>& pieces);

}  // namespace shard

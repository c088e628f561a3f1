#include "base/rational.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/words.h"

namespace shard {
namespace {

using Integer = Rational::Integer;
__extension__ typedef unsigned __int128 Unsigned;

// The most negative value is excluded, so that negation never overflows.
constexpr Integer kMax = static_cast<Integer>(~Unsigned{0} >> 1);

Integer magnitude(Integer value) { return value < 0 ? -value : value; }

bool fits_a_word(Integer value) {
  return value == static_cast<std::int64_t>(value) &&
         value != std::numeric_limits<std::int64_t>::min();
}

Integer greatest_common_divisor(Integer a, Integer b) {
  if (a == 1 || b == 1) return 1;
  if (fits_a_word(a) && fits_a_word(b))
    return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
  while (b != 0) {
    const Integer rest = a % b;
    a = b;
    b = rest;
  }
  return magnitude(a);
}

std::optional<Integer> checked_add(Integer a, Integer b) {
  Integer result = 0;
  if (__builtin_add_overflow(a, b, &result) || result < -kMax) return std::nullopt;
  return result;
}

std::optional<Integer> checked_multiply(Integer a, Integer b) {
  Integer result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result < -kMax) return std::nullopt;
  return result;
}

Rational from_parts(std::optional<Integer> numerator, std::optional<Integer> denominator) {
  if (!numerator || !denominator) return Rational::overflow();
  return Rational::fraction(*numerator, *denominator);
}

Integer floor_divide(Integer a, Integer b) {
  const Integer quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

// The digits from `at` on; moves `at` past them.
std::string take_digits(const std::string& text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return text.substr(begin, at - begin);
}

// The exponent after 'e', clamped; nullopt if there are no digits. 10^100,000 is far beyond 128 bits whatever digits a
// literal has in front of it, and clamping there keeps the int below from overflowing.
std::optional<int> take_exponent(const std::string& text, std::size_t& at) {
  constexpr int kBound = 100'000;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  const std::string digits = take_digits(text, at);
  if (digits.empty()) return std::nullopt;
  int value = 0;
  for (const char digit : digits) value = std::min(kBound, value * 10 + (digit - '0'));
  return negative ? -value : value;
}

// digits * 10^exponent.
Rational scale_digits(std::string digits, int exponent) {
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (digits.find_first_not_of('0') == std::string::npos) return 0;
  std::optional<Integer> value = 0;
  for (const char digit : digits) {
    if (value) value = checked_multiply(*value, 10);
    if (value) value = checked_add(*value, digit - '0');
  }
  if (!value) return Rational::overflow();
  return Rational::fraction(*value, 1) * power(10, exponent);
}

// The first convergent of the continued fraction of numerator / 2^shift that rounds to `target`: the simplest fraction
// that close, which leaves later arithmetic more room than the exact binary one.
Rational simplest_near(double target, Integer numerator, int shift) {
  Integer a = numerator;
  Integer b = Integer{1} << shift;
  Integer p = 1;
  Integer q = 0;
  Integer previous_p = 0;
  Integer previous_q = 1;
  while (b != 0) {
    const Integer quotient = a / b;
    previous_p = std::exchange(p, quotient * p + previous_p);
    previous_q = std::exchange(q, quotient * q + previous_q);
    a = std::exchange(b, a % b);
    const Rational convergent = Rational::fraction(p, q);
    if (convergent.to_double() == target) return convergent;
  }
  return Rational::fraction(p, q);
}

Rational approximate_positive(double value) {
  // 128-bit integers hold 2^126 and its reciprocal with a bit to spare; beyond them a value is overflow, or 0.
  if (value >= std::ldexp(1.0, 126)) return Rational::overflow();
  if (value <= std::ldexp(1.0, -126)) return 0;
  int exponent = 0;
  const auto mantissa = static_cast<Integer>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  if (exponent >= 0) return Rational::fraction(mantissa << exponent, 1);
  // A 53-bit mantissa over 2^113 is at least 2^-61; the denominator then fits 128 bits.
  if (exponent >= -113) return simplest_near(value, mantissa, -exponent);
  // The reciprocal is above 2^60, where every double is an integer.
  return Rational::fraction(1, static_cast<Integer>(1.0 / value));
}

}  // namespace

Rational Rational::whole(Integer value) {
  Rational result;
  result.numerator_ = value;
  return result;
}

Rational Rational::fraction(Integer numerator, Integer denominator) {
  if (denominator == 0 || numerator < -kMax || denominator < -kMax) return overflow();
  if (denominator == 1) return whole(numerator);
  const Integer divisor = greatest_common_divisor(numerator, denominator);
  Rational result;
  result.numerator_ = denominator < 0 ? -numerator : numerator;
  result.denominator_ = magnitude(denominator);
  if (divisor == 1) return result;
  result.numerator_ /= divisor;
  result.denominator_ /= divisor;
  return result;
}

Rational Rational::overflow() {
  Rational result;
  result.denominator_ = 0;
  return result;
}

std::optional<Rational> Rational::parse(const std::string& decimal) {
  std::size_t at = 0;
  std::string digits = take_digits(decimal, at);
  int exponent = 0;
  if (at < decimal.size() && decimal[at] == '.') {
    const std::string decimals = take_digits(decimal, ++at);
    digits += decimals;
    exponent = -static_cast<int>(decimals.size());
  }
  if (digits.empty()) return std::nullopt;
  if (at < decimal.size() && (decimal[at] == 'e' || decimal[at] == 'E')) {
    const std::optional<int> written = take_exponent(decimal, ++at);
    if (!written) return std::nullopt;
    exponent += *written;
  }
  if (at != decimal.size()) return std::nullopt;
  return scale_digits(std::move(digits), exponent);
}

Rational Rational::approximate(double value) {
  if (!std::isfinite(value)) return overflow();
  return value < 0 ? -approximate_positive(-value) : approximate_positive(value);
}

double Rational::to_double() const {
  if (is_overflow()) return std::numeric_limits<double>::infinity();
  return static_cast<double>(static_cast<long double>(numerator_) /
                             static_cast<long double>(denominator_));
}

std::optional<std::int64_t> Rational::to_int64() const {
  const bool fits = numerator_ >= std::numeric_limits<std::int64_t>::min() &&
                    numerator_ <= std::numeric_limits<std::int64_t>::max();
  if (!is_integer() || !fits) return std::nullopt;
  return static_cast<std::int64_t>(numerator_);
}

namespace {

std::string digits_of(Integer value) {
  std::string reversed;
  for (Integer rest = magnitude(value); rest != 0; rest /= 10)
    reversed += static_cast<char>('0' + rest % 10);
  if (reversed.empty()) reversed = "0";
  if (value < 0) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace

std::string Rational::to_string() const {
  if (is_overflow()) return "overflow";
  if (is_integer()) return digits_of(numerator_);
  return digits_of(numerator_) + "/" + digits_of(denominator_);
}

Rational Rational::operator-() const {
  Rational result = *this;
  result.numerator_ = -numerator_;
  return result;
}

Rational operator+(const Rational& a, const Rational& b) {
  if (a.is_overflow() || b.is_overflow()) return Rational::overflow();
  // Over the least common denominator, so that a sum overflows only if the result itself does not fit.
  if (a.denominator_ == 1 && b.denominator_ == 1) {
    const auto sum = checked_add(a.numerator_, b.numerator_);
    return sum ? Rational::whole(*sum) : Rational::overflow();
  }
  const Integer shared = greatest_common_divisor(a.denominator_, b.denominator_);
  const Integer a_factor = b.denominator_ / shared;
  const std::optional<Integer> left = checked_multiply(a.numerator_, a_factor);
  const std::optional<Integer> right = checked_multiply(b.numerator_, a.denominator_ / shared);
  if (!left || !right) return Rational::overflow();
  return from_parts(checked_add(*left, *right), checked_multiply(a.denominator_, a_factor));
}

Rational operator-(const Rational& a, const Rational& b) { return a + -b; }

Rational operator*(const Rational& a, const Rational& b) {
  if (a.is_overflow() || b.is_overflow()) return Rational::overflow();
  if (a.denominator_ == 1 && b.denominator_ == 1) {
    const auto product = checked_multiply(a.numerator_, b.numerator_);
    return product ? Rational::whole(*product) : Rational::overflow();
  }
  const Rational left = Rational::fraction(a.numerator_, b.denominator_);
  const Rational right = Rational::fraction(b.numerator_, a.denominator_);
  return from_parts(checked_multiply(left.numerator_, right.numerator_),
                    checked_multiply(left.denominator_, right.denominator_));
}

Rational operator/(const Rational& a, const Rational& b) {
  if (b.is_overflow()) return b;
  return a * Rational::fraction(b.denominator_, b.numerator_);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.is_overflow() || b.is_overflow()) return a.is_overflow() <=> b.is_overflow();
  if (a.denominator_ == b.denominator_) return a.numerator_ <=> b.numerator_;
  // Cross products may not fit, so compare the whole parts first, then the reciprocals of the remainders.
  Integer an = a.numerator_;
  Integer ad = a.denominator_;
  Integer bn = b.numerator_;
  Integer bd = b.denominator_;
  while (true) {
    const Integer a_whole = floor_divide(an, ad);
    const Integer b_whole = floor_divide(bn, bd);
    if (a_whole != b_whole) return a_whole <=> b_whole;
    an -= a_whole * ad;
    bn -= b_whole * bd;
    if (an == 0 || bn == 0) return an <=> bn;
    std::swap(an, bd);
    std::swap(ad, bn);
  }
}

Rational power(const Rational& base, int exponent) {
  if (exponent < 0) return 1 / (base * power(base, -(exponent + 1)));
  Rational result = base.is_overflow() ? base : Rational(1);
  Rational square = base;
  for (int rest = exponent; rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = result * square;
    // Squared only while needed: the last square may overflow although the result does not.
    if (rest > 1) square = square * square;
  }
  return result;
}

Rational ceil(const Rational& value) { return -floor(-value); }

Rational floor(const Rational& value) {
  if (value.is_overflow()) return value;
  return Rational::fraction(floor_divide(value.numerator(), value.denominator()), 1);
}

Rational round(const Rational& value) {
  const Rational below = floor(value);
  const Rational rest = value - below;
  const Rational half = Rational::fraction(1, 2);
  if (rest < half) return below;
  const bool even = floor(below * half) == below * half;
  return rest == half && even ? below : below + Rational(1);
}

}  // namespace shard

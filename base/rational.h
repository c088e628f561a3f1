// Exact rational numbers: the coefficients of FLOPs, bytes and times, and the numbers of a script.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace shard {

// A fraction in lowest terms with a positive denominator, on 128-bit integers. A result that does not fit is
// `overflow()`, and so is every operation on it; callers check `is_overflow()` where a number leaves the arithmetic
// (printing, executing). Division by zero is overflow as well.
class Rational {
 public:
  __extension__ typedef __int128 Integer;  // -Wpedantic cannot be silenced for `using`

  constexpr Rational() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Rational(std::int64_t value) : numerator_(value) {}
  // numerator / denominator, reduced.
  static Rational fraction(Integer numerator, Integer denominator);
  static Rational overflow();
  // The exact value of a decimal literal such as "4.5e10", "48000", ".5"; nullopt if it is not one.
  static std::optional<Rational> parse(const std::string& decimal);
  // The rational nearest to a double, for results of sqrt and log2; exact for integers up to 2^53.
  static Rational approximate(double value);

  Integer numerator() const { return numerator_; }
  Integer denominator() const { return denominator_; }
  bool is_overflow() const { return denominator_ == 0; }
  bool is_integer() const { return denominator_ == 1; }
  bool is_zero() const { return numerator_ == 0 && denominator_ == 1; }
  double to_double() const;
  // The value, if it is an integer that fits.
  std::optional<std::int64_t> to_int64() const;
  // Exact: "12", "-7", "2/3".
  std::string to_string() const;

  Rational operator-() const;
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b) = default;
  // Exact order; overflow is greater than everything else.
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  // REQUIRES: not the most negative value.
  static Rational whole(Integer value);

  Integer numerator_ = 0;
  Integer denominator_ = 1;
};

Rational power(const Rational& base, int exponent);
Rational ceil(const Rational& value);
Rational floor(const Rational& value);
Rational round(const Rational& value);  // halves to the even one

}  // namespace shard

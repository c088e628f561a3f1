// Floating-point numbers of 8 and 16 bits: fp16, and fp8 in the two formats of the OCP 8-bit floating point
// specification.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace shard {

// A sign, an exponent biased by half its range, and a mantissa without its leading bit. Without infinities (E4M3), only
// the largest pattern is a NaN, and overflow gives it.
template <int kExponentBits, int kMantissaBits, bool kHasInfinity>
struct SmallFloat {
  using Bits =
      std::conditional_t<(kExponentBits + kMantissaBits >= 8), std::uint16_t, std::uint8_t>;
  Bits bits = 0;
};
using Fp16 = SmallFloat<5, 10, true>;
using Fp8E4M3 = SmallFloat<4, 3, false>;
using Fp8E5M2 = SmallFloat<5, 2, true>;

template <class T>
inline constexpr bool kIsSmallFloat = false;
template <int kExponentBits, int kMantissaBits, bool kHasInfinity>
inline constexpr bool kIsSmallFloat<SmallFloat<kExponentBits, kMantissaBits, kHasInfinity>> = true;

// Exact.
template <int kExponentBits, int kMantissaBits, bool kHasInfinity>
double to_double(SmallFloat<kExponentBits, kMantissaBits, kHasInfinity> number) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  constexpr int kMantissaMask = (1 << kMantissaBits) - 1;
  constexpr int kExponentMask = (1 << kExponentBits) - 1;
  const int mantissa = number.bits & kMantissaMask;
  const int exponent = (number.bits >> kMantissaBits) & kExponentMask;
  const double sign = (number.bits >> (kExponentBits + kMantissaBits)) != 0 ? -1 : 1;
  if (exponent == kExponentMask && (kHasInfinity || mantissa == kMantissaMask)) {
    const bool infinite = kHasInfinity && mantissa == 0;
    return std::copysign(infinite ? std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::quiet_NaN(),
                         sign);
  }
  const int significand = exponent == 0 ? mantissa : mantissa + (1 << kMantissaBits);
  return sign * std::ldexp(significand, std::max(exponent, 1) - kBias - kMantissaBits);
}

// Rounds once to nearest, ties to even.
template <class T>
struct SmallFloatOf;
template <int kExponentBits, int kMantissaBits, bool kHasInfinity>
struct SmallFloatOf<SmallFloat<kExponentBits, kMantissaBits, kHasInfinity>> {
  using Number = SmallFloat<kExponentBits, kMantissaBits, kHasInfinity>;

  static Number nearest(double value) {
    constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
    constexpr int kAllOnes = (1 << (kExponentBits + kMantissaBits)) - 1;
    constexpr int kInfinity = ((1 << kExponentBits) - 1) << kMantissaBits;
    // The first pattern that is not a finite number.
    constexpr int kBeyond = kHasInfinity ? kInfinity : kAllOnes;
    const int sign = std::signbit(value) ? 1 << (kExponentBits + kMantissaBits) : 0;
    if (std::isnan(value)) return pattern(sign | kAllOnes);
    if (std::isinf(value)) return pattern(sign | kBeyond);
    if (value == 0) return pattern(sign);
    int exponent = 0;
    std::frexp(value, &exponent);
    exponent = std::max(exponent - 1, 1 - kBias);
    const auto significand = static_cast<std::int64_t>(
        std::nearbyint(std::ldexp(std::abs(value), kMantissaBits - exponent)));
    // A significand rounded up to the next power of two carries into the exponent.
    const std::int64_t hidden = std::int64_t{1} << kMantissaBits;
    const std::int64_t bits =
        significand < hidden
            ? significand
            : (static_cast<std::int64_t>(exponent + kBias) << kMantissaBits) + significand - hidden;
    return pattern(sign | static_cast<int>(std::min<std::int64_t>(bits, kBeyond)));
  }

 private:
  static Number pattern(int bits) { return {static_cast<typename Number::Bits>(bits)}; }
};

}  // namespace shard

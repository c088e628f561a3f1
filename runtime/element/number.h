// Elements of device buffers: bf16, rounding, saturation, and dispatch from a DType to the C++ type that holds it. To
// add another type: a struct, its `convert`s, and a case in `with_element_type`.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "runtime/element/combination.h"
#include "runtime/element/dtype.h"
#include "runtime/element/small_float.h"

namespace shard {

struct Bf16 {
  std::uint16_t bits = 0;
};

inline float to_float(Bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

// Round to nearest, ties to even; overflow gives an infinity; a NaN stays a NaN.
inline Bf16 to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const std::uint32_t quiet_nan = (bits >> 16) | 0x40u;
  return {static_cast<std::uint16_t>(std::isnan(value) ? quiet_nan : rounded)};
}
// Rounds once: the intermediate fp32 value is rounded to odd.
Bf16 to_bf16(double value);

// A 4-bit integer, −8 to 7, in a byte of its own.
struct Int4 {
  std::int8_t value = 0;
};

// `value` as a To: rounded once to nearest even. Integers are clamped to To's range, and a NaN becomes 0; each
// increments `clamped`.
template <class To, class From>
To convert(From value, std::uint64_t& clamped) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsSmallFloat<From>) {
    return convert<To>(to_double(value), clamped);
  } else if constexpr (std::is_same_v<From, Int4>) {
    return convert<To>(value.value, clamped);
  } else if constexpr (std::is_same_v<From, Bf16>) {
    return convert<To>(to_float(value), clamped);
  } else if constexpr (std::is_same_v<To, Bf16>) {
    constexpr bool kFitsFloat = std::is_same_v<From, float> || std::is_same_v<From, std::int8_t>;
    return to_bf16(static_cast<std::conditional_t<kFitsFloat, float, double>>(value));
  } else if constexpr (kIsSmallFloat<To>) {
    return SmallFloatOf<To>::nearest(static_cast<double>(value));
  } else if constexpr (std::is_same_v<To, Int4>) {
    constexpr std::int8_t kLowest = -8;
    constexpr std::int8_t kHighest = 7;
    std::uint64_t beyond = 0;
    const auto byte = convert<std::int8_t>(value, beyond);
    const std::int8_t inside = std::clamp(byte, kLowest, kHighest);
    clamped += beyond != 0 || inside != byte ? 1 : 0;
    return {inside};
  } else if constexpr (std::is_integral_v<To> &&
                       (std::is_same_v<From, float> ||
                        (std::is_integral_v<From> &&
                         std::is_signed_v<To> != std::is_signed_v<From>))) {
    return convert<To>(static_cast<double>(value), clamped);
  } else if constexpr (std::is_integral_v<To> &&
                       (std::is_same_v<From, double> || sizeof(From) > sizeof(To))) {
    From nearest = value;
    if constexpr (std::is_same_v<From, double>)
      nearest = std::isnan(value) ? 0.0 : std::nearbyint(value);
    constexpr auto kLowest = static_cast<From>(std::numeric_limits<To>::min());
    constexpr auto kHighest = static_cast<From>(std::numeric_limits<To>::max());
    const From inside = nearest < kLowest ? kLowest : nearest > kHighest ? kHighest : nearest;
    bool changed = inside != nearest;
    if constexpr (std::is_same_v<From, double>) changed = changed || std::isnan(value);
    clamped += changed ? 1 : 0;
    return static_cast<To>(inside);
  } else {
    return static_cast<To>(value);
  }
}

// Calls `function` with a value of the C++ type that holds elements of `dtype`.
template <class Function>
decltype(auto) with_element_type(DType dtype, Function&& function) {
  switch (dtype) {
    case DType::Fp64:
      return function(double{});
    case DType::Fp32:
      return function(float{});
    case DType::Bf16:
      return function(Bf16{});
    case DType::Fp16:
      return function(Fp16{});
    case DType::Fp8E4M3:
      return function(Fp8E4M3{});
    case DType::Fp8E5M2:
      return function(Fp8E5M2{});
    case DType::Int32:
      return function(std::int32_t{});
    case DType::UInt32:
      return function(std::uint32_t{});
    case DType::Int8:
      return function(std::int8_t{});
    case DType::Int4:
      return function(Int4{});
  }
  check_failed("an element type", __FILE__, __LINE__);
}

// Like `with_element_type`, for the types in which sums are taken (dtype.h, `accumulation_type`).
template <class Function>
decltype(auto) with_sum_type(DType dtype, Function&& function) {
  if (dtype == DType::Fp64) return function(double{});
  SHARD_CHECK(dtype == DType::Fp32);
  return function(float{});
}

// Combines two parts of a whole, elementwise; in maxima and minima a NaN wins.
template <class T>
T combined(Combination combination, T a, T b) {
  if (combination == Combination::Sum) return a + b;
  if (std::isnan(a)) return a;
  if (std::isnan(b)) return b;
  return (a > b) == (combination == Combination::Max) ? a : b;
}

// Bytes per element in a buffer.
std::size_t element_size(DType dtype);

// The exact value of the element at `index` of a buffer.
double read_element(const std::byte* data, DType dtype, std::size_t index);
// `value` rounded to `dtype`; clamping is not counted.
double rounded_to(DType dtype, double value);
// Stores `value` rounded to `dtype`; returns whether it was clamped.
bool write_element(std::byte* data, DType dtype, std::size_t index, double value);

}  // namespace shard

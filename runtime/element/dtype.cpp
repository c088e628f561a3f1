#include "runtime/element/dtype.h"

#include <cmath>

namespace shard {
Rational bytes_of(DType dtype) { return Rational::fraction(info_of(dtype).bits, 8); }

DType accumulation_type(DType dtype) { return info_of(dtype).accumulation; }

namespace {

// Whether each number of the type `held` is one of the type `wide`; both have fractions.
bool holds(const DTypeInfo& wide, const DTypeInfo& held) {
  return wide.significand >= held.significand && wide.largest >= held.largest &&
         wide.lowest <= held.lowest && wide.underflow <= held.underflow;
}

// The narrowest type with fractions that holds both. Of fp8 and fp8e5m2 there are two, bf16 and fp16, and neither is better
// than the other.
std::optional<DType> narrowest_of_both(const DTypeInfo& a, const DTypeInfo& b) {
  if (holds(a, b)) return a.dtype;
  if (holds(b, a)) return b.dtype;
  const DTypeInfo* narrowest = nullptr;
  bool only_one = true;
  for (const DTypeInfo& type : dtypes()) {
    if (is_integer(type.dtype) || !holds(type, a) || !holds(type, b)) continue;
    if (narrowest != nullptr && type.bits > narrowest->bits) continue;
    only_one = narrowest == nullptr || type.bits < narrowest->bits;
    narrowest = &type;
  }
  return only_one && narrowest != nullptr ? std::optional(narrowest->dtype) : std::nullopt;
}

}  // namespace

std::optional<DType> common_type(DType a, DType b) {
  if (a == b) return a;
  if (is_integer(a) != is_integer(b)) return is_integer(a) ? b : a;
  if (!is_integer(a)) return narrowest_of_both(info_of(a), info_of(b));
  // No type here holds both; JAX, which has 64 bits by request alone, takes int32.
  if (a == DType::UInt32 || b == DType::UInt32) return DType::Int32;
  return bytes_of(a) < bytes_of(b) ? b : a;
}

DType fractional_type(DType dtype) { return is_integer(dtype) ? DType::Fp32 : dtype; }

bool is_integer(DType dtype) { return info_of(dtype).significand == 0; }

double unit_roundoff(DType dtype) {
  const int bits = info_of(dtype).significand;
  return bits == 0 ? 0.0 : std::ldexp(1.0, -bits);
}

}  // namespace shard

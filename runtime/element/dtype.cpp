#include "runtime/element/dtype.h"

#include <cmath>

namespace shard {
Rational bytes_of(DType dtype) { return Rational::fraction(info_of(dtype).bits, 8); }

DType accumulation_type(DType dtype) { return info_of(dtype).accumulation; }

std::optional<DType> common_type(DType a, DType b) {
  if (a == b) return a;
  if (is_integer(a) != is_integer(b)) return is_integer(a) ? b : a;
  if (!is_integer(a)) return std::nullopt;
  return bytes_of(a) < bytes_of(b) ? b : a;
}

DType fractional_type(DType dtype) { return is_integer(dtype) ? DType::Fp32 : dtype; }

bool is_integer(DType dtype) { return info_of(dtype).significand == 0; }

double unit_roundoff(DType dtype) {
  const int bits = info_of(dtype).significand;
  return bits == 0 ? 0.0 : std::ldexp(1.0, -bits);
}

}  // namespace shard

#include "interpreter/reference/rounding_error.h"

#include <algorithm>
#include <cmath>

#include "interpreter/reference/parallel.h"

namespace shard::oracle {

namespace {

// Below it underflow is looked at. It is far above 2^-126, so that a number that rounding may move there is not missed.
constexpr double kNearNothing = 1e-30;

}  // namespace

double Array::size_at(std::size_t i) const {
  const double own = std::abs(value[i]) + bound_at(i);
  return size.empty() ? own : std::max(size[i], own);
}

// Rounded down: the largest numbers are 1.798e308 in fp64, 3.403e38 in fp32 and 3.390e38 in bf16.
double largest_of(DType dtype) {
  switch (dtype) {
    case DType::Fp64:
      return 1.7e308;
    case DType::Fp16:
      return 65504;
    case DType::Fp8E5M2:
      return 57344;
    case DType::Fp8E4M3:
      return 448;
    default:
      return 3.38e38;
  }
}

double least_error(DType dtype) {
  switch (dtype) {
    case DType::Fp16:
      return std::ldexp(1.0, -25);
    case DType::Fp8E5M2:
      return std::ldexp(1.0, -17);
    case DType::Fp8E4M3:
      return std::ldexp(1.0, -10);
    default:
      return 0;
  }
}

double underflow_error(DType dtype, double value, double bound) {
  const double size = std::abs(value) + bound;
  if (size == 0) return 0;
  if (const double least = least_error(dtype); least > 0) return least;
  if (dtype == DType::Fp64 || size > kNearNothing) return 0;
  return std::ldexp(1.0, -126);
}

double clamped(DType dtype, double value) {
  if (dtype == DType::UInt32) return std::clamp(value, 0.0, std::ldexp(1.0, 32) - 1);
  const auto range = [](int bits) { return std::ldexp(1.0, bits - 1); };
  const int bits = dtype == DType::Int8    ? 8
                   : dtype == DType::Int4  ? 4
                   : dtype == DType::Int32 ? 32
                                           : 0;
  return bits == 0 ? value : std::clamp(value, -range(bits), range(bits) - 1);
}

void round_once(Array& array, DType dtype, const Mode& mode) {
  const bool integers = is_integer(dtype);
  if (!mode.bounded() && !integers) return;
  const double u = unit_roundoff(dtype);
  const double largest = largest_of(dtype);
  const bool is_small = least_error(dtype) > 0;
  const auto nearest = [&](double value) { return clamped(dtype, std::nearbyint(value)); };
  if (mode.bounded() && array.bound.empty()) array.bound.assign(array.value.size(), 0.0);
  const auto round = [&](double& value, double& bound) {
    if (integers) {
      const double exact = value;
      value = nearest(exact);
      if (bound > 0 && std::isfinite(bound))
        bound = std::max(nearest(exact + bound) - value, value - nearest(exact - bound));
    } else {
      const double size = std::abs(value) + bound;
      bound += u * size;
      if (is_small || size < kNearNothing) bound += underflow_error(dtype, value, bound);
      if (std::abs(value) + bound > largest) bound = HUGE_VAL;
    }
  };
  in_ranges(mode.watch, array.value.size(), kElementsAtOnce,
            [&](std::size_t begin, std::size_t end) {
              double none = 0;
              for (std::size_t i = begin; i < end; ++i)
                round(array.value[i], mode.bounded() ? array.bound[i] : none);
            });
}

void settle(Array& array, const Mode& mode) {
  if (!mode.bounded() || array.bound.empty()) return;
  in_ranges(mode.watch, array.value.size(), kElementsAtOnce,
            [&](std::size_t begin, std::size_t end) {
              for (std::size_t i = begin; i < end; ++i) {
                if (std::isfinite(array.value[i]) && std::isfinite(array.bound[i])) continue;
                array.value[i] = 0;
                array.bound[i] = HUGE_VAL;
              }
            });
}

double sum_error(double terms, double size, double u, bool integers) {
  return integers && size * u < 1 ? 0 : (terms + 2) * u * size;
}

}  // namespace shard::oracle

#include "interpreter/reference/rounding_error.h"

#include <algorithm>
#include <cmath>

#include "interpreter/reference/parallel.h"

namespace shard::oracle {

double Array::size_at(std::size_t i) const {
  const double own = std::abs(value[i]) + bound_at(i);
  return size.empty() ? own : std::max(size[i], own);
}

double largest_of(DType dtype) { return info_of(dtype).largest; }

double least_error(DType dtype) {
  const double error = info_of(dtype).underflow;
  return error > kNearNothing ? error : 0;
}

UnderflowError::UnderflowError(DType dtype)
    : least_(least_error(dtype)), underflow_(info_of(dtype).underflow) {}

double underflow_error(DType dtype, double value, double bound) {
  return UnderflowError(dtype)(value, bound);
}

double clamped(DType dtype, double value) {
  const DTypeInfo& type = info_of(dtype);
  return is_integer(dtype) ? std::clamp(value, type.lowest, type.largest) : value;
}

Rounding::Rounding(DType dtype)
    : dtype_(dtype),
      integers_(is_integer(dtype)),
      u_(unit_roundoff(dtype)),
      largest_(largest_of(dtype)),
      is_small_(least_error(dtype) > 0),
      underflow_(dtype) {}

double Rounding::nearest(double value) const { return clamped(dtype_, std::nearbyint(value)); }

void Rounding::operator()(double& value, double& bound) const {
  if (integers_) {
    const double exact = value;
    value = nearest(exact);
    if (bound > 0 && std::isfinite(bound))
      bound = std::max(nearest(exact + bound) - value, value - nearest(exact - bound));
    return;
  }
  const double size = std::abs(value) + bound;
  bound += u_ * size;
  if (is_small_ || size < kNearNothing) bound += underflow_(value, bound);
  if (std::abs(value) + bound > largest_) bound = HUGE_VAL;
}

void round_once(Array& array, DType dtype, const Mode& mode) {
  if (!mode.bounded() && !is_integer(dtype)) return;
  if (mode.bounded() && array.bound.empty()) array.bound.assign(array.value.size(), 0.0);
  const Rounding round(dtype);
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

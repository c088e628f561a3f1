// What rounding may do to an array, type by type.
#pragma once

#include <cmath>

#include "interpreter/ir/checked.h"
#include "interpreter/reference/array.h"

namespace shard::oracle {

// A number beyond it, or one that rounding takes beyond it, may become an infinity.
double largest_of(DType dtype);
// Half of the smallest number of a small type, which is what rounding may change where its error is no longer relative;
// 0 for other types.
double least_error(DType dtype);
// Below it underflow is looked at. It is far above 2^-126, so that a number that rounding may move there is not missed.
inline constexpr double kNearNothing = 1e-30;
// The part of one rounding's error that is not relative: numbers below the smallest normal one of fp32 and bf16 may be
// flushed to 0, and small types have a least error.
class UnderflowError {
 public:
  explicit UnderflowError(DType dtype);
  double operator()(double value, double bound) const {
    const double size = std::abs(value) + bound;
    if (size == 0) return 0;
    return least_ > 0 || size <= kNearNothing ? underflow_ : 0;
  }

 private:
  double least_;
  double underflow_;
};
double underflow_error(DType dtype, double value, double bound);
double clamped(DType dtype, double value);
// One rounding of a number that may be as far off as its bound: integers saturate, other types err by the unit roundoff. A
// number that overflows may be anything.
class Rounding {
 public:
  explicit Rounding(DType dtype);
  void operator()(double& value, double& bound) const;

 private:
  double nearest(double value) const;

  DType dtype_;
  bool integers_;
  double u_;
  double largest_;
  bool is_small_;
  UnderflowError underflow_;
};
// One rounding of each element.
void round_once(Array& array, DType dtype, const Mode& mode);
// NaN, and numbers without a bound, may be anything: they become 0 with an infinite bound.
void settle(Array& array, const Mode& mode);
// How far a sum of this many terms, whose sizes add up to `size`, may be from the exact one. Sums of integers are exact
// as long as the type that they are taken in holds them.
double sum_error(double terms, double size, double u, bool integers);

}  // namespace shard::oracle

// A number of the oracle with a bound on its rounding error.
#pragma once

#include <span>

#include "interpreter/ir/checked.h"

namespace shard::oracle {

// What exp, log, tanh, erf and the functions made of them may err by, in units of roundoff. An allowance: vectorized
// functions are a few units off.
inline constexpr double kUlps = 8;

// A value, and how far a computed one may be from it.
struct Near {
  double value = 0;
  double bound = 0;
};

// An operation on numbers in a type with unit roundoff `u`, with the bounds stated in elements.h. An infinite bound
// means that any value is right. REQUIRES: as many arguments as the operation takes.
Near applied(ElementOp op, std::span<const Near> arguments, double u);
// The operation on the values alone.
double applied(ElementOp op, std::span<const double> arguments);

// The same for each of many numbers: first[i] becomes the result of first[i] and what the others hold there. Which operation it
// is, is asked once for all of them. REQUIRES: as many arguments as the operation takes, of one length.
void apply_to_all(ElementOp op, std::span<const std::span<Near>> arguments, double u);
void apply_to_all(ElementOp op, std::span<const std::span<double>> arguments);

}  // namespace shard::oracle

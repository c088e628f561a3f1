// A number of the oracle with a bound on what rounding made of it.
#pragma once

#include <span>

#include "interpreter/ir/checked.h"

namespace shard::oracle {

// How far exp, log, tanh, erf and what is made of them err, in units of roundoff.
inline constexpr double kUlps = 8;

// A value and how far a computed one may lie from it.
struct Near {
  double value = 0;
  double bound = 0;
};

// An operation on numbers, in a type with unit roundoff `u`, with the bounds that elements.h says. An infinite bound
// means that it may be anything. REQUIRES: as many arguments as the operation takes.
Near applied(ElementOp op, std::span<const Near> arguments, double u);
// The same operation on numbers alone.
double applied(ElementOp op, std::span<const double> arguments);

}  // namespace shard::oracle

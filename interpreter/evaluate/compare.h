// Comparisons of numbers and of formulas.
#pragma once

#include "grammar/tree/ast.h"
#include "interpreter/ir/value.h"
#include "runtime/algebra/formula.h"

namespace shard {

// What `≈` allows when it does not say: 0.05 %, so that 4 printed digits agree.
inline constexpr double kDefaultTolerance = 0.0005;

// `tolerance` is for `≈` only, as a fraction of the right side. Numbers compare exactly; formulas where it can be shown
// for all sizes.
Truth compare(ast::BinaryOp op, const Formula& left, const Formula& right, double tolerance);

}  // namespace shard

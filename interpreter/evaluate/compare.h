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

// Whether two numbers count as equal: whole numbers of bytes, FLOPs or anything else where they are; times and their ratios, which
// are sums of the same terms in other orders, within a billionth of each other (planning::differ). What holds of figures, `expect`,
// `print`, `when` and `solve` say alike. REQUIRES: both are numbers.
bool are_tied(const Quantity& left, const Quantity& right);
// The same as of formulas, but for ties.
Truth compare(ast::BinaryOp op, const Quantity& left, const Quantity& right, double tolerance);

}  // namespace shard

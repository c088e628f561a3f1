#include "runtime/algebra/formula_extent.h"

#include <algorithm>

namespace shard {

namespace {

// Subtracts the size of the formula from `left`, stopping once that is negative.
void count_down(const Formula& formula, std::int64_t& left) {
  if (formula.op() == Formula::Op::Amount) {
    left -= static_cast<std::int64_t>(formula.amount().terms().size());
    return;
  }
  --left;
  for (const Formula& argument : formula.arguments()) {
    if (left < 0) return;
    count_down(argument, left);
  }
}

}  // namespace

bool is_longer_than(const Formula& formula, std::int64_t most) {
  std::int64_t left = most;
  count_down(formula, left);
  return left < 0;
}

bool is_higher_than(const Formula& formula, int most) {
  if (formula.op() == Formula::Op::Amount) return false;
  if (most == 0) return true;
  const auto& arguments = formula.arguments();
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const Formula& argument) { return is_higher_than(argument, most - 1); });
}

}  // namespace shard

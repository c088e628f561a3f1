// A softmax as its steps: max, exp, sum, divide (design: language, rule 7).
#pragma once

#include "interpreter/planning/search/weight.h"
#include "interpreter/planning/term.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

ElementProgram exp_of_difference();  // exp(operand 0 − operand 1)
ElementProgram quotient();           // operand 0 / operand 1

// The cost of a softmax over `along` whose operand and result have `layout`: a local maximum and sum, an AllReduce of
// each if a dimension of `along` is split, and two elementwise computations.
struct SoftmaxCost {
  Cost cost;
  Formula time;
  Weight weight;
};
SoftmaxCost cost_of_softmax(const Labels& labels, const Labels& along, const Shape& shape,
                            const Layout& layout, const Machine& machine);

}  // namespace shard::planning

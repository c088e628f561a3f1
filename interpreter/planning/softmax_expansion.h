// A softmax as its steps: max, exp, sum, divide (design: language, rule 7).
#pragma once

#include "interpreter/planning/term.h"
#include "interpreter/planning/weight.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

ElementProgram exp_of_difference();  // exp(operand 0 − operand 1)
ElementProgram quotient();           // operand 0 / operand 1

// What a softmax over `along` costs where operand and result have `layout`: a maximum and a sum over the local part, an
// AllReduce of each if one of them is split, and two computations on elements.
struct SoftmaxCost {
  Cost cost;
  Formula time;
  Weight weight;
};
SoftmaxCost cost_of_softmax(const Labels& labels, const Labels& along, const Shape& shape,
                            const Layout& layout, const Machine& machine);

}  // namespace shard::planning

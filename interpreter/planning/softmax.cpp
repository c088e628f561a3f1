#include "interpreter/planning/softmax.h"

#include <algorithm>

namespace shard::planning {

ElementProgram exp_of_difference() {
  return {{.op = ElementOp::Operand, .operand = 0},
          {.op = ElementOp::Operand, .operand = 1},
          {.op = ElementOp::Subtract},
          {.op = ElementOp::Exp}};
}

ElementProgram quotient() {
  return {{.op = ElementOp::Operand, .operand = 0},
          {.op = ElementOp::Operand, .operand = 1},
          {.op = ElementOp::Divide}};
}

SoftmaxCost cost_of_softmax(const Labels& labels, int label, const Shape& shape,
                            const Layout& layout, const Machine& machine) {
  SoftmaxCost total;
  const auto add = [&](const Cost& cost) {
    total.cost += cost;
    total.time = total.time + cost.time();
    total.weight += weigh(cost);
  };
  const auto along =
      static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  const Copy whole{.shape = shape.lengths, .dtype = shape.dtype, .layout = layout};
  Copy row = whole;
  Labels row_labels = labels;
  row.shape.erase(row.shape.begin() + static_cast<std::ptrdiff_t>(along));
  row_labels.erase(row_labels.begin() + static_cast<std::ptrdiff_t>(along));
  for (const ReductionKind kind : {ReductionKind::Max, ReductionKind::Sum}) {
    const auto left = local_reduction(kind, labels, layout, row_labels);
    const auto& partial = std::get<Layout>(left);
    row.layout = partial;
    add(cost_of_reduction(whole, row, machine));
    Layout reduced = partial;
    reduced.unreduced.clear();
    const Shape row_shape{.lengths = row.shape, .dtype = shape.dtype};
    if (const auto route = cheapest_route({partial}, reduced, row_shape, machine)) {
      for (const Move& move : route->moves) add(cost_of(move, row_shape, machine));
    }
    row.layout = reduced;
    ElementwiseStep step;
    step.program = kind == ReductionKind::Max ? exp_of_difference() : quotient();
    step.operand_labels = {labels, row_labels};
    step.result_labels = labels;
    add(cost_of_elements(step, {whole, row}, whole, machine));
  }
  return total;
}

}  // namespace shard::planning

#include "interpreter/planning/softmax_expansion.h"

#include <algorithm>

#include "interpreter/planning/local_layout.h"
#include "interpreter/planning/search/route_search.h"

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

SoftmaxCost cost_of_softmax(const Labels& labels, const Labels& along, const Shape& shape,
                            const Layout& layout, const Machine& machine) {
  SoftmaxCost total;
  const auto add = [&](const Cost& cost) {
    total.cost += cost;
    total.time = total.time + cost.time();
    total.weight += weigh(cost);
  };
  const Copy whole{.shape = shape.lengths, .dtype = shape.dtype, .layout = layout};
  Copy row = whole;
  row.shape = {};
  Labels row_labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (std::find(along.begin(), along.end(), labels[i]) != along.end()) continue;
    row.shape.edit().push_back(shape.lengths[i]);
    row_labels.push_back(labels[i]);
  }
  for (const ReductionKind kind : {ReductionKind::Max, ReductionKind::Sum}) {
    const auto left = local_reduction(kind, labels, layout, row_labels);
    const auto& partial = std::get<Layout>(left);
    row.layout = partial;
    add(cost_of_reduction(whole, row, machine));
    Layout reduced = partial;
    reduced.unreduced = {};
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

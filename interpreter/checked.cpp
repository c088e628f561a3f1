#include "interpreter/checked.h"

namespace shard::checked {

std::vector<const Operation*> operands_of(const Operation& operation) {
  using Operands = std::vector<const Operation*>;
  return match(
      operation.node, [](const Use&) { return Operands{}; },
      [](const Product& product) {
        return Operands{product.left.operator->(), product.right.operator->()};
      },
      [](const Elementwise& elementwise) {
        Operands operands;
        for (const Operation& operand : elementwise.operands) operands.push_back(&operand);
        return operands;
      },
      [](const Reduction& reduction) { return Operands{reduction.operand.operator->()}; },
      [](const Softmax& softmax) { return Operands{softmax.operand.operator->()}; },
      [](const Selection& selection) {
        Operands operands;
        for (const Operation& operand : selection.operands) operands.push_back(&operand);
        return operands;
      },
      [](const Collective& collective) { return Operands{collective.operand.operator->()}; });
}

}  // namespace shard::checked

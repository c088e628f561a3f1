#include "interpreter/ir/checked.h"

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

int operations_in(const Operation& operation) {
  int count = 1;
  for (const Operation* operand : operands_of(operation)) count += operations_in(*operand);
  return count;
}

const Operation& operation_at(const Operation& value, int number) {
  if (number == 0) return value;
  int first = 1;
  for (const Operation* operand : operands_of(value)) {
    const int behind = first + operations_in(*operand);
    if (number < behind) return operation_at(*operand, number - first);
    first = behind;
  }
  return value;
}

namespace {

template <class Renamed>
void rename_arrays(Operation& operation, const Renamed& renamed) {
  if (auto* use = std::get_if<Use>(&operation.node)) use->array = renamed(use->array);
  // They are parts of what may be changed.
  for (const Operation* operand : operands_of(operation))
    rename_arrays(const_cast<Operation&>(*operand), renamed);
}

void add_arrays_read(const Operation& operation, const FlowOfStatement& flow,
                     std::vector<ArrayId>& read) {
  if (const auto* use = std::get_if<Use>(&operation.node)) read.push_back(flow.array(use->array));
  for (const Operation* operand : operands_of(operation)) add_arrays_read(*operand, flow, read);
}

}  // namespace

std::vector<ArrayId> arrays_read(const FlowOfStatement& flow) {
  std::vector<ArrayId> read;
  if (flow.form()) add_arrays_read(flow.form()->value, flow, read);
  return read;
}

ArrayId FlowOfStatement::array(ArrayId of_form) const {
  for (const auto& [from, to] : arrays_) {
    if (from == of_form) return to;
  }
  return of_form;
}

Flow FlowOfStatement::get() const {
  Flow flow = *form_;
  const auto renamed = [&](ArrayId array) { return this->array(array); };
  flow.target = renamed(flow.target);
  flow.replaces = renamed(flow.replaces);
  rename_arrays(flow.value, renamed);
  return flow;
}

}  // namespace shard::checked

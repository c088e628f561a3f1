#include "interpreter/program/element_values.h"

#include <algorithm>

namespace shard {

namespace {

bool has_open_constant(const ElementProgram& program) {
  return std::any_of(program.begin(), program.end(), [](const ElementInstruction& instruction) {
    return !instruction.constant.constant().has_value();
  });
}

void put_values(const Values& values, ElementProgram& program) {
  for (ElementInstruction& instruction : program)
    instruction.constant = instruction.constant.substitute(values);
}

// False if nothing in it had to be changed.
bool put_values(const Values& values, checked::Operation& operation) {
  bool changed = false;
  if (auto* elements = std::get_if<checked::Elementwise>(&operation.node)) {
    changed = has_open_constant(elements->program);
    if (changed) put_values(values, elements->program);
  }
  // They are parts of what may be changed.
  for (const checked::Operation* operand : checked::operands_of(operation))
    changed = put_values(values, const_cast<checked::Operation&>(*operand)) || changed;
  return changed;
}

}  // namespace

void put_values(const Values& values, Program& program) {
  for (Step& step : program.plan.steps) {
    auto* elements = std::get_if<ElementwiseStep>(&step.action);
    if (elements != nullptr && has_open_constant(elements->program))
      put_values(values, elements->program.edit());
  }
  for (StatementRecord& statement : program.statements) {
    if (!statement.flow.form()) continue;
    checked::Flow flow = statement.flow.get();
    if (put_values(values, flow.value)) statement.flow = checked::FlowOfStatement(std::move(flow));
  }
}

}  // namespace shard

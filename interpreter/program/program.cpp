#include "interpreter/program/program.h"

#include <algorithm>

namespace shard {

void set_machine(Program& program, const Machine& machine) {
  // What was planned for this machine holds: calls set it for each of their arguments.
  if (program.machine == machine) return;
  program.machine = machine;
  program.memo = std::make_shared<planning::Memo>();
  program.lowered = nullptr;
}

Plan finished_plan(const Program& program, const std::vector<CopyId>& keep) {
  Plan plan = program.plan;
  free_after_last_use(plan, keep, program.ended);
  return plan;
}

bool has_size(const Copy& copy) {
  return std::all_of(copy.shape.begin(), copy.shape.end(),
                     [](const Amount& length) { return length.constant().has_value(); });
}

bool has_all_sizes(const Program& program) {
  return std::all_of(program.plan.copies.begin(), program.plan.copies.end(), has_size);
}

}  // namespace shard

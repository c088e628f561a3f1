#include "interpreter/program.h"

#include <algorithm>
#include <iterator>

namespace shard {

Plan finished_plan(const Program& program, const std::vector<CopyId>& keep) {
  Plan plan{.copies = program.plan.copies};
  const auto is_input = [](const Step& step) {
    return std::holds_alternative<InputStep>(step.action);
  };
  std::copy_if(program.plan.steps.begin(), program.plan.steps.end(), std::back_inserter(plan.steps),
               is_input);
  std::copy_if(program.plan.steps.begin(), program.plan.steps.end(), std::back_inserter(plan.steps),
               [&](const Step& step) { return !is_input(step); });
  free_after_last_use(plan, keep, program.ended);
  return plan;
}

}  // namespace shard

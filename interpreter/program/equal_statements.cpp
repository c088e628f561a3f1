#include "interpreter/program/equal_statements.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "interpreter/program/step_text.h"

namespace shard {

namespace {

bool cost_the_same(const Cost& a, const Cost& b) {
  return &a == &b ||
         (a.flops == b.flops && a.hbm_bytes == b.hbm_bytes && a.comm_bytes == b.comm_bytes);
}

bool name_the_same(const Plan& plan, std::size_t i, std::size_t k) {
  const auto same = [&](CopyId a, CopyId b) { return plan.copies[a].name == plan.copies[b].name; };
  const std::vector<CopyId> operands = operands_of(plan.steps[i]);
  const std::vector<CopyId> others = operands_of(plan.steps[k]);
  return same(result_of(plan.steps[i]), result_of(plan.steps[k])) &&
         std::equal(operands.begin(), operands.end(), others.begin(), others.end(), same);
}

}  // namespace

bool are_equal(const Program& program, const StatementRecord& a, const StatementRecord& b) {
  if (*a.text != *b.text || a.remark != b.remark || a.parts != b.parts) return false;
  const std::vector<std::size_t> steps = shown_steps(program, a);
  const std::vector<std::size_t> others = shown_steps(program, b);
  // Statements that share what they were lowered from differ in their arrays at most.
  const bool is_replayed = a.flow.form() != nullptr && a.flow.form() == b.flow.form();
  return std::equal(
      steps.begin(), steps.end(), others.begin(), others.end(), [&](std::size_t i, std::size_t k) {
        return cost_the_same(*program.steps[i].cost, *program.steps[k].cost) &&
               (is_replayed
                    ? name_the_same(program.plan, i, k)
                    : folded_text(step_text(program, i), step_text(program, k)).has_value());
      });
}

}  // namespace shard

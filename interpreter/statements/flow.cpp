#include "interpreter/statements/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grammar/print/printer.h"
#include "interpreter/estimate/fault_effects.h"
#include "interpreter/machine/fault.h"
#include "interpreter/machine/machine.h"
#include "interpreter/program/ended_copies.h"

namespace shard {

Program& FlowPlanner::program() {
  auto& programs = state_.programs;
  const Machine& machine = scope_.hardware();
  const bool goes_on = !programs.empty() && !state_.program_ended;
  const bool same = goes_on && programs[state_.current].machine == machine;
  if (!same && goes_on && only_grew(programs[state_.current].machine)) {
    set_machine(programs[state_.current], machine);
  } else if (!same) {
    add_given_faults(options_.faults, context_);
    programs.push_back({.machine = machine});
    state_.current = programs.size() - 1;
  }
  state_.program_ended = false;
  return programs[state_.current];
}

// While no mesh is declared, axes are added as they are named.
bool FlowPlanner::only_grew(const Machine& before) const {
  const Machine& now = scope_.hardware();
  return before.chip == now.chip && before.faults == now.faults &&
         before.mesh.axes.size() <= now.mesh.axes.size() &&
         std::equal(before.mesh.axes.begin(), before.mesh.axes.end(), now.mesh.axes.begin());
}

void FlowPlanner::plan(std::optional<checked::Flow> flow, const ast::Statement& statement) {
  state_.incomplete = state_.incomplete || !flow;
  if (flow) plan(*std::move(flow), print(statement, Spelling::Unicode));
}

// Costs are formulas in all sizes that are not given, so that their number is limited.
void FlowPlanner::count_open_sizes(const checked::Flow& flow) {
  auto& open = state_.open_sizes;
  if (options_.check_only || open.size() > kMaxOpenSizes) return;
  for (const DimensionId label : flow.labels) {
    if (!scope_.length_of(label)) open.insert(label);
  }
  if (open.size() <= kMaxOpenSizes) return;
  report(context_, DiagnosticKind::TooLarge, flow.span,
         fmt::format("more than {} dimensions have no size, and costs are formulas in all of them",
                     kMaxOpenSizes),
         {"give them sizes: B = 1024"});
}

void FlowPlanner::plan(checked::Flow flow, std::string text) {
  count_open_sizes(flow);
  Program& target = program();
  const ArrayId replaced = flow.replaces;
  const Span span = flow.span;
  const bool fine = lower(std::move(flow), std::move(text), scope_, target, context_.sink);
  if (replaced.valid()) end_array(replaced, scope_, target);
  if (fine) note_rates(target, span);
  if (fine) check_links(target, span);
  state_.entries.push_back(PlannedEntry{state_.current, target.statements.size() - 1});
}

// Reports a collective that failed links make impossible. What would be made of its result is not reported again.
void FlowPlanner::check_links(Program& target, Span span) {
  const StatementRecord& record = target.statements.back();
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    const Step& step = target.plan.steps[i];
    const auto operands = operands_of(step);
    const bool is_consequence = std::any_of(operands.begin(), operands.end(), [&](CopyId operand) {
      return target.unreachable.count(operand) != 0;
    });
    if (!is_consequence && !target.steps[i].cost->severed) continue;
    target.unreachable.insert(result_of(step));
    forget_inferred(result_of(step), target);
    if (!is_consequence)
      report(context_, DiagnosticKind::LinkFailed, span,
             severed_message(target, i, target.machine));
  }
}

// What a statement would have made on its way is not there: the next one does not begin from it. Which copy that is depends on
// the cost model, and validity does not.
void FlowPlanner::forget_inferred(CopyId copy, const Program& target) {
  const ArrayId* owner = target.owners.find(copy);
  if (owner == nullptr) return;
  std::erase_if(scope_.arrays[*owner].copies,
                [&](const LiveCopy& live) { return live.inferred && live.copy == copy; });
}

void FlowPlanner::note_rates(const Program& target, Span span) {
  if (noted_rate_) return;
  const StatementRecord& record = target.statements.back();
  std::optional<DType> borrowed;
  for (std::size_t i = record.first_step; i < record.end_step && !borrowed; ++i)
    borrowed = target.steps[i].cost->rate_borrowed;
  if (!borrowed) return;
  noted_rate_ = true;
  report(context_, DiagnosticKind::RateMissing, span,
         fmt::format("{} has no rate of its own for {}; that of bf16 is used",
                     scope_.hardware().chip.name, name_of(*borrowed)),
         {fmt::format("a rate is given as chip Mine = {} {{{}: 4e14 FLOP/s}}",
                      scope_.hardware().chip.name, rate_figure(*borrowed))});
}

}  // namespace shard

#include "interpreter/lower/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interpreter/lower/step_writer.h"

namespace shard {

namespace {

// The devices forget the copy here, if nothing used it up before and no parameter is another name for it.
void free_copy(const LiveCopy& copy, const Holdings& held, Program& program) {
  if (!copy.copy.valid() || held.is_shared(copy.copy)) return;
  program.plan.steps.push_back({.action = FreeStep{copy.copy}, .statement = -1});
  program.steps.push_back({});
}

}  // namespace

void pass_argument(const checked::Argument& argument, const Scope& scope, Holdings& held,
                   Program& program) {
  set_machine(program, scope.hardware());
  const std::size_t first_step = program.steps.size();
  const CopyId copy = StepWriter(scope, held, program).live_copy(argument.array, argument.layout);
  held.pass(argument.array, argument.parameter, {.layout = argument.layout, .copy = copy});
  const ArrayInfo& info = scope.store.arrays[argument.parameter];
  const std::vector<DimensionId> labels(info.dimensions.begin(), info.dimensions.end());
  checked::Operation value{
      .node = checked::Use{.array = argument.array, .layout = argument.layout, .written = true},
      .labels = labels,
      .dtype = info.dtype,
      .layout = argument.layout,
      .span = argument.span};
  checked::Flow flow{.value = std::move(value),
                     .target = argument.parameter,
                     .labels = labels,
                     .layout = argument.layout,
                     .span = argument.span,
                     .target_span = argument.parameter_span};
  program.statements.push_back(
      {.text = fmt::format("{} = {}", scope.describe(argument.parameter, argument.layout),
                           scope.describe(argument.array, argument.layout)),
       .span = argument.span,
       .first_step = first_step,
       .end_step = program.steps.size(),
       .target = argument.parameter,
       .result = copy,
       .ways = {},
       .is_argument = true,
       .flow = std::move(flow)});
}

bool name_part(const checked::Part& part, const Scope& scope, Holdings& held, Program& program) {
  const auto record = std::find_if(
      program.statements.rbegin(), program.statements.rend(), [&](const StatementRecord& one) {
        return one.target == part.of && !one.names_part && !one.flow.form()->is_copy;
      });
  if (record == program.statements.rend()) return false;
  LiveCopies copies;
  for (const checked::OnTheWay& made : record->on_the_way) {
    if (made.operation == part.operation)
      copies.push_back({.layout = made.layout, .copy = made.copy, .made = true});
  }
  if (copies.empty()) return false;
  const checked::Flow whole = record->flow.get();
  const checked::Operation& value = checked::operation_at(whole.value, part.operation);
  checked::Flow flow{.value = value,
                     .target = part.array,
                     .labels = value.labels,
                     .layout = copies.back().layout,
                     .span = part.span,
                     .target_span = part.span};
  program.statements.push_back({.text = scope.describe(part.array, copies.back().layout),
                                .span = part.span,
                                .first_step = program.steps.size(),
                                .end_step = program.steps.size(),
                                .target = part.array,
                                .result = copies.back().copy,
                                .ways = {},
                                .flow = std::move(flow),
                                .names_part = true,
                                .on_the_way = {}});
  for (const LiveCopy& copy : copies) program.owners.set_first(copy.copy, part.array);
  held.change(part.array) = std::move(copies);
  return true;
}

CopyId request(const checked::Request& request, const Scope& scope, Holdings& held,
               Program& program) {
  set_machine(program, scope.hardware());
  return StepWriter(scope, held, program).live_copy(request.array, request.layout);
}

void rename(const checked::Rename& rename, const Holdings& held, Program& program) {
  for (const LiveCopy& copy : held.of(rename.array)) {
    const ArrayId* owner = program.owners.find(copy.copy);
    if (owner != nullptr && *owner == rename.array)
      program.plan.copies[copy.copy].name = rename.name;
  }
}

void drop(const checked::Drop& drop, Holdings& held, Program& program) {
  if (!drop.layout) {
    for (const LiveCopy& copy : held.of(drop.array)) free_copy(copy, held, program);
    return;
  }
  LiveCopies& copies = held.change(drop.array);
  const auto dropped = std::find_if(copies.begin(), copies.end(), [&](const LiveCopy& copy) {
    return !copy.inferred && copy.layout == *drop.layout;
  });
  if (dropped == copies.end()) return;
  free_copy(*dropped, held, program);
  copies.erase(dropped);
}

}  // namespace shard

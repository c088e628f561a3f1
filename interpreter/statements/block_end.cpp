#include "interpreter/statements/block_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/format.h"
#include "interpreter/ir/value.h"
#include "interpreter/lower/step_writer.h"

namespace shard {

namespace {

// What the last result is weighed against: a layout, and the array that has it.
struct Expected {
  Layout layout;
  std::string why;
};

std::string text_of_copy(const Copy& copy, const Layout& layout, const Mesh& mesh) {
  return copy.name + to_string(layout, copy.dimensions, mesh);
}

// What the block began with, if it has these dimensions.
std::optional<Expected> beginning(const Program& program, const Copy& result) {
  for (const Step& step : program.plan.steps) {
    const auto* input = std::get_if<InputStep>(&step.action);
    if (input == nullptr || input->kind == InputKind::Coordinate) continue;
    const Copy& copy = program.plan.copies[input->result];
    if (copy.dimensions.items() != result.dimensions.items() ||
        copy.shape.items() != result.shape.items())
      continue;
    Expected expected{copy.layout, {}};
    expected.layout.placed = result.layout.placed;
    expected.why = fmt::format("and the block began with `{}`",
                               text_of_copy(copy, copy.layout, program.machine.mesh));
    return expected;
  }
  return std::nullopt;
}

// What the sums would be on every device, if the last step scatters them.
std::optional<Expected> before_scattering(const Program& program, const StatementRecord& record,
                                          const Copy& result) {
  const auto& steps = program.plan.steps;
  const auto first = steps.begin() + static_cast<std::ptrdiff_t>(record.first_step);
  const auto end = steps.begin() + static_cast<std::ptrdiff_t>(record.end_step);
  const auto maker =
      std::find_if(first, end, [&](const Step& step) { return result_of(step) == record.result; });
  if (maker == end) return std::nullopt;
  const auto* collective = std::get_if<CollectiveStep>(&maker->action);
  if (collective == nullptr || collective->kind != CollectiveKind::ReduceScatter)
    return std::nullopt;
  Expected expected{program.plan.copies[collective->operand].layout, {}};
  std::erase_if(expected.layout.unreduced.edit(), [&](AxisId axis) {
    return std::find(collective->axes.begin(), collective->axes.end(), axis) !=
           collective->axes.end();
  });
  expected.why = fmt::format("a ReduceScatter was the cheapest way to sum `{}`", result.name);
  return expected;
}

}  // namespace

void note_open_end(const Program& program, Span block, CheckContext& context) {
  const StatementRecord& record = program.statements.back();
  const bool is_planned = record.ways != nullptr && !record.ways->made.empty();
  if (!is_planned || record.flow.form()->layout || !record.result.valid()) return;
  const auto was_told = [&](const Diagnostic& told) {
    return told.kind == DiagnosticKind::OpenEnd && told.span == block;
  };
  const auto& told = context.sink.all();
  if (std::any_of(told.begin(), told.end(), was_told)) return;
  const Copy& result = program.plan.copies[record.result];
  auto expected = beginning(program, result);
  if (!expected) expected = before_scattering(program, record, result);
  if (!expected || expected->layout == result.layout) return;
  const planning::Shape shape{.lengths = result.shape, .dtype = result.dtype};
  const planning::Ways ways =
      program.memo->move({result.layout}, expected->layout, shape, program.machine, std::nullopt);
  if (ways->made.empty()) return;
  const planning::Made& way = *ways->made.front();
  if (way.cost.comms.is_zero()) return;
  const Mesh& mesh = program.machine.mesh;
  const auto seconds = way.cost.comms.constant();
  report(
      context, DiagnosticKind::OpenEnd, block,
      fmt::format("the block ends in `{}`, {}", text_of_copy(result, result.layout, mesh),
                  expected->why),
      {fmt::format(
           "{} to `{}` is not in its figures{}",
           planning::name_of(way.moves.front(), result.dimensions, mesh),
           text_of_copy(result, expected->layout, mesh),
           seconds ? fmt::format(": {} of T_comms", format_seconds(seconds->to_double())) : ""),
       fmt::format("with a target it is: {} = …", text_of_copy(result, expected->layout, mesh))});
}

}  // namespace shard

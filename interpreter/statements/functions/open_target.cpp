#include "interpreter/statements/functions/open_target.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/contains.h"
#include "interpreter/check/array.h"
#include "runtime/plan/layout.h"

namespace shard {

namespace {

// Whether what is known as the parameter comes with that dimension split.
bool comes_split(const ast::ArrayRef& parameter, DimensionId label, const Scope& scope) {
  const auto array = scope.names.find_array(parameter.name->text);
  if (!array) return false;
  const auto place = position_of(scope.store.arrays[*array].dimensions, label);
  return place && !newest_layout(*array, scope).dims[*place].empty();
}

// The name of a dimension that the parameters of the function which runs leave open, `b` of `x[b, t]`, and that an argument has
// split; nullopt if there is none. Of what comes whole, brackets that say so gather nothing that was not meant.
std::optional<std::string> open_parameter_name(DimensionId label, const RunContext& context) {
  if (context.state.calls.empty()) return std::nullopt;
  for (const ast::ArrayRef& parameter : context.state.calls.back().function->parameters) {
    for (const ast::Dimension& dimension : parameter.dimensions) {
      const auto* name = std::get_if<ast::Identifier>(&dimension.name);
      if (name != nullptr && dimension.axes.empty() &&
          context.scope.names.find_dimension(name->text) == label &&
          comes_split(parameter, label, context.scope))
        return name->text;
    }
  }
  return std::nullopt;
}

// Whether the function that runs has written the target: what `return` gives goes where the caller says.
bool stands_in_body(Span target, const RunContext& context) {
  if (context.state.calls.empty()) return false;
  const auto& body = context.state.calls.back().function->body;
  return !body.empty() && body.front().at.span.file == target.file &&
         body.front().at.span.begin <= target.begin && target.end <= body.back().at.span.end;
}

// Whether dimensions of the target are none of its operands'.
bool makes_dimensions(const checked::Operation& value) {
  const auto* selection = std::get_if<checked::Selection>(&value.node);
  return selection != nullptr && selection->kind == SelectionKind::Reshape;
}

}  // namespace

OpenTarget open_target(const checked::Flow& flow, const RunContext& context) {
  OpenTarget open{.span = flow.target_span, .names = {}, .dimensions = {}};
  const bool written = std::holds_alternative<checked::Collective>(flow.value.node);
  if (!flow.layout || written || flow.is_copy || !stands_in_body(flow.target_span, context))
    return open;
  bool is_open = false;
  for (std::size_t d = 0; d < flow.labels.size(); ++d) {
    if (!flow.layout->dims[d].empty()) continue;
    const auto name = open_parameter_name(flow.labels[d], context);
    is_open = is_open || name || makes_dimensions(flow.value);
    const std::string& own = context.scope.store.dimensions[flow.labels[d]].name;
    open.names.push_back(name.value_or(own));
    open.dimensions.push_back(own);
  }
  if (!is_open) open.names.clear();
  return open;
}

void note_gathered(const OpenTarget& open, const Program& target, RunContext& context) {
  const StatementRecord& record = target.statements.back();
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    const auto* gather = std::get_if<CollectiveStep>(&target.plan.steps[i].action);
    if (gather == nullptr || gather->kind != CollectiveKind::AllGather) continue;
    const Copy& before = target.plan.copies[gather->operand];
    const Copy& after = target.plan.copies[gather->result];
    for (std::size_t d = 0; d < before.dimensions.size(); ++d) {
      const auto place = position_of(open.dimensions, before.dimensions[d]);
      if (!place || before.layout.dims[d] == after.layout.dims[d]) continue;
      const std::pair key(open.span.file.value, static_cast<std::size_t>(open.span.begin));
      if (!context.scope.told.gathered_targets.insert(key).second) return;
      const std::string axes = axes_to_string(gather->axes.items(), target.machine.mesh);
      return report(
          context.check, DiagnosticKind::GatheredInFunction, open.span,
          fmt::format("this asks for `{}` as a whole on every device, which AllGather_{} "
                      "gives: the parameter left its layout open, and brackets in the body do not",
                      open.names[*place], axes),
          {fmt::format(
              "a name without brackets takes the layout that comes; or the axis has a name in "
              "the parameter, and here: {}_A",
              open.names[*place])});
    }
  }
}

}  // namespace shard

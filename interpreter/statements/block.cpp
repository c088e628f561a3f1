#include "interpreter/statements/block.h"

#include <fmt/format.h>

#include <utility>

namespace shard {

void run_if(const ast::If& node, const StatementRunner& runner) {
  const auto value = runner.value_of(node.condition);
  if (!value) return;
  const auto* truth = std::get_if<Truth>(&*value);
  if (truth == nullptr) {
    return report(runner.context, DiagnosticKind::BadArgument, node.condition.at.span,
                  fmt::format("`if` takes a comparison, and this is {}", to_text(*value)),
                  {"if X > 4 { … }"});
  }
  if (!truth->holds) {
    if (runner.state.scope.machine.failed) return;  // what is wrong with the hardware was reported
    return report(runner.context, DiagnosticKind::Undecidable, node.condition.at.span,
                  "this depends on sizes that are not given, so no branch can be taken",
                  {"give the sizes that are missing"});
  }
  if (*truth->holds) {
    runner.run_here(node.body);
  } else if (node.otherwise) {
    runner.run_here(*node.otherwise);
  }
}

void run_group(const ast::Group& group, const StatementRunner& runner) {
  Scope& scope = runner.state.scope;
  auto arrays = scope.array_names;
  BlockNames names = scope.block_names();
  const std::size_t first = scope.arrays.size();
  const std::size_t first_outside = std::exchange(scope.first_own_array, first);
  ++scope.depth;
  runner.run_here(group.body);
  --scope.depth;
  scope.first_own_array = first_outside;
  scope.end_block(std::move(names));
  const auto before = arrays;
  scope.array_names.visit_changed(before, [&](const auto& entry) {
    const ArrayInfo& array = std::as_const(scope.arrays)[entry.second];
    const bool is_new = static_cast<std::size_t>(entry.second.value) >= first;
    if (is_new && !array.computed && !array.declared) arrays.try_emplace(entry.first, entry.second);
  });
  scope.note_ended(arrays);
  scope.array_names = std::move(arrays);
}

}  // namespace shard

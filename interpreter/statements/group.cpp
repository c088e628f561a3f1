// `if`, and braces that group statements.

#include <fmt/format.h>

#include <utility>

#include "interpreter/statements/statement.h"

namespace shard {

void run(const ast::If& node, const ast::Statement&, RunContext& context) {
  const auto value = value_of(node.condition, context);
  if (!value) return;
  const auto* truth = std::get_if<Truth>(&*value);
  if (truth == nullptr) {
    return report(context.check, DiagnosticKind::BadArgument, node.condition.at.span,
                  fmt::format("`if` takes a comparison, and this is {}", to_text(*value)),
                  {"if X > 4 { … }"});
  }
  if (!truth->holds) {
    if (context.scope.machine.failed) return;  // what is wrong with the hardware was reported
    return report(context.check, DiagnosticKind::Undecidable, node.condition.at.span,
                  "this depends on sizes that are not given, so no branch can be taken",
                  {"give the sizes that are missing"});
  }
  if (*truth->holds) {
    run_here(node.body, context);
  } else if (node.otherwise) {
    run_here(*node.otherwise, context);
  }
}

void run(const ast::Group& group, const ast::Statement&, RunContext& context) {
  Scope& scope = context.scope;
  auto arrays = scope.array_names;
  BlockNames names = scope.block_names();
  const std::size_t first = scope.arrays.size();
  const std::size_t first_outside = std::exchange(scope.first_own_array, first);
  ++scope.depth;
  run_here(group.body, context);
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

// `why`, `why C`: the ways that were weighed for a statement; `why c`: what a cost block consists of.
#include <fmt/format.h>

#include "grammar/tree/names.h"
#include "interpreter/statements/block_entries.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

struct Explained {
  const Program* program = nullptr;
  const StatementRecord* record = nullptr;
};

// The newest statement that has that target, or the newest of all.
Explained explained(const ast::Why& why, const RunContext& context) {
  Explained found;
  for (const Program& program : context.state.programs) {
    for (const StatementRecord& record : program.statements) {
      if (record.is_argument || record.names_part) continue;
      const std::string& target = context.scope.store.arrays[record.target].name;
      if (!why.array || name_key(target) == name_key(why.array->text)) found = {&program, &record};
    }
  }
  return found;
}

// The cost block that has the name, unless an array has it.
const Supposition* block_called(const ast::Why& why, const RunContext& context) {
  if (!why.array || context.scope.names.find_array(why.array->text)) return nullptr;
  return block_named(why.array->text, context.scope);
}

}  // namespace

void run(const ast::Why& why, const ast::Statement& statement, RunContext& context) {
  if (refused_in_cost_block("why", statement.at.span, context)) return;
  if (const Supposition* block = block_called(why, context)) {
    if (auto steps = dearest_steps(why.array->text, *block, context))
      context.state.entries.emplace_back(Box<StepsEntry>(*std::move(steps)));
    return;
  }
  const auto [program, record] = explained(why, context);
  if (record == nullptr) {
    const Scope& scope = context.scope;
    if (why.array &&
        (scope.told.is_unknown(why.array->text) || scope.names.find_array(why.array->text)) &&
        context.check.sink.has_errors()) {
      return;  // a mistake in the statement that was to make it was reported
    }
    return report(context.check, DiagnosticKind::NothingToExplain, statement.at.span,
                  why.array ? fmt::format("no statement made `{}`", why.array->text)
                            : "nothing was planned before this",
                  {"`why` explains the statement before it, `why C` the one that made C, `why c` a "
                   "cost block"});
  }
  context.state.entries.push_back(
      WhyEntry{*record->text, weighed_ways(*record, *program, context.scope),
               flips_of(*record, *program, context.scope),
               record->ways != nullptr && record->ways->reference_sizes});
}

}  // namespace shard

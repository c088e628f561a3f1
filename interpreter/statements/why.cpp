// `why`, `why C`: the ways that were weighed for a statement.
#include <fmt/format.h>

#include "grammar/tree/names.h"
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
      if (record.is_argument) continue;
      const std::string& target = context.scope.store.arrays[record.target].name;
      if (!why.array || name_key(target) == name_key(why.array->text)) found = {&program, &record};
    }
  }
  return found;
}

}  // namespace

void run(const ast::Why& why, const ast::Statement& statement, RunContext& context) {
  if (refused_in_cost_block("why", statement.at.span, context)) return;
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
                  {"`why` explains the statement before it, `why C` the one that made C"});
  }
  context.state.entries.push_back(
      WhyEntry{*record->text, weighed_ways(*record, *program, context.scope),
               record->ways != nullptr && record->ways->reference_sizes});
}

}  // namespace shard

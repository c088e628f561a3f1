// `why`, `why C`: the ways that were weighed for a statement, or for those of the calls in it; `why c`: what a cost block consists of.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grammar/tree/names.h"
#include "interpreter/program/equal_statements.h"
#include "interpreter/statements/block_entries.h"
#include "interpreter/statements/statement.h"
#include "runtime/cost/cost.h"

namespace shard {

namespace {

struct Explained {
  std::size_t program = 0;
  const StatementRecord* record = nullptr;
};

// The newest statement that has that target, or the newest of all.
Explained explained(const ast::Why& why, const RunContext& context) {
  Explained found;
  const auto& programs = context.state.programs;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    for (const StatementRecord& record : programs[i].statements) {
      if (record.is_argument || record.names_part) continue;
      const std::string& target = context.scope.store.arrays[record.target].name;
      if (!why.array || name_key(target) == name_key(why.array->text)) found = {i, &record};
    }
  }
  return found;
}

bool takes_something(const StatementRecord& record, const Program& program) {
  for (std::size_t step = record.first_step; step < record.end_step; ++step) {
    if (bound_of(*program.steps[step].cost) != Bound::Nothing) return true;
  }
  return false;
}

bool contains_span(const Span& outer, const Span& inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

// The calls that the statement is of: the one that ended with it, or those that its operands are.
struct CallsOfStatement {
  std::string function;  // empty: there is none
  std::size_t first = 0;
};
CallsOfStatement calls_of(const Explained& explained, std::size_t index,
                          const RunContext& context) {
  const Program& program = context.state.programs[explained.program];
  const auto ends_with_it = [&](const EndedCall& call) {
    for (std::size_t i = index + 1; i < call.end; ++i) {
      if (takes_something(program.statements[i], program)) return false;
    }
    return call.first <= index && index < call.end;
  };
  CallsOfStatement found{{}, index};
  const auto& calls = context.state.ended_calls;
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    if (call->program != explained.program) continue;
    if (ends_with_it(*call)) return {call->function, call->first};
    if (call->end == found.first && contains_span(explained.record->span, call->span))
      found = {call->function, call->first};
  }
  return found;
}

// Whether a kernel has the statement.
bool is_fused(const StatementRecord& record, const RunContext& context) {
  return std::ranges::any_of(context.state.entries, [&](const Entry& entry) {
    const auto* planned = std::get_if<PlannedEntry>(&entry);
    return planned != nullptr && planned->fused &&
           &context.state.programs[planned->program].statements[planned->statement] == &record;
  });
}

// Equal statements: passes of loops, and those that `backward` derives of them.
struct EqualStatements {
  const StatementRecord* first = nullptr;
  const StatementRecord* last = nullptr;
  std::int64_t count = 1;
};

WhyEntry why_entry(const EqualStatements& equal, const Program& program,
                   const RunContext& context) {
  const StatementRecord& record = *equal.first;
  return {with_last_indices(*record.text, *equal.last->text),
          equal.count,
          weighed_ways(record, program, context.scope),
          flips_of(record, program, context.scope),
          record.ways != nullptr && record.ways->reference_sizes,
          is_fused(record, context)};
}

// Those from `first` to `last` that take something, as they come.
std::vector<EqualStatements> equal_statements(const Program& program, std::size_t first,
                                              std::size_t last) {
  std::vector<EqualStatements> statements;
  std::map<std::string, std::vector<std::size_t>> known;  // places in `statements`, by form
  for (std::size_t i = first; i <= last; ++i) {
    const StatementRecord& record = program.statements[i];
    if (!takes_something(record, program)) continue;
    std::vector<std::size_t>& alike = known[form_of(program, record)];
    const auto same = std::ranges::find_if(alike, [&](std::size_t at) {
      return steps_cost_the_same(program, *statements[at].first, record);
    });
    if (same == alike.end()) {
      alike.push_back(statements.size());
      statements.push_back({&record, &record});
    } else {
      statements[*same].last = &record;
      ++statements[*same].count;
    }
  }
  return statements;
}

// What the calls of a statement take, and each of their statements that takes something; equal ones once, with their number.
// False if there is only one.
bool explain_calls(const Explained& explained, RunContext& context) {
  const Program& program = context.state.programs[explained.program];
  const auto& records = program.statements;
  const auto index = static_cast<std::size_t>(explained.record - records.data());
  const CallsOfStatement calls = calls_of(explained, index, context);
  if (calls.function.empty()) return false;
  const std::vector<EqualStatements> told = equal_statements(program, calls.first, index);
  if (told.size() < 2) return false;
  const std::string& last = *records[index].text;
  const bool names_call = last.find(calls.function + "(") != std::string::npos;
  auto& entries = context.state.entries;
  entries.emplace_back(
      Box<StepsEntry>(dearest_steps(names_call ? last : calls.function, program,
                                    records[calls.first].first_step, records[index].end_step)));
  for (const EqualStatements& equal : told)
    entries.emplace_back(why_entry(equal, program, context));
  return true;
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
  const Explained found = explained(why, context);
  const StatementRecord* record = found.record;
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
  if (explain_calls(found, context)) return;
  context.state.entries.push_back(
      why_entry({record, record}, context.state.programs[found.program], context));
}

}  // namespace shard

#include "interpreter/statements/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/array.h"
#include "interpreter/statements/block_entries.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/statement.h"
#include "interpreter/statements/wanted_array.h"

namespace shard {

namespace {

// A session at a terminal has its last value under this name, which stands for `_` there.
void keep_last(const Value& value, Span span, RunContext& context) {
  Scope& scope = context.scope;
  if (!context.options.interactive || scope.names.loops > 0 || std::holds_alternative<Word>(value))
    return;
  if (scope.names.find_array(kLastValue) || scope.names.find_dimension(kLastValue)) return;
  scope.names.bindings[kLastValue] = {
      .name = kLastValue, .value = value, .span = span, .depth = scope.names.depth};
}

// A row of the loop's table, or a line.
void add_printed(std::vector<std::string> names, const std::vector<Value>& values, Span span,
                 RunContext& context) {
  if (context.scope.names.loops == 0) {
    PrintedEntry entry{.names = std::move(names), .values = {}};
    for (const Value& value : values) {
      entry.values.push_back(to_text(value));
      entry.cells.push_back(printed_cell(value));
    }
    context.state.entries.emplace_back(std::move(entry));
    return;
  }
  auto& tables = context.state.tables;
  auto found = std::find_if(tables.begin(), tables.end(),
                            [&](const auto& entry) { return entry.first == span; });
  if (found == tables.end())
    found =
        tables.insert(tables.end(), {span, PrintedTable{.columns = std::move(names), .rows = {}}});
  auto& row = found->second.rows.emplace_back();
  for (const Value& value : values) row.push_back(printed_cell(value));
}

// The array of an expression, as the run will have it. The request is none where nothing runs.
void say_array(const ast::Expr& value, const ast::Expr& written, const ast::Statement& statement,
               RunContext& context) {
  const auto copy = wanted_array(value, statement, context);
  if (!copy) return;
  Program& program = growing_program(context);
  const Copy& wanted = program.plan.copies[*copy];
  ArrayEntry entry{.program = context.state.current,
                   .array = one_line(print(written, Spelling::Unicode)),
                   .type = std::string(name_of(wanted.dtype)) +
                           to_string(wanted.layout, wanted.dimensions, program.machine.mesh),
                   .shape = {}};
  program.requests.push_back({.copy = *copy,
                              .other = std::nullopt,
                              .entry = context.state.entries.size(),
                              .span = statement.at.span});
  context.state.entries.emplace_back(Box<ArrayEntry>(std::move(entry)));
}

void add_entry(std::optional<FiguresEntry> entry, RunContext& context) {
  if (entry) context.state.entries.emplace_back(Box<FiguresEntry>(*std::move(entry)));
}

// A block alone is printed as a list of its figures, `c.steps` as a list of its steps. Not in a loop, where a value is a
// row of a table: there a block has the columns that are most asked for. False if it is neither.
bool say_block(const ast::Expr& expr, RunContext& context) {
  if (say_steps(expr, context)) return true;
  const auto* ref = std::get_if<ast::ArrayRef>(&expr.node);
  if (ref == nullptr || !ref->name || ref->bracketed || context.scope.names.loops > 0) return false;
  const Supposition* block = block_named(ref->name->text, context.scope);
  if (block == nullptr) return false;
  add_entry(all_figures(ref->name->text, *block, context), context);
  return true;
}

// A value that is printed under the expression that was written for it.
struct PrintedScalar {
  const ast::Expr* written;
  ast::Expr value;
};

// On one line, or in one row. False after a mistake.
bool say_scalars(const std::vector<PrintedScalar>& printed, RunContext& context) {
  std::vector<std::string> names;
  std::vector<Value> values;
  for (const auto& [expr, scalar] : printed) {
    if (const auto* text = std::get_if<ast::Text>(&expr->node)) {
      names.push_back(text->value);
      values.emplace_back(Word{text->value});
      continue;
    }
    auto value = value_of(scalar, context);
    if (!value) return false;
    if (const auto* block = std::get_if<Supposition>(&*value)) {
      auto figures = main_figures(one_line(print(*expr, Spelling::Unicode)), *block, context);
      if (!figures) return false;
      for (FigureColumn& figure : *figures) {
        names.push_back(std::move(figure.name));
        values.push_back(std::move(figure.value));
      }
      continue;
    }
    names.push_back(one_line(print(*expr, Spelling::Unicode)));
    values.push_back(std::move(*value));
  }
  if (values.empty()) return true;
  const Span span = printed.front().written->at.span;
  keep_last(values.back(), span, context);
  add_printed(std::move(names), values, span, context);
  return true;
}

}  // namespace

void run(const ast::Print& printed, const ast::Statement& statement, RunContext& context) {
  if (refused_in_cost_block("print", statement.at.span, context)) return;
  if (printed.values.size() == 1 && say_block(printed.values.front(), context)) return;
  // Arrays have lines of their own between those of scalars.
  std::vector<PrintedScalar> scalars;
  Functions calls(context);
  for (const ast::Expr& expr : printed.values) {
    // What functions of the script return may be either.
    auto value = calls.expand(expr);
    if (!value) return calls.forget_results();
    if (!asks_for_array(*value, context.scope)) {
      scalars.push_back({&expr, *std::move(value)});
      continue;
    }
    if (!say_scalars(scalars, context)) return calls.forget_results();
    scalars.clear();
    say_array(*value, expr, statement, context);
  }
  say_scalars(scalars, context);
  calls.forget_results();
}

bool say_steps(const ast::Expr& expr, RunContext& context) {
  const auto block = block_of_steps(expr, context);
  if (!block) return false;
  const auto& member = std::get<ast::Member>(expr.node);
  auto steps = dearest_steps(print(*member.object, Spelling::Unicode), *block, context);
  if (steps) context.state.entries.emplace_back(Box<StepsEntry>(*std::move(steps)));
  return true;
}

void say(const ast::Expr& expr, const Value& value, RunContext& context) {
  keep_last(value, expr.at.span, context);
  const std::string text = one_line(print(expr, Spelling::Unicode));
  if (const auto* block = std::get_if<Supposition>(&value))
    return add_entry(all_figures(text, *block, context), context);
  add_printed({text}, {value}, expr.at.span, context);
}

void say(ArrayId array, RunContext& context) {
  const ArrayInfo& info = context.scope.store.arrays[array];
  const std::string text = fmt::format("{}: {}, held as {}", info.name, name_of(info.dtype),
                                       list_copies(array, context.scope));
  context.state.entries.emplace_back(PrintedEntry{.names = {text}, .values = {text}});
}

}  // namespace shard

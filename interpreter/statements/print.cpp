#include "interpreter/statements/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/array.h"
#include "interpreter/statements/statement.h"

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
    for (const Value& value : values) entry.values.push_back(to_text(value));
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

}  // namespace

void run(const ast::Print& printed, const ast::Statement& statement, RunContext& context) {
  const Span span = statement.at.span;
  if (refused_in_cost_block("print", span, context)) return;
  std::vector<std::string> names;
  std::vector<Value> values;
  for (const ast::Expr& expr : printed.values) {
    if (const auto* text = std::get_if<ast::Text>(&expr.node)) {
      names.push_back(text->value);
      values.emplace_back(Word{text->value});
      continue;
    }
    auto value = value_of(expr, context);
    if (!value) return;
    names.push_back(one_line(print(expr, Spelling::Unicode)));
    values.push_back(std::move(*value));
  }
  if (!values.empty()) keep_last(values.back(), span, context);
  add_printed(std::move(names), values, span, context);
}

void say(const ast::Expr& expr, const Value& value, RunContext& context) {
  keep_last(value, expr.at.span, context);
  add_printed({one_line(print(expr, Spelling::Unicode))}, {value}, expr.at.span, context);
}

void say(ArrayId array, RunContext& context) {
  const ArrayInfo& info = context.scope.store.arrays[array];
  const std::string text = fmt::format("{}: {}, held as {}", info.name, name_of(info.dtype),
                                       list_copies(array, context.scope));
  context.state.entries.emplace_back(PrintedEntry{.names = {text}, .values = {text}});
}

}  // namespace shard

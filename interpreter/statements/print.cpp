#include "interpreter/statements/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/function.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/array.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/operation.h"
#include "interpreter/statements/block_entries.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/functions/call.h"
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

// Whether it is an array that is known, an element of it, or what operators and functions of the language make of arrays. A bare
// name that has a value is that, and one of a figure of the chip's is the array, as `chip.C` is the figure.
bool asks_for_array(const ast::Expr& expr, const Scope& scope) {
  if (const auto* ref = std::get_if<ast::ArrayRef>(&expr.node)) {
    const bool is_bare = !ref->bracketed && ref->indices.empty();
    return ref->name && scope.names.find_array(ref->name->text) &&
           !(is_bare && scope.find_binding(ref->name->text) != nullptr);
  }
  const auto either = [&](const auto& node) {
    return asks_for_array(*node.left, scope) || asks_for_array(*node.right, scope);
  };
  if (const auto* product = std::get_if<ast::Product>(&expr.node)) return either(*product);
  if (const auto* binary = std::get_if<ast::Binary>(&expr.node)) return either(*binary);
  if (const auto* unary = std::get_if<ast::Unary>(&expr.node))
    return asks_for_array(*unary->operand, scope);
  const auto* call = std::get_if<ast::Call>(&expr.node);
  const FunctionInfo* function = call == nullptr ? nullptr : find_function(call->function.text);
  return function != nullptr && computes_array(*function) && !calls_function(expr, scope) &&
         std::any_of(call->arguments.begin(), call->arguments.end(),
                     [&](const auto& argument) { return is_array_expression(*argument, scope); });
}

// What a printed array has in the place of a dimension, if that is a number which is not its length: `0`, `B - 1`, the `i` of a loop.
std::optional<ast::Expr> place_in(const ast::Dimension& dimension, DimensionId label,
                                  RunContext& context) {
  const Scope& scope = context.scope;
  std::optional<ast::Expr> place;
  if (const auto* number = std::get_if<ast::Number>(&dimension.name)) {
    place = ast::Expr{*number, number->at};
  } else if (const auto* expr = std::get_if<Box<ast::Expr>>(&dimension.name)) {
    place = **expr;
  } else if (const auto* name = std::get_if<ast::Identifier>(&dimension.name)) {
    if (scope.find_binding(name->text) == nullptr || scope.names.find_dimension(name->text))
      return std::nullopt;
    place = ast::Expr{.node = ast::ArrayRef{.name = *name, .at = name->at}, .at = name->at};
  }
  if (!place || !dimension.axes.empty()) return std::nullopt;
  DiagnosticSink unseen;
  CheckContext trial{context.scope, unseen, context.check.scalars};
  const auto value = plain_number(*place, trial);
  const bool is_length = value && scope.length_of(label) == value->constant();
  return is_length ? std::nullopt : place;
}

// Of an array that is known, numbers in brackets that are not the length of their dimension are places in it, as NumPy writes
// them: `A[0, :]` is `A[I = 0]`.
ast::Expr with_places(ast::Expr expr, RunContext& context) {
  const Scope& scope = context.scope;
  auto* ref = std::get_if<ast::ArrayRef>(&expr.node);
  const auto known = ref != nullptr && ref->name && ref->bracketed && ref->indices.empty()
                         ? scope.names.find_array(ref->name->text)
                         : std::nullopt;
  if (!known) return expr;
  const std::vector<DimensionId> labels = scope.store.arrays[*known].dimensions;
  if (ref->dimensions.size() > labels.size()) return expr;
  bool only_places = true;
  for (std::size_t d = 0; d < ref->dimensions.size(); ++d) {
    ast::Dimension& dimension = ref->dimensions[d];
    auto place = place_in(dimension, labels[d], context);
    const auto* slice = std::get_if<ast::Slice>(&dimension.name);
    only_places = only_places && (place || (slice != nullptr && !slice->begin && !slice->end));
    if (!place) continue;
    ref->indices.push_back({ast::Identifier{scope.store.dimensions[labels[d]].name, place->at},
                            Box<ast::Expr>(*std::move(place))});
    dimension.name = ast::Slice{};
  }
  if (ref->indices.empty()) return expr;
  if (only_places) {
    ref->bracketed = false;
    ref->dimensions.clear();
  } else if (ref->dimensions.size() < labels.size()) {
    ref->dimensions.push_back({.name = ast::Rest{}, .axes = {}, .at = expr.at});
  }
  return expr;
}

bool is_free(const StatementRecord& made, const Program& program) {
  for (std::size_t i = made.first_step; i < made.end_step; ++i) {
    if (bound_of(*program.steps[i].cost) != Bound::Nothing) return false;
  }
  return true;
}

// The array of an expression, as the run will have it. The request is none where nothing runs.
void say_array(const ast::Expr& written, const ast::Statement& statement, RunContext& context) {
  const ast::Expr expr = with_places(written, context);
  const auto* ref = std::get_if<ast::ArrayRef>(&expr.node);
  std::optional<CopyId> copy;
  if (ref != nullptr && !changes_elements(*ref)) {
    copy = requested_copy(expr, context);
  } else {
    const auto flow = check_evaluate(expr, statement.at.span, context.check);
    plan_flow(flow, statement, context);
    if (!flow) return;
    const Program& program = growing_program(context);
    const StatementRecord& made = program.statements.back();
    if (made.result.valid()) copy = made.result;
    // What costs nothing, as an element that is read in place, has no row of its own in the report.
    auto& entries = context.state.entries;
    if (is_free(made, program) && std::holds_alternative<PlannedEntry>(entries.back()))
      entries.pop_back();
  }
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

// On one line, or in one row. False after a mistake.
bool say_scalars(const std::vector<const ast::Expr*>& exprs, RunContext& context) {
  std::vector<std::string> names;
  std::vector<Value> values;
  for (const ast::Expr* expr : exprs) {
    if (const auto* text = std::get_if<ast::Text>(&expr->node)) {
      names.push_back(text->value);
      values.emplace_back(Word{text->value});
      continue;
    }
    auto value = value_of(*expr, context);
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
  const Span span = exprs.front()->at.span;
  keep_last(values.back(), span, context);
  add_printed(std::move(names), values, span, context);
  return true;
}

}  // namespace

void run(const ast::Print& printed, const ast::Statement& statement, RunContext& context) {
  if (refused_in_cost_block("print", statement.at.span, context)) return;
  if (printed.values.size() == 1 && say_block(printed.values.front(), context)) return;
  // Arrays have lines of their own between those of scalars.
  std::vector<const ast::Expr*> scalars;
  for (const ast::Expr& expr : printed.values) {
    if (!asks_for_array(expr, context.scope)) {
      scalars.push_back(&expr);
      continue;
    }
    if (!say_scalars(scalars, context)) return;
    scalars.clear();
    say_array(expr, statement, context);
  }
  say_scalars(scalars, context);
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

bool asks_for_elements(const ast::Expr& expr, RunContext& context) {
  const ast::Expr element = with_places(expr, context);
  const auto* ref = std::get_if<ast::ArrayRef>(&element.node);
  return ref != nullptr && ref->name && changes_elements(*ref) &&
         context.scope.names.find_array(ref->name->text);
}

void say(ArrayId array, RunContext& context) {
  const ArrayInfo& info = context.scope.store.arrays[array];
  const std::string text = fmt::format("{}: {}, held as {}", info.name, name_of(info.dtype),
                                       list_copies(array, context.scope));
  context.state.entries.emplace_back(PrintedEntry{.names = {text}, .values = {text}});
}

}  // namespace shard

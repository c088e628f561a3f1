#include "interpreter/statements/loops/printed_pieces.h"

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/statements/flow.h"

namespace shard {

namespace {

PrintedEntry printed_line(std::vector<std::string> names, const std::vector<Value>& values) {
  PrintedEntry entry{.names = std::move(names), .values = {}};
  for (const Value& value : values) {
    entry.values.push_back(to_text(value));
    entry.cells.push_back(printed_cell(value));
  }
  return entry;
}

// Of the `print`: with a new row, which is empty.
LoopTable& table_with_row(Span print, std::vector<std::string> columns, RunnerState& state) {
  auto found = std::find_if(state.tables.begin(), state.tables.end(),
                            [&](const LoopTable& table) { return table.print == print; });
  if (found == state.tables.end())
    found = state.tables.insert(
        state.tables.end(), {.print = print, .table = {.columns = std::move(columns), .rows = {}}});
  found->table.rows.emplace_back();
  return *found;
}

// What has room in a row of a table: one element, or a few in a row of their own.
bool is_short_row(const Copy& copy) {
  constexpr std::int64_t kMostElements = 8;
  int longer = 0;  // dimensions of more than one element
  for (const Amount& length : copy.shape) {
    const auto known = length.constant();
    if (!known || Rational(kMostElements) < *known) return false;
    longer += Rational(1) < *known ? 1 : 0;
  }
  return longer <= 1;
}

// A call made it with the names that the function has; of an array the dimensions are the script's.
std::vector<std::string> dimensions_of(CopyId copy, const Program& program, const Arrays& store) {
  const std::vector<std::string>& made = program.plan.copies[copy].dimensions;
  const ArrayId* owner = program.owners.find(copy);
  if (owner == nullptr) return made;
  std::vector<std::string> own = store.names_of(store.arrays[*owner].dimensions);
  return own.size() == made.size() ? own : made;
}

}  // namespace

void add_printed(std::vector<std::string> names, const std::vector<Value>& values, Span span,
                 RunContext& context) {
  if (context.scope.names.loops == 0) {
    context.state.entries.emplace_back(printed_line(std::move(names), values));
    return;
  }
  auto& row = table_with_row(span, std::move(names), context.state).table.rows.back();
  for (const Value& value : values) row.push_back(printed_cell(value));
}

void say_copy(CopyId copy, const ast::Expr& written, Span span, RunContext& context) {
  Program& program = growing_program(context);
  const Copy& wanted = program.plan.copies[copy];
  ArrayEntry entry{
      .program = context.state.current,
      .array = one_line(print(written, Spelling::Unicode)),
      .type = std::string(name_of(wanted.dtype)) +
              to_string(wanted.layout, dimensions_of(copy, program, context.scope.store),
                        program.machine.mesh),
      .shape = {}};
  program.requests.push_back(
      {.copy = copy, .other = std::nullopt, .entry = context.state.entries.size(), .span = span});
  context.state.entries.emplace_back(Box<ArrayEntry>(std::move(entry)));
}

bool are_in_a_row(const std::vector<PrintedPiece>& pieces, RunContext& context) {
  return context.scope.names.loops > 0 &&
         std::all_of(pieces.begin(), pieces.end(), [&](const PrintedPiece& piece) {
           return piece.array == nullptr ||
                  (piece.copy && is_short_row(growing_program(context).plan.copies[*piece.copy]));
         });
}

void say_row(const std::vector<PrintedPiece>& pieces, Span span, RunContext& context) {
  if (pieces.empty()) return;
  std::vector<std::string> columns;
  for (const PrintedPiece& piece : pieces)
    columns.insert(columns.end(), piece.names.begin(), piece.names.end());
  RunnerState& state = context.state;
  LoopTable& table = table_with_row(span, std::move(columns), state);
  auto& row = table.table.rows.back();
  for (const PrintedPiece& piece : pieces) {
    for (const Value& value : piece.values) row.push_back(printed_cell(value));
    if (piece.array == nullptr) continue;
    Program& program = growing_program(context);
    table.arrays.push_back({.program = state.current, .request = program.requests.size()});
    program.requests.push_back({.copy = *piece.copy,
                                .other = std::nullopt,
                                .row = table.table.rows.size() - 1,
                                .column = row.size(),
                                .span = span});
    row.push_back({.text = "not run", .number = std::nullopt, .unit = kPlain});
  }
}

void say_lines(const std::vector<PrintedPiece>& pieces, Span span, RunContext& context) {
  for (const PrintedPiece& piece : pieces) {
    if (piece.array != nullptr) {
      if (piece.copy) say_copy(*piece.copy, *piece.array, span, context);
      continue;
    }
    PrintedEntry line = printed_line(piece.names, piece.values);
    line.beside_array = context.scope.names.loops > 0;
    context.state.entries.emplace_back(std::move(line));
  }
}

void end_tables(RunnerState& state) {
  for (LoopTable& table : state.tables) {
    for (const auto& [program, request] : table.arrays)
      state.programs[program].requests[request].entry = state.entries.size();
    state.entries.emplace_back(std::move(table.table));
  }
  state.tables.clear();
}

}  // namespace shard

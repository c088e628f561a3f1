// What `print` says, piece by piece: lines of the report, or in a loop rows of its table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/statements/run_context.h"

namespace shard {

// Of one `print`: scalars that stand next to each other, or an array.
struct PrintedPiece {
  std::vector<std::string> names;
  std::vector<Value> values;         // none of an array
  const ast::Expr* array = nullptr;  // as written
  std::optional<CopyId> copy = {};   // of the array; nullopt after a mistake
};

// A row of the loop's table, or outside of loops a line.
void add_printed(std::vector<std::string> names, const std::vector<Value>& values, Span span,
                 RunContext& context);
// The array of an expression, as the run will have it. The request is none where nothing runs.
void say_copy(CopyId copy, const ast::Expr& written, Span span, RunContext& context);

// Whether a loop's table has room for them: of arrays one element, or a few that are a row.
bool are_in_a_row(const std::vector<PrintedPiece>& pieces, RunContext& context);
// A row of the table of the `print` at this place. The elements of arrays come into it with the run.
void say_row(const std::vector<PrintedPiece>& pieces, Span print, RunContext& context);
// Arrays have lines of their own between those of scalars.
void say_lines(const std::vector<PrintedPiece>& pieces, Span statement, RunContext& context);

// Where the outermost loop ends: its tables are said, and what they ask for of arrays goes to them.
void end_tables(RunnerState& state);

}  // namespace shard

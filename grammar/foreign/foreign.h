// Lines of Python, its array libraries, C and the whiteboard: what they would be here. One place for all of them:
// word.cpp lists words that begin lines, sign.cpp operators, grammar/translate/function.cpp functions.
//
// In this folder:
//   foreign.h        the way in
//   line.h, block.h  lines and blocks, by kind; a file for each
//   line_reader.h    assignments, prints and expressions
//   block_writer.h   the lines of a block, in braces
//   rewrite.h        a line of which some pieces are written otherwise
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/translate/names.h"
#include "grammar/tree/foreign_array.h"

namespace shard {

struct ForeignMistake {
  // Of the foreign piece in the text.
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string message = {};
  std::vector<std::string> help = {};
  // The array that the line would make, if it is known what it is.
  std::string made = {};
  ForeignArray array = {};
};

// `text` is a statement in which a mistake was found, as it was written, with the lines that are indented below it if it
// ends in a colon. nullopt if it is nothing foreign. A line that is offered can be read by the parser.
std::optional<ForeignMistake> read_foreign(std::string_view text, const ForeignNames& names);

// `for i in 0..4 { total += 2 }`, a loop of the notation around a change of a number.
std::optional<ForeignMistake> read_foreign_sum(std::string_view text, const ForeignNames& names);

// `mesh {X: 4, Y: 2}`. Sizes without a name get one, names without a size get 2.
std::string mesh_line(const std::vector<std::string>& sizes, std::vector<std::string> axes);

// Whether others call the type of an array that, as in `x: Tensor[B, D]`.
bool is_foreign_array_type(std::string_view word);

// The dimensions in the first brackets that stand after the name in a text; nothing if these hold anything else.
std::vector<std::string> written_dimensions(std::string_view text, std::string_view name);

// The mistake of the statement that stands at `place` of that file, and the kinds of diagnostics that it takes the place of.
Diagnostic diagnostic_of(const ForeignMistake& mistake, const Span& place, std::string_view file);
const std::vector<DiagnosticKind>& foreign_kinds();

}  // namespace shard

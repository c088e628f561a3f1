// Names that are probably slips of the finger, which only the whole text shows.
//
// In this folder:
//   misspelling.h        names that are probably slips
//   occurrences.h        where the names of a text stand, by what they stand for
//   swapped_names.h      dimensions where an axis belongs, and the reverse
//   other_size.h         a size that is given a second time
//   argument_shape.h     an argument whose lengths are not those of its parameter
//   unit_help.h          numbers whose unit was left out
//   chip_help.h          the line that gives a chip the figures that are missing
//   mended_names.h       names that stand for nothing, and what the rest of their statement says of them
//   mended_target.h      dimensions that an operand or the target lacks
//   tried_lines.h        lines of a help, tried before anyone reads them
//   line_variants.h      a statement with one name exchanged for another
//   example_axes.h       examples with the axes of the mesh
//   change_told.h        diagnostics that are changed once their whole statement is known
//   foreign_statement.h  statements of other languages, with what the names of the script mean
#pragma once

#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"

namespace shard {

// Warns of names that stand once in a text without mistakes, and in the place of another one: an array that differs by one
// edit from one with the same dimensions, a dimension that renames another one, a size that nothing has, where a dimension
// next to those with sizes has none.
void warn_of_misspellings(const std::vector<ast::Statement>& statements, DiagnosticSink& sink);

}  // namespace shard

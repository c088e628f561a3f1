// Lines of Python, its array libraries, C and the whiteboard: what they would be here. One place for all of them:
// function.cpp lists functions, word.cpp words that begin lines, sign.cpp operators.
//
// In this folder:
//   foreign.h            the way in
//   token.h, tree.h      words and signs of other languages, and expressions made of them
//   function.h           the table of functions of other languages
//   line.h, block.h      lines and blocks, by kind; a file for each
//   operand.h, writer.h  values, and whole expressions, as the notation has them
//   print.h              prints
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/foreign_array.h"

namespace shard {

// What is known where the line stands.
class ForeignNames {
 public:
  ForeignNames() = default;
  ForeignNames(const ForeignNames&) = delete;
  ForeignNames& operator=(const ForeignNames&) = delete;
  virtual ~ForeignNames() = default;

  virtual bool is_array(std::string_view name) const = 0;
  // In the layout of its newest copy; nullopt also of an array whose dimensions are not known.
  virtual std::optional<ForeignArray> array(std::string_view name) const = 0;
  virtual bool is_scalar(std::string_view name) const = 0;
  // A function of the script or of the language.
  virtual bool is_function(std::string_view name) const = 0;
  // Those with a size, in the order of the script.
  virtual std::vector<std::string> dimensions() const = 0;
  // The first that is so long.
  virtual std::optional<std::string> dimension_of(std::int64_t length) const = 0;
  virtual std::vector<std::string> axes() const = 0;
  // What a function of the script is called with, in its order.
  virtual std::vector<std::string> parameters(std::string_view) const { return {}; }
  // The dimensions of an array that has brackets elsewhere in the script, `W1[D, F_model]`.
  virtual std::vector<std::string> written(std::string_view) const { return {}; }
};

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
// Whether a word in front of a parenthesis is a function of the language.
bool is_language_function(std::string_view word);

}  // namespace shard

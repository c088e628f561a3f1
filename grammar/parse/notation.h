// Notation in texts that are no scripts: a formula of an article, a cell of a table, a sentence.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/tree/ast.h"
#include "grammar/tree/names.h"

namespace shard {

struct Notation {
  std::size_t begin = 0;  // in the text
  std::size_t end = 0;
  std::vector<ast::Statement> statements;  // their spans are of a file that is gone
  std::vector<std::size_t> places;         // where each begins in the text
  // `DONT` and `SAP` of `I[DONT], A[SAP]`, `user` and `id` of `users[user_id]`: it is notation only where the document has one of them
  // in other brackets, too, or an axis of that name.
  std::vector<std::string> unsure_words = {};
};

// How a text is set apart from what surrounds it, which decides what may be notation.
enum class SetApart {
  Nothing,  // a line
  Cell,     // of a table
  Mark,     // a formula, inline code: sizes alone and products of names are notation there
  Listing,  // a line of a program, in which only a mesh is notation
};

// The text as a whole, as the parser of scripts reads it; nullopt if it is no notation, or more than that. `names` are those
// that the text may use: axes and dimensions decide how words are split. `document`: what all of the document calls an array and a
// dimension, which decides whether a product of names is one of arrays; null: `names` do.
std::optional<Notation> whole_notation(std::string_view text, const Names& names, SetApart how,
                                       const Names* document = nullptr);

// All notation within the sentences of a text.
std::vector<Notation> notation_within(std::string_view text, const Names& names);

// Whether it gives sizes and says nothing of arrays: `B = 512`.
bool gives_sizes(const ast::Statement& statement);

// Adds the dimensions and arrays that the statements have brackets for.
void learn_names(const std::vector<ast::Statement>& statements, Names& names);

}  // namespace shard

// Tree to canonical text.
//
// In this folder:
//   printer.h  the entry point; a file for each construct
//   context.h  the state that these files share
#pragma once

#include <string>

#include "grammar/tree/ast.h"

namespace shard {

enum class Spelling { Unicode, Ascii, Latex };

// The whole module with comments and blank lines; ends with a newline. In every spelling it parses back to an equal
// tree, and printing that tree gives the same text.
std::string print(const ast::Module& module, Spelling spelling);

// Parts of it, without comments: used by reports and diagnostics.
std::string print(const ast::Statement& statement, Spelling spelling);
std::string print(const ast::Expr& expr, Spelling spelling);
std::string print(const ast::ArrayRef& array, Spelling spelling);
std::string print(const ast::Dimension& dimension, Spelling spelling);
// What follows the word `mesh`, "{X: 4, Y: 2}", and the word `hardware`, "TPUv5p 4x4x4 {HBM: 300 MB}".
std::string axes_text(const ast::Mesh& mesh);
std::string machine_text(const ast::Hardware& hardware);

}  // namespace shard

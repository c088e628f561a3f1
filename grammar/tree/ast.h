// The tree of a script: value structs without behaviour. Every spelling of the language ends in this one tree; names
// are not resolved here, and nothing is added that was not written.
//
// In this folder:
//   ast.h                    the tree as a whole: a statement of any kind, a module
//   expression.h             expressions
//   statement.h              statements of a computation, and blocks
//   machine.h                statements about the machine
//   statements.def           the statements: what `Statement::node` may be
//   keyword.h, keywords.def, operator.h, operators.def  words that begin statements and blocks, and what may follow each; signs
//   names.h                  names known so far, for words that have lost their underscore
//   statement_parts.h        the names of a statement, by where they stand
//   walk_expression.h        walks over expressions
//   foreign_array.h          arrays that lines of other languages would have made
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "grammar/tree/expression.h"
#include "grammar/tree/machine.h"
#include "grammar/tree/statement.h"

namespace shard::ast {

struct Statement {
  std::variant<Unsupported
#define SHARD_STATEMENT(node) , node
#include "grammar/tree/statements.def"
               >
      node;
  Location at;
  std::vector<std::string>
      leading;             // comment lines and blank lines ("") before it, comments with their `#`
  std::string trailing;    // the comment after it
  bool has_error = false;  // the parser reported a mistake inside: later steps skip it silently
  friend bool operator==(const Statement&, const Statement&) = default;
};

inline bool operator==(const BlockExpr& a, const BlockExpr& b) {
  return a.kind == b.kind && a.body == b.body && a.trailing == b.trailing;
}
inline bool operator==(const ExpectError& a, const ExpectError& b) {
  return a.kind == b.kind && a.body == b.body && a.trailing == b.trailing;
}
inline bool operator==(const ExpectSteps& a, const ExpectSteps& b) {
  return a.pinned == b.pinned && a.body == b.body && a.trailing == b.trailing &&
         a.steps == b.steps && a.steps_trailing == b.steps_trailing;
}

inline bool operator==(const Function& a, const Function& b) {
  return a.name == b.name && a.parameters == b.parameters && a.body == b.body &&
         a.trailing == b.trailing;
}
inline bool operator==(const Loop& a, const Loop& b) {
  return a.variable == b.variable && a.values == b.values && a.body == b.body &&
         a.trailing == b.trailing;
}
inline bool operator==(const If& a, const If& b) {
  return a.condition == b.condition && a.body == b.body && a.trailing == b.trailing &&
         a.otherwise == b.otherwise && a.otherwise_trailing == b.otherwise_trailing;
}
inline bool operator==(const Group& a, const Group& b) {
  return a.body == b.body && a.trailing == b.trailing;
}
inline bool operator==(const Best& a, const Best& b) {
  return a.count == b.count && a.body == b.body && a.trailing == b.trailing;
}
inline bool operator==(const Fused& a, const Fused& b) {
  return a.body == b.body && a.trailing == b.trailing;
}

struct Module {
  std::vector<Statement> statements;
  std::vector<std::string> trailing;  // comment and blank lines at the end
  friend bool operator==(const Module&, const Module&) = default;
};

}  // namespace shard::ast

// The words that begin statements and blocks, from grammar/tree/keywords.def. Parser, printer, Tab and help use this
// table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/tree/ast.h"

namespace shard {

// What must follow the word to make it a keyword.
enum class Behind {
  Name,           // `drop A`
  NameOrNumber,   // `hardware TPUv5e`, `hardware 4x4`
  NameOrRemark,   // `why C`, `why (what was weighed)`
  Remark,         // `strict (from here on)`
  Axes,           // `mesh {X: 4}`, `mesh X: 4`
  Constructor,    // `Mesh({X: 4})`
  Expression,     // `print [A, B]`, but not `print[A] → …`
  Operand,        // `return x`, unless the script has something of that name
  Module,         // `use ../mlp`, `use "mlp.shard"`
  Branch,         // `else {`, `else if`
  Brace,          // `when {`
  BraceOrNumber,  // `best {`, `best 3 {`
  BraceOrNamed,   // `when {`, `when B {`
};

enum class Does { Declares, Acts, Structures };
enum class Standing { Alone, InCompany };
enum class Guess { Guessed, NotGuessed };
enum class Runs { Now, Later };

struct Keyword {
  std::string_view word;
  Does does;
  Standing standing;
  Behind behind;
  Guess guess;
  std::string_view example;  // for `shard help statements`; empty for an alternative spelling
  std::string_view meaning;
};

// Statements that this version runs, in the order of help.
std::span<const Keyword> keywords();
// The entry of the word; null for any other word.
const Keyword* find_keyword(std::string_view word);

// Whether Tab and help show it. The others are alternative spellings.
constexpr bool is_listed(const Keyword& keyword) { return !keyword.example.empty(); }
// Whether the statement is the word and an expression: `print x`, `if x > 4 {`.
constexpr bool takes_value(const Keyword& keyword) {
  return keyword.behind == Behind::Expression || keyword.behind == Behind::Operand;
}

struct BlockWord {
  std::string_view word;
  ast::BlockKind kind;
  Runs runs;
};
std::span<const BlockWord> block_words();
const BlockWord* find_block_word(std::string_view word);  // null for any other word
std::string_view word_of(ast::BlockKind kind);

// `solve`, `when` and `minimize` begin statements, and values as well.
std::optional<ast::QuestionKind> question_of(std::string_view word);
std::string_view word_of(ast::QuestionKind kind);

// What an unknown first word may have been meant to be.
const std::vector<std::string>& guessed_words();

// Whether a statement that begins with this text of an expression would be read as the statement of its first word:
// `save`, `print - 1`.
bool reads_as_keyword(std::string_view text);

}  // namespace shard

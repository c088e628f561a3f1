// Expressions of other languages as trees: what Python, its array libraries and C have in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

struct ForeignTree {
  enum class Kind {
    Name,
    Number,
    Text,       // in quotes; `text` is what stands between them
    Call,       // `parts`: what is called, then the arguments
    Keyword,    // an argument `text=parts[0]`
    Attribute,  // `parts[0].text`
    // `parts`: what is indexed, then the indices; `text`: `U_X` of a mark `{U_X}` after them, `Z=0` of `{Z=0}`
    Index,
    Slice,  // `text` is `:` or `...` where it is all of a dimension or of some, else `part`; `parts`: its bounds
    Tuple,  // in parentheses or brackets
    Unary,  // `text` is the operator
    Binary,
    Unread,  // an argument that is not understood; `text`: its words and signs, parted by blanks
  };

  Kind kind = Kind::Name;
  std::string text = {};
  std::vector<ForeignTree> parts = {};
  // Where it stands in the text that was read.
  std::size_t begin = 0;
  std::size_t end = 0;
  // Whether parentheses stand around it.
  bool grouped = false;

  bool is_name(std::string_view name) const { return kind == Kind::Name && text == name; }
};

// The items of a tuple, or the one value.
std::vector<const ForeignTree*> items_of(const ForeignTree& tree);

// A statement: `a = …`, `a, b = …`, `a += …`, `a: type = …`, `return …`, `print …` or an expression alone.
struct ForeignStatement {
  std::string word = {};  // `return`, `print`; else nothing
  std::vector<ForeignTree> targets = {};
  std::optional<ForeignTree> annotation = {};
  std::string sign = {};                 // `=`, `+=`, `:=`; nothing without targets
  std::vector<ForeignTree> values = {};  // several are parted by commas
};

// nullopt if the text is no such statement as a whole. Depth is limited, as the reading is recursive.
std::optional<ForeignStatement> read_foreign_statement(std::string_view text);
std::optional<ForeignTree> read_foreign_expression(std::string_view text);

}  // namespace shard

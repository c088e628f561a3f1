// Parts of derived statements as text, with what the text depends on.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/ir/arrays.h"
#include "runtime/element/dtype.h"

namespace shard::gradient {

struct Piece {
  std::string text;
  std::set<DimensionId> labels = {};
  std::set<DType> dtypes = {};  // of the arrays in it

  // It depends on what the other one depends on.
  void join(const Piece& other) {
    labels.insert(other.labels.begin(), other.labels.end());
    dtypes.insert(other.dtypes.begin(), other.dtypes.end());
  }
};

// The text as one operand: in parentheses where an operator stands outside of all brackets.
std::string operand_text(const std::string& text);

// Whether the text is a name, with what it has in brackets: a layout, a part, or a number as an index; perhaps divided by lengths, as
// of a mean. To write it several times costs less than a statement of its own.
bool is_view(std::string text);

// Its words: names of arrays, dimensions and functions, and numbers.
std::set<std::string> names_in(const std::string& text);

// Whether one of the names stands in the text.
bool mentions(const std::string& text, const std::set<std::string>& names);

// "sum of the pieces": `a + b - c`. REQUIRES: at least one.
Piece added(const std::vector<Piece>& terms);

}  // namespace shard::gradient

// Arrays where they are read: copies, inputs, renamed dimensions.
#pragma once

#include <optional>
#include <string>

#include "interpreter/check/brackets.h"
#include "interpreter/ir/checked.h"

namespace shard {

// An array where it is read: a live copy of a known array, a new input, or an anonymous one. Reports UnknownName,
// NotArray, DroppedArray, RankMismatch, TransposedUse, SizeMismatch, NoSuchCopy, UndeclaredInput, and the warnings
// SecondInputLayout and SuspiciousName.
std::optional<checked::Operation> check_use(const ast::ArrayRef& array, CheckContext& context);

// Reports UnknownName, with the array that is meant where one is near.
void report_unknown_array(const std::string& name, Span span, CheckContext& context);

// The brackets' names against the array's own dimensions: the same, or renamed to others of equal size.
bool check_labels(const ast::ArrayRef& array, const Brackets& brackets, const ArrayInfo& info,
                  CheckContext& context);

// The copy that brackets with that layout mean (axes of size 1 do not count); null if the script wrote none.
const LiveCopy* find_copy(ArrayId array, const Layout& layout, const Scope& scope);

// The layout that a script wrote last of it; whole on every device if it has written none.
Layout newest_layout(ArrayId array, const Scope& scope);

// "`A[I_X, J]` and `A[I, J]`".
std::string list_copies(ArrayId array, const Scope& scope);

// What turns one layout of an array into another; nullopt if nothing does.
struct Relayout {
  std::string operation;  // "AllGather_X A[I_X, J]"; without a collective if it takes several
  bool is_collective = false;
  std::string result;  // "A[I, J]"
};
std::optional<Relayout> relayout(ArrayId array, const Layout& from, const Layout& to,
                                 const Scope& scope);
// As a line: "AllGather_X A[I_X, J] → A[I, J]".
std::string line_of(const Relayout& relayout);
std::optional<std::string> relayout_line(ArrayId array, const Layout& from, const Layout& to,
                                         const Scope& scope);

// The array in the layout of the brackets, which may be any, as in `bytes(A[I_X, J])`: no copy needs to have it; a bare name is its
// newest copy. nullopt after a report.
std::optional<Copy> described_copy(const ast::ArrayRef& array, CheckContext& context);

}  // namespace shard

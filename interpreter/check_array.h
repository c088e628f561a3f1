// Brackets and names of arrays: what they mean in a scope.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "interpreter/checked.h"
#include "interpreter/scope.h"

namespace shard {

struct CheckContext {
  Scope& scope;
  DiagnosticSink& sink;
};

// `[I_X, J]{U_Y}` with its names looked up.
struct Brackets {
  std::vector<DimensionId> labels;
  Layout layout;
};

// Limits of a script; each has a diagnostic (TooLarge).
inline constexpr std::size_t kMaxRank = 16;
inline constexpr std::size_t kMaxAxes = 16;
inline constexpr std::size_t kMaxNameLength = 100;

// Looks up axes and dimensions. Reports UnknownAxis, AxisReused, DimensionReused (of names), NotDivisible, TooLarge.
// Names of new dimensions become known; without any mesh, so do axes.
std::optional<Brackets> check_brackets(const ast::ArrayRef& array, CheckContext& context);

// The axis of that name; reports UnknownAxis. Without any mesh a new axis of unknown size.
std::optional<AxisId> check_axis(const ast::Identifier& name, CheckContext& context);

// An array where it is read: a live copy of a known array, a new input, or an anonymous one. Reports UnknownName,
// RankMismatch, TransposedUse, SizeMismatch, NoSuchCopy, UndeclaredInput, and the warnings SecondInputLayout and
// SuspiciousName.
std::optional<checked::Operation> check_use(const ast::ArrayRef& array, CheckContext& context);

// The brackets' names against the array's own dimensions: the same, or renamed to others of equal size.
bool check_labels(const ast::ArrayRef& array, const Brackets& brackets, const ArrayInfo& info,
                  CheckContext& context);

// The dtype a word names; reports UnknownDtype.
std::optional<DType> check_dtype(const ast::Identifier& word, CheckContext& context);

// Whether the array holds a copy in that layout (axes of size 1 do not count).
const LiveCopy* find_copy(const ArrayInfo& info, const Layout& layout, const Mesh& mesh);

// "`A[I_X, J]` and `A[I, J]`".
std::string list_copies(ArrayId array, const Scope& scope);

// A line that turns one layout of an array into another, "AllGather_X A[I_X, J] → A[I, J]"; nullopt if none does.
std::optional<std::string> relayout_line(ArrayId array, const Layout& from, const Layout& to,
                                         const Scope& scope);

void report(CheckContext& context, DiagnosticKind kind, Span span, std::string message,
            std::vector<std::string> help = {}, std::vector<Note> notes = {});

}  // namespace shard

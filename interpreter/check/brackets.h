// What stands in brackets: dimensions, axes, element types. And the context that every check is made in.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"
#include "interpreter/check/brackets_cache.h"
#include "interpreter/ir/symbols.h"

namespace shard {

struct CheckContext;

// Reports a cost block, which gives no number to what is checked.
using RefuseBlock = std::function<void(const ast::BlockExpr&)>;

// Gives checks the numbers that expressions stand for, as lengths and as factors of elements: evaluation stands above
// checking.
class ScalarSource {
 public:
  ScalarSource() = default;
  ScalarSource(const ScalarSource&) = delete;
  ScalarSource& operator=(const ScalarSource&) = delete;
  virtual ~ScalarSource() = default;

  // nullopt after a report, of this or of `refuse`.
  virtual std::optional<Quantity> quantity(const ast::Expr& expr, const RefuseBlock& refuse,
                                           CheckContext& context) const = 0;
};

struct CheckContext {
  Scope& scope;
  DiagnosticSink& sink;
  const ScalarSource& scalars;
  std::shared_ptr<BracketsCache> brackets = std::make_shared<BracketsCache>();
};

void report(CheckContext& context, DiagnosticKind kind, Span span, std::string message,
            std::vector<std::string> help = {}, std::vector<Note> notes = {},
            std::vector<Edit> edits = {});

// The known array whose name is nearest to one that is unknown; nullopt where no more errors are shown.
std::optional<std::string> nearest_array(const std::string& name, const CheckContext& context);

// Limits of a script; each has a diagnostic (TooLarge).
inline constexpr std::size_t kMaxRank = 16;
inline constexpr std::size_t kMaxAxes = 16;
inline constexpr std::size_t kMaxNameLength = 100;

// Looks up axes and dimensions. Reports UnknownAxis, AxisReused, DimensionReused (of names), NotDivisible, BadArgument,
// TooLarge, and of `…` UnknownDimension and RankMismatch. Names of new dimensions become known; without any mesh, so do
// axes.
std::optional<Brackets> check_brackets(const ast::ArrayRef& array, CheckContext& context);
// How the parts that a mark names make the whole.
Combination combination_of(ast::Parts parts);

// Where the dimension at `index` of the checked brackets is written; the whole array where `…` stands for some.
Span span_of_dimension(const ast::ArrayRef& array, std::size_t index);

// The axis of that name; reports UnknownAxis. Without any mesh a new axis of unknown size.
std::optional<AxisId> check_axis(const ast::Identifier& name, CheckContext& context);

// The axes of that name: one, or those that a parameter's `D_{Y…}` gave it, also none. Reports as check_axis.
std::optional<std::vector<AxisId>> check_axes_called(const ast::Identifier& name,
                                                     CheckContext& context);
// The element type that `cast(A, B)` casts to. Reports BadArgument.
std::optional<DType> type_of_cast(const ast::Call& call, CheckContext& context);

// Those of one dimension or mark, each used once in the whole bracket: `seen` are the ones before. False after a report, of
// UnknownAxis or AxisReused.
bool check_axes(const std::vector<ast::Identifier>& names, const ast::ArrayRef& array,
                std::vector<AxisId>& seen, std::vector<AxisId>& axes, CheckContext& context);

// The dtype a word names; reports UnknownDtype.
std::optional<DType> check_dtype(const ast::Identifier& word, CheckContext& context);
// The element type of the array that is named. Reports BadArgument if none is, with `edits` as the fix.
std::optional<DType> type_of_array(const ast::Expr& like, std::vector<Edit> edits,
                                   CheckContext& context);

// Reports TooLarge for an array of more than 2^53 elements, of those dimensions whose lengths are known.
bool check_element_count(const std::vector<DimensionId>& labels, Span span, CheckContext& context);

// Reports NotDivisible, at the place of that dimension; of each dimension once, however often it is used.
// `array`: its name, if it has one.
bool check_divisible(const std::vector<DimensionId>& labels, const Layout& layout,
                     const std::optional<ast::Identifier>& array,
                     const std::function<Span(std::size_t)>& place, CheckContext& context);

// Reports TooLarge for a name above kMaxNameLength.
bool check_name_length(const ast::Identifier& name, CheckContext& context);

}  // namespace shard

// Expressions of arrays: products, collectives, and what they leave.
#pragma once

#include <optional>
#include <set>
#include <string_view>

#include "interpreter/check/array.h"
#include "interpreter/planning/search/route_search.h"

namespace shard {

// The target of a flow, as far as its operations need it. No brackets: the target says nothing.
struct TargetHint {
  std::optional<Brackets> brackets;
  Span span;
  bool failed = false;  // a mistake was reported in it: what depends on it is not judged
  // A bare target is made as its declaration says. The brackets are from there, unless the array is an input or itself flows
  // in: then the layout holds if the dimensions stay as they are.
  std::shared_ptr<const DeclaredForm> declared = nullptr;
  // The operation is a part of what flows into the target: its dimensions guide and need not be all the same.
  bool within = false;

  // For a part of the operation.
  TargetHint inside() const {
    TargetHint hint = *this;
    hint.within = true;
    return hint;
  }
};

// Whether an expression is about arrays: it holds brackets or a collective, or is names only with a known array among
// them.
bool is_array_expression(const ast::Expr& expr, const Scope& scope);
// Whether a bare name in it means nothing: next to arrays it is to be one.
bool names_unknown(const ast::Expr& expr, const Scope& scope);

// Whether a name stands in it, bare or as a function's, that a mistake kept from being made. That was reported, and the
// expression is not judged.
bool hangs_on_mistake(const ast::Expr& expr, const Scope& scope);

// Reports a function of mathematics or of an array library that the language lacks, with what is written in its place: nothing
// that is spelt like it is meant. `of`: "" or " of arrays"; `is_operand`: signs may stand next to the call. False if it is none.
bool report_lacking(const ast::Call& call, Span span, bool is_operand, std::string_view of,
                    CheckContext& context);

// What gives the place of the largest along several dimensions, of the least for `argmin`: one dimension that stands for them. The
// argument has these dimensions (reduction.cpp).
std::string place_along_several(const ast::Call& call, std::vector<std::string> dimensions,
                                const Scope& scope);

// Checks an expression of arrays. `target` decides what a product contracts and which axes an unsubscripted collective
// runs over. Reports what is wrong and returns nullopt.
std::optional<checked::Operation> check_operation(const ast::Expr& expr, const TargetHint& target,
                                                  CheckContext& context);

// A collective (collective/collective.cpp).
std::optional<checked::Operation> check_collective(const ast::Collective& collective, Span span,
                                                   const TargetHint& target, CheckContext& context);
// A product (product.cpp).
std::optional<checked::Operation> check_product(const ast::Product& product, Span span,
                                                const TargetHint& target, CheckContext& context);

// Signs and functions that work element by element (elements.cpp). REQUIRES: `is_elementwise`.
std::optional<checked::Operation> check_elements(const ast::Expr& expr, const TargetHint& target,
                                                 CheckContext& context);
bool is_elementwise(const ast::Expr& expr);
// `A[I_X, J] = 0.5`: a number for each element of an array whose type is declared (declaration.cpp). REQUIRES of `check_fill`:
// `is_fill`.
bool is_fill(const ast::Expr& value, const ast::ArrayRef& target, const Scope& scope);
std::optional<checked::Operation> check_fill(const ast::Expr& value, const ast::ArrayRef& target,
                                             const TargetHint& hint, CheckContext& context);
// Reports a number for an array without a type, with the declaration that it lacks.
void report_untyped_fill(const ast::Expr& value, const ast::ArrayRef& target,
                         CheckContext& context);
// A number for each element under these labels.
std::optional<checked::Operation> filled(const ast::Expr& value,
                                         const std::vector<DimensionId>& labels, DType dtype,
                                         CheckContext& context);
// The operation times numbers that stood next to it in a product.
std::optional<checked::Operation> scaled(checked::Operation operation,
                                         const std::vector<const ast::Expr*>& numbers, Span span,
                                         CheckContext& context);
// `sum_J`, `mean_J`, `max_J`, `softmax_S`, `argmax_J`, `cumsum_J` (reduction.cpp).
std::optional<checked::Operation> check_reduction(const ast::Call& call, Span span,
                                                  const TargetHint& target, CheckContext& context);
// `A[I, J][i]`, `E[V, D][V = Tok]` where they are read (selection.cpp). REQUIRES: an index.
std::optional<checked::Operation> check_indexed(const ast::ArrayRef& array,
                                                const TargetHint& target, CheckContext& context);
// `(A · B)[I = 2]`, `relu(A)[J = Pick]` (selection.cpp): elements of the expression's value, as those of a named array.
std::optional<checked::Operation> check_indexed(const ast::Indexed& indexed, Span span,
                                                const TargetHint& target, CheckContext& context);
// `relu(v)[3]`, an index where the value has one dimension. Reports BadIndex where it has more, and NotYet for the layout of a
// part of an expression, `(A · B)[I_X, K]` (selection.cpp).
std::optional<checked::Operation> check_shaped(const ast::Expr& expr, const TargetHint& target,
                                               CheckContext& context);
// Whether an index or a part names elements of an array.
bool changes_elements(const ast::ArrayRef& target);
// `KC[B, S, H][S = pos] = …`, `KC[B, 0:T, H] = …`: the whole array with the value put in (selection/update.cpp). REQUIRES:
// `changes_elements`.
std::optional<checked::Operation> check_update(const ast::ArrayRef& target, const ast::Expr& value,
                                               CheckContext& context);
// `Reshape(Q[B, N])`, into the shape of the target (selection/reshape.cpp).
std::optional<checked::Operation> check_reshape(const ast::Call& call, Span span,
                                                const TargetHint& target, CheckContext& context);
// `A[I_X, 0:J/2]` where it is read (selection/part.cpp). REQUIRES of `check_part`: `has_part`, and no index.
bool has_part(const ast::ArrayRef& array);
std::optional<checked::Operation> check_part(const ast::ArrayRef& array, const TargetHint& target,
                                             CheckContext& context);
// `top_{E,J}(A)`, `one_hot_E(Pick)`, `scatter_V(Tok, A)` (selection/top.cpp).
std::optional<checked::Operation> check_top(const ast::Call& call, Span span,
                                            const TargetHint& target, CheckContext& context);
std::optional<checked::Operation> check_one_hot(const ast::Call& call, Span span,
                                                const TargetHint& target, CheckContext& context);
std::optional<checked::Operation> check_scatter(const ast::Call& call, Span span,
                                                const TargetHint& target, CheckContext& context);
// `concat_J(A, B)`, `pad_{I,J}(A)` (selection/concat.cpp).
std::optional<checked::Operation> check_concat(const ast::Call& call, Span span,
                                               const TargetHint& target, CheckContext& context);
// What stands before the dimension in `iota_J`.
inline constexpr std::string_view kIotaPrefix = "iota_";
// Whether it is `iota_J`, of a dimension, a size or a length; not if an array or a scalar has that name.
bool is_iota(const ast::Expr& expr, const Scope& scope);
// The dimension of `iota_J`, which becomes known; nullopt of what is none.
std::optional<DimensionId> iota_dimension(const ast::Expr& expr, Scope& scope);
// The value of a number next to arrays; reports what has a unit.
std::optional<Formula> plain_number(const ast::Expr& expr, CheckContext& context);
// Whether a part of an expression of arrays is a number: no array has its name, and a scalar, a dimension or an axis
// has.
bool is_number(const ast::Expr& expr, const Scope& scope);
// Every dimension of the result is in the target, and the other way round; reports DroppedDimension, TargetMismatch.
// The dimension of these that is written as the same length as one before it, `[4, 4]`: a name does not tell them apart.
std::optional<DimensionId> dimension_called_as_another(const std::vector<DimensionId>& labels,
                                                       const Scope& scope);

// Whether names tell apart the dimensions that meet element by element. Reports DimensionReused.
bool check_told_apart(const std::vector<checked::Operation>& operands, CheckContext& context);

bool check_result_labels(const checked::Operation& result, const TargetHint& target,
                         CheckContext& context);
// Labels in the order in which the target has them, if it has all.
std::vector<DimensionId> in_target_order(std::vector<DimensionId> labels, const TargetHint& target);
// Partial sums that were not written: planning reduces them before they are used.
bool is_inferred_sum(const checked::Operation& operation);

// "A[I_X, J]" for a use, "the product" and the like otherwise; with the labels the script used.
std::string describe(const checked::Operation& operation, const Scope& scope);
// The name in it: of the array, or of the one that a collective moves; empty of what was computed.
std::string name_in(const checked::Operation& operation, const Scope& scope);
// The moves that would lead from an operand to a layout; nullopt if none do. REQUIRES: operand.layout.
std::optional<planning::Route> route_between(const checked::Operation& operand,
                                             const Layout& target, const Scope& scope);
// What would lead from an operand to a layout: "AllGather_X, then slice would lead to the target".
// REQUIRES: operand.layout.
std::string way_between(const checked::Operation& operand, const Layout& target,
                        const Scope& scope);
std::string bracket_text(const std::vector<DimensionId>& labels, const Layout& layout,
                         const Scope& scope);

}  // namespace shard

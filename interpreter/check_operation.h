// Expressions of arrays: products, collectives, and what they leave.
#pragma once

#include <optional>
#include <set>

#include "interpreter/check_array.h"

namespace shard {

// The target of a flow, as far as its operations need it. No brackets: the target says nothing.
struct TargetHint {
  std::optional<Brackets> brackets;
  Span span;
  bool failed = false;  // a mistake was reported in it: what hangs on it is not judged
};

// Whether an expression is about arrays: it holds brackets or a collective, or is names only with a known array among
// them.
bool is_array_expression(const ast::Expr& expr, const Scope& scope);

// Checks an expression of arrays. `target` decides what a product contracts and which axes an unsubscripted collective
// runs over. Reports what is wrong and returns nullopt.
std::optional<checked::Operation> check_operation(const ast::Expr& expr, const TargetHint& target,
                                                  CheckContext& context);

// A collective (check_collective.cpp).
std::optional<checked::Operation> check_collective(const ast::Collective& collective, Span span,
                                                   const TargetHint& target, CheckContext& context);
// A product (check_product.cpp).
std::optional<checked::Operation> check_product(const ast::Product& product, Span span,
                                                const TargetHint& target, CheckContext& context);

// "A[I_X, J]" for a use, "the product" and the like otherwise; with the labels the script used.
std::string describe(const checked::Operation& operation, const Scope& scope);
// What would lead from an operand to a layout: "AllGather_X, then slice would lead to the target".
// REQUIRES: operand.layout.
std::string way_between(const checked::Operation& operand, const Layout& target,
                        const Scope& scope);
std::string bracket_text(const std::vector<DimensionId>& labels, const Layout& layout,
                         const Scope& scope);

}  // namespace shard

// Scalars: numbers with units, formulas where sizes are missing, comparisons, and the figures of suppositions.
#pragma once

#include <functional>
#include <optional>

#include "interpreter/check_array.h"
#include "interpreter/figures.h"

namespace shard {

// Plans the statements of a block in a scope of its own and says what they cost; nullopt if the block has errors, which
// are reported. Given by the runner, since a block holds statements.
using Suppose = std::function<std::optional<Figures>(const ast::BlockExpr&, Scope scope,
                                                     CheckContext& context)>;

// The value of a call of one of the script's functions; nullopt after a report. Given by the runner as well.
using CallFunction = std::function<std::optional<Value>(const ast::Call&, Span)>;

struct EvaluationContext {
  CheckContext& check;
  const Suppose& suppose;
  const CallFunction* call = nullptr;
};

// Reports UnknownName, UnitMismatch, NotScalar, UnknownFunction, UnknownField, BadArgument, DivisionByZero,
// NumberTooLarge, AmbiguousName, NotYet; nullopt after a report.
std::optional<Value> evaluate(const ast::Expr& expr, EvaluationContext& context);
// The same, where a number is needed.
std::optional<Quantity> evaluate_quantity(const ast::Expr& expr, EvaluationContext& context);

// Functions and constants that evaluation knows, for completion and suggestions.
const std::vector<std::string>& function_names();
const std::vector<std::string>& chip_constants();

}  // namespace shard

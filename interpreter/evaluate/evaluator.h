// Scalars: numbers with units, formulas where sizes are missing, comparisons, and the figures of suppositions.
//
// In this folder:
//   evaluator.h                scalars
//   name.h, member.h           names, and figures after a dot
//   builtin_call.h, compare.h  functions of scalars; comparisons
//   provenance.h               where the numbers of an `expect` came from
//   known_figures.h            what a cost block came to, and what it had read
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "interpreter/check/array.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/ir/budget.h"

namespace shard {

// Plans the statements of a block in a scope of its own, with the sizes and the machine of the context, and says what they
// cost; nullptr if the block has errors, which are reported, or if the run is stopped. Given by the runner, since a block
// holds statements.
using Suppose =
    std::function<std::shared_ptr<const Figures>(const Supposition&, CheckContext& context)>;

// The value of a call of one of the script's functions; nullopt after a report. Given by the runner as well.
using CallFunction = std::function<std::optional<Value>(const ast::Call&, Span)>;

struct EvaluationContext {
  CheckContext& check;
  const Suppose& suppose;
  const CallFunction* call = nullptr;
  Budget* budget = nullptr;  // nullptr: unlimited
};

// Reports UnknownName, UnitMismatch, NotScalar, UnknownFunction, UnknownField, BadArgument, DivisionByZero,
// NumberTooLarge, AmbiguousName, TooDeep, NotYet; nullopt after a report.
std::optional<Value> evaluate(const ast::Expr& expr, EvaluationContext& context);
// The same, where a number is needed.
std::optional<Quantity> evaluate_quantity(const ast::Expr& expr, EvaluationContext& context);

// What checks ask for numbers. Functions of the script have none for them.
const ScalarSource& scalar_source();

}  // namespace shard

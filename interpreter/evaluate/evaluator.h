// Scalars: numbers with units, formulas where sizes are missing, comparisons, and the figures of suppositions.
//
// In this folder:
//   evaluator.h                scalars
//   name.h, member.h           names, and figures after a dot
//   builtin_call.h, compare.h  functions of scalars; comparisons
//   compare_found.h            comparisons of words, and of what questions found
//   answer_names.h             names that are in what a question found alone
//   units.h                    units of the two sides of a sum or a comparison
//   provenance.h               where the numbers of an `expect` came from
//   failed_comparison.h        what is said of an `expect` that does not hold
//   known_figures.h            what a cost block came to, and what it had read
#pragma once

#include <memory>
#include <optional>

#include "interpreter/check/array.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/ir/budget.h"

namespace shard {

// What evaluation needs of whoever runs statements: cost blocks and functions hold some.
class StatementHost {
 public:
  StatementHost() = default;
  StatementHost(const StatementHost&) = delete;
  StatementHost& operator=(const StatementHost&) = delete;
  virtual ~StatementHost() = default;

  // Plans the statements of a block in a scope of its own, with the sizes and the machine of `context`, and says what they
  // cost; nullptr if the block has errors, which are reported, or if the run is stopped.
  virtual std::shared_ptr<const Figures> suppose(const Supposition& supposition,
                                                 CheckContext& context) = 0;
  // Whether the script's own functions have values here; without that their names are unknown.
  virtual bool calls_functions() const = 0;
  // The value of a call of one of them; nullopt after a report.
  virtual std::optional<Value> call(const ast::Call& call, Span span) = 0;
  // What the question finds, with the tables of `context`; nullopt after a report.
  virtual std::optional<Value> answer(const ast::Question& question, Span span,
                                      CheckContext& context) = 0;
  // What the script has planned so far comes to; nullptr if that is nothing.
  virtual std::shared_ptr<const Figures> totals() const = 0;
  // nullptr: unlimited.
  virtual Budget* budget() const = 0;
};

struct EvaluationContext {
  CheckContext& check;
  StatementHost& host;
};

// Reports UnknownName, UnitMismatch, NotScalar, UnknownFunction, UnknownField, BadArgument, DivisionByZero,
// NumberTooLarge, AmbiguousName, TooDeep, NotYet; nullopt after a report.
std::optional<Value> evaluate(const ast::Expr& expr, EvaluationContext& context);
// The same, where a number is needed.
std::optional<Quantity> evaluate_quantity(const ast::Expr& expr, EvaluationContext& context);

// What checks ask for numbers. Functions of the script have none for them.
const ScalarSource& scalar_source();

}  // namespace shard

// Questions about sizes: at which sizes two formulas are equal, for which one is larger, where one is least.
//
// In this folder:
//   answer.h        what a question finds, as a value
//   open_size.h     what a question asks about, with a size open or at a number
//   absent_size.h   a size that nothing depends on
//   rewrite.h       formulas with other formulas in the place of symbols
//   polynomial.h    the positive roots of polynomials
//   pieces.h        formulas of one size, piece by piece: crossings, signs, least values
//   monomial.h      comparisons of products of powers, solved for a size
//   size_plans.h    how what is priced is planned as one size grows
//   plan_listener.h how blocks are planned of which a question reads figures
//   size_signs.h    where two sides change places as one size grows, whatever is planned
//   asked_comparison.h  the comparison that is asked about
//   when.h          what `when` is asked, and answers
//   condition.h     conditions on sizes, and their text
//   crossing.h      what `solve` finds, in words
//   curves.h        what `plot` draws
//   least.h         what `minimize` finds from a formula
//   least_priced.h  what it finds where sizes are planned in several ways
//   mesh_search.h   what `minimize` finds over the meshes of as many devices
//   placement.h     what `place best` finds over the ways to lay a mesh over its slice
#pragma once

#include <optional>

#include "interpreter/evaluate/evaluator.h"

namespace shard {

// A number or a formula of the size, a list of several, the word `never`, or of `when` a condition. Reports BadArgument,
// NoOpenSize, SeveralOpenSizes, UnknownName, UnknownAxis, and what the evaluation of what is asked about reports; nullopt
// after a report. The tables are as before afterwards.
std::optional<Value> answer(const ast::Question& question, Span span, EvaluationContext& context);

}  // namespace shard

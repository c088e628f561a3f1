// Statements about arrays: flows, assignments, equations, declarations.
//
// In this folder:
//   flow.h, declaration.h                  statements about arrays; arrays that are declared
//   operation.h                            expressions of arrays, a file for each: product.cpp, collective/collective.cpp, …
//   contraction.h                          what one sign sums over
//   brackets.h, brackets_cache.h           dimensions and axes in brackets, each checked once
//   array.h                                arrays where they are read; layouts
//                                          that are only asked about
//   collective/collective_axes.h, collective/collective_help.h
//                                          what a collective does to a layout, along which axes; the collective that was meant
//   former_array.h                         arrays that a name does not mean
//   unused_name.h                          names for what a message proposes
//   origin_notes.h                         where what does not fit was declared
//   local_help.h                           operands of a product that is to do without communication
//   selection/selection.h, selection/places.h, selection/part_name.h, selection/coordinate_index.h
//                                          elements picked or put by their place: indices and parts; places as NumPy writes them;
//                                          `coord(X)` in an index
//   element_type.h, intermediate_type.h    types of results, and of what is made on the way
//   equal_lengths.h                        parts that are as long as what they are combined with
//   input_source.h, run_files.h            where an input takes its values from; which files a run reads and writes
//   level.h                                how deep things may stand inside each other
#pragma once

#include <optional>

#include "interpreter/check/operation.h"

namespace shard {

// `E → T` or `T = E`. The target becomes known even if something is wrong, so that one mistake stays one error.
std::optional<checked::Flow> check_flow(const ast::Expr& value, const ast::ArrayRef& target,
                                        Span span, CheckContext& context);
// The same with a target whose brackets were looked up already, perhaps where its names mean something else.
std::optional<checked::Flow> check_flow(const ast::Expr& value, const ast::ArrayRef& target,
                                        const TargetHint& hint, Span span, CheckContext& context);
// The axes behind `overlap`. False if something is wrong with them.
bool check_overlap(const std::vector<ast::Identifier>& axes, checked::Flow& flow,
                   CheckContext& context);
// The target's brackets, or what its declaration says. `value` is what flows into it. Reports what is wrong in brackets, and
// TargetMismatch where they contradict a declaration.
TargetHint look_up_target(const ast::ArrayRef& target, const ast::Expr& value,
                          CheckContext& context);
// A lone expression of arrays: its result has no name and is not kept. nullopt for a lone array, which is only named.
std::optional<checked::Flow> check_evaluate(const ast::Expr& value, Span span,
                                            CheckContext& context);
// Operations on both sides: both are checked, and they must leave the same dimensions and layout.
void check_equation(const ast::Equation& equation, Span span, CheckContext& context);

}  // namespace shard

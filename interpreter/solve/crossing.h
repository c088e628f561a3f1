// What `solve` finds: sizes at which two sides are equal, and whole ones from which one is larger.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/ir/value.h"
#include "interpreter/solve/open_size.h"
#include "interpreter/solve/pieces.h"

namespace shard {

// A comparison whose size is the only open one.
struct SizeComparison {
  ast::Expr left;
  ast::Expr right;
  ast::BinaryOp op = ast::BinaryOp::Equal;
  AskedSize size;
  Sides sides;  // with the size open
};

// Where both sides are equal, or by `op` the whole sizes at which the comparison begins or ends to hold; a word where there is none.
// Sizes of what is priced are multiples of what the mesh cuts them into: that is said, and the prices there are held against the
// formula, which they are searched without where it misses them. nullopt if no size could be priced.
std::optional<Value> crossings_of(const SizeComparison& comparison, EvaluationContext& context);
// The same by pricing alone: for figures that take numbers.
std::optional<Value> searched_crossings(const SizeComparison& comparison,
                                        EvaluationContext& context);

// For which multiples of what the mesh cuts the size into the comparison holds, by pricing, where the formula does not say it: with
// other sizes other plans are taken. nullopt where it does, and where nothing is priced. REQUIRES: `op` is an inequality.
std::optional<Condition> priced_condition(const SizeComparison& comparison,
                                          EvaluationContext& context);

// "from 77,632 on, a multiple of 32": the whole sizes on the side of a crossing that is meant; empty where it is one of them.
std::string whole_text(const Root& root, bool above, std::int64_t step);

// "c.math = 1.2 ns·B, c.comms = 27 ns·B".
std::string sides_text(const ast::Expr& left, const ast::Expr& right, const Sides& sides);

}  // namespace shard

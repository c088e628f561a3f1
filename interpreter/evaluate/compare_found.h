// Comparisons of what is no single number: words, and what `solve` and `when` found.
#pragma once

#include <optional>

#include "interpreter/evaluate/evaluator.h"

namespace shard {

// Whether the comparison is one of these: `c.bound = compute`, `solve B { … } = [3, 100]`, `= never`, `when { … } = (B > 8)`.
bool is_compared_as_found(const Value& left, const ast::Binary& binary, const Scope& scope);
// Reports NotScalar, and what the evaluation of the right side reports. REQUIRES: is_compared_as_found.
std::optional<Value> compare_found(const Value& left, const ast::Binary& binary,
                                   EvaluationContext& context);

}  // namespace shard

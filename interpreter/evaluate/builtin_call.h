// Functions of scalars, and `bytes( )` and its kin.
#pragma once

#include <optional>
#include <string>

#include "interpreter/evaluate/evaluator.h"

namespace shard {

std::optional<Value> evaluate_call(const ast::Call& call, Span span, EvaluationContext& context);

// Whether a function or a collective of that name belongs to the language; no function of a script has its name.
bool is_function_of_language(const std::string& name);

}  // namespace shard

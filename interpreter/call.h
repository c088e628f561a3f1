// Functions of scalars, `bytes( )` and its kin, and the constants of the chip.
#pragma once

#include <optional>
#include <string>

#include "interpreter/evaluator.h"

namespace shard {

std::optional<Value> evaluate_call(const ast::Call& call, Span span, EvaluationContext& context);

// Whether a function or a collective of that name belongs to the language; no function of a script has its name.
bool is_function_of_language(const std::string& name);

// A figure of runtime/chip_figure.h; a symbol while no chip is declared, nullopt for other names and for figures that the
// chip does not have.
std::optional<Quantity> chip_constant(const std::string& name, const Chip& chip);

}  // namespace shard

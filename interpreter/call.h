// Functions of scalars, `bytes( )` and its kin, and the constants of the chip.
#pragma once

#include <optional>
#include <string>

#include "interpreter/evaluator.h"

namespace shard {

std::optional<Value> evaluate_call(const ast::Call& call, Span span, EvaluationContext& context);

// Whether a function of that name belongs to the language, of scalars or of arrays.
bool is_function_of_language(const std::string& name);

// `C`, `C_int8`, `W_ici`, `W1`, `W_hbm`, `HBM`, `W_dcn`, `W_pcie`, `T_min`; a symbol while no chip is declared, nullopt
// for other names and for figures the chip does not have.
std::optional<Quantity> chip_constant(const std::string& name, const Chip& chip);

}  // namespace shard

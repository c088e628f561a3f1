// Formulas with other formulas in the place of symbols, and without what only a few bytes would feel.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "runtime/algebra/formula.h"

namespace shard {

// The amount as a polynomial in the symbol: coefficients by its power.
std::map<int, Amount> by_power(const Amount& amount, const std::string& symbol);

// With the value in the place of the symbol.
Formula with_value(const Formula& formula, const std::string& symbol, const Formula& value);

bool has_symbol(const Formula& formula, const std::string& symbol);

// Maxima without what is a latency: arguments in T_min or in hops that are rounded up, and those without any of the open sizes next to others with some.
// What is left holds where bytes and FLOPs decide, and no hop does.
Formula without_latencies(const Formula& formula);

// The formula with each node, arguments first, replaced by what `change` makes of it.
Formula rewritten(const Formula& formula, const std::function<Formula(const Formula&)>& change);

// The value at a number, in double; what has none is NaN. Other symbols may not occur.
double value_at(const Formula& formula, const std::string& symbol, double at);

}  // namespace shard

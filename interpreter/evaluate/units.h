// Units of the two sides of a sum or a comparison.
#pragma once

#include "grammar/tree/ast.h"
#include "interpreter/check/brackets.h"
#include "interpreter/ir/value.h"

namespace shard {

// Whether they agree; a plain 0 has every unit. Reports UnitMismatch with what was probably meant: a rate in the place of bytes, or
// a number without its unit.
bool check_units(const Quantity& left, const Quantity& right, const ast::Binary& binary,
                 CheckContext& context);

}  // namespace shard

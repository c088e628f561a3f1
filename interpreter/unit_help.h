// Numbers whose unit was left out.
#pragma once

#include <vector>

#include "base/unit.h"
#include "grammar/ast.h"
#include "grammar/diagnostic.h"

namespace shard {

// What makes a plain number one of that unit: a unit behind it, or a factor. None if the unit is not written in one word.
std::vector<Edit> unit_edits(const ast::Expr& number, const Unit& unit);

}  // namespace shard

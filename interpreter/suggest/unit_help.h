// Numbers whose unit was left out, and figures of another unit than what they are compared with.
#pragma once

#include <vector>

#include "base/unit.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"

namespace shard {

// What makes a plain number one of that unit: a unit behind it, or a factor. None if the unit is not written in one word.
std::vector<Edit> unit_edits(const ast::Expr& number, const Unit& unit);
// The number by which a quotient is divided, where it is to be one in a second: `90 GB` for `90 GB/s`. Null if that does not
// make the unit that is wanted of the one that it has.
const ast::Number* meant_as_rate(const ast::Expr& quotient, const Unit& has, const Unit& wanted);
// What makes one of two sides of different units that figure of its block which has the other's unit: `c.comms` for
// `c.comm_bytes`. None if neither is such a figure.
std::vector<Edit> figure_edits(const ast::Binary& binary, const Unit& left, const Unit& right);
// What gives the number on one side of a comparison the unit of the other side, in a size with which it holds: `2 us` for
// `2 MB`. `left` and `right` are the values, where they are known.
std::vector<Edit> compared_edits(const ast::Binary& binary, const WrittenUnit& left,
                                 const WrittenUnit& right);

}  // namespace shard

// Numbers whose unit was left out, and figures of another unit than what they are compared with.
#pragma once

#include <string>
#include <vector>

#include "base/unit.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"
#include "interpreter/ir/value.h"

namespace shard {

// What makes a plain number one of that unit: a unit after it, or a factor. None if the unit is not written in one word.
std::vector<Edit> unit_edits(const ast::Expr& number, const Unit& unit);
// The number by which a quotient is divided, where it is to be one in a second: `90 GB` for `90 GB/s`. Null if that does not
// make the unit that is wanted of the one that it has.
const ast::Number* meant_as_rate(const ast::Expr& quotient, const Unit& has, const Unit& wanted);
// What brings two sides of different units to one: that figure of its block which has the other's unit, `c.comms` for
// `c.comm_bytes`, or else a number with the other's unit, in a size with which the comparison holds: `2 us` for `2 MB`. Each
// side is given with its value, where that is known. None if neither is such a figure or number.
std::vector<Edit> side_edits(const ast::Binary& binary, const WrittenUnit& left,
                             const WrittenUnit& right);

// The quantity in the binary unit in which the number is written: "2 MiB" next to `1 MiB`. Empty where that is written in none.
std::string in_binary_unit(const Quantity& quantity, const ast::Expr& number);
// "twice as much", "3 times as much", "half as much"; empty where neither is a multiple of the other.
std::string multiple_text(const Quantity& left, const Quantity& right);

}  // namespace shard

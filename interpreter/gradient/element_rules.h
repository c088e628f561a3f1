// The gradient of what is computed element by element, by the table base/derivatives.def.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/gradient/piece.h"
#include "runtime/element/element_program.h"

namespace shard::gradient {

struct ElementGradient {
  std::vector<std::vector<Piece>>
      terms;  // by operand: what adds up to its gradient, perhaps nothing
  ElementOp without = ElementOp::
      Operand;  // an operation without a derivative that is on the way to one; Operand if there is none
};

// `operands`: their values; `wanted`: which of them have a gradient; `result`: the value of the whole, if it is kept; `g`: its gradient.
ElementGradient element_gradient(const ElementProgram& program, const std::vector<Piece>& operands,
                                 const std::vector<bool>& wanted,
                                 const std::optional<Piece>& result, const Piece& g);

// The value itself.
Piece element_value(const ElementProgram& program, const std::vector<Piece>& operands);

// A number as it stands next to arrays, with all its digits.
std::string number_text(const Formula& number);

}  // namespace shard::gradient

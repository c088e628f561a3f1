// The gradient of what is computed element by element, by the table base/derivatives.def.
#pragma once

#include <functional>
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

// What rules may read, asked for where one does.
struct ElementValues {
  std::function<Piece(std::size_t)> operand;
  std::function<std::optional<Piece>()> result;  // of the whole, if it is kept
};

// `wanted`: which operands have a gradient, by operand; `g`: that of the whole.
ElementGradient element_gradient(const ElementProgram& program, const ElementValues& values,
                                 const std::vector<bool>& wanted, const Piece& g);

// How often the terms of the wanted operands read `g`.
int times_read(const ElementProgram& program, const std::vector<bool>& wanted);

// Whether its gradients depend on no operand: sums, casts, and products with numbers.
bool is_linear(const ElementProgram& program);

// Whether the operand is a term of the whole, times numbers: W of `0.9 ⊙ W - 0.1 ⊙ m / sqrt(v)`.
bool is_term(const ElementProgram& program, std::size_t operand);

// The value itself.
Piece element_value(const ElementProgram& program, const std::vector<Piece>& operands);

// A number as it stands next to arrays, with all its digits.
std::string number_text(const Formula& number);

}  // namespace shard::gradient

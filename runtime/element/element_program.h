// Elementwise computations: what one step does to each element, as a small program for a stack machine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "runtime/algebra/formula.h"

namespace shard {

// Comparisons give 1 or 0. `Modulo` takes the divisor's sign, as in Python. gelu(x) = x·Φ(x) with the normal
// distribution Φ, silu(x) = x·sigmoid(x). `Where` gives its second argument where the first is not 0, else the third. A cast,
// such as `ToBf16`, rounds to its type; integers saturate.
enum class ElementOp {
#define SHARD_ELEMENT_OP(op, arity, gives) op,
#include "runtime/element/element_ops.def"
};

// What an operation makes of the type of its arguments.
enum class ElementResult { Alike, Fractions, Truth, Named };

struct ElementInstruction {
  ElementOp op;
  std::size_t operand = 0;  // Operand: its number
  Formula constant = {};    // Constant: a number, or a formula while sizes are missing
  int label = -1;           // Position: the label of the dimension
  std::string name = {};    // Position: the dimension's name
};

// Postfix: arguments precede their operation, and the last instruction leaves the result.
using ElementProgram = std::vector<ElementInstruction>;

// The number of values an operation pops.
int arity_of(ElementOp op);
ElementResult element_result(ElementOp op);
// The type that a cast rounds to; nullopt of other operations.
std::optional<DType> cast_type(ElementOp op);
// "relu", "exp", …; "" for operations written with a sign.
std::string_view name_of(ElementOp op);
// The function of that name, such as "relu" or "where"; Operand if there is none.
ElementOp element_function(std::string_view name);

// Operations on elements: for each instruction one per element of the dimensions that its own arguments have; a cast is none
// (cost model, "Local work"). `operand_labels`: the dimensions of each operand; `lengths`: local, by label.
Amount element_operations(const ElementProgram& program,
                          const std::vector<std::vector<int>>& operand_labels,
                          const std::vector<std::pair<int, Amount>>& lengths);

// The program in the notation, with operands as given: "x[B] / sqrt(m[B] + 1e-05)".
std::string to_string(const ElementProgram& program, const std::vector<std::string>& operands);

// Whether the program commutes with sums over the operands marked as partial sums: each of its terms has exactly one of
// them as a factor (language, "What is checked", rule 7). Trivially true if none is marked.
bool is_linear_in(const ElementProgram& program, const std::vector<bool>& partial);

}  // namespace shard

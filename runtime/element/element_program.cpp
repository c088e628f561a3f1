#include "runtime/element/element_program.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>

#include "base/check.h"

namespace shard {
namespace {

// Precedence of the notation's operators, loosest first.
struct Rank {
  enum : int { Comparison, Sum, Product, Signed, Power, Primary };
};

struct Sign {
  ElementOp op;
  std::string_view text;
  int rank;
};

constexpr std::array<Sign, 13> kSigns{{
    {ElementOp::Add, " + ", Rank::Sum},
    {ElementOp::Subtract, " - ", Rank::Sum},
    {ElementOp::Multiply, " ⊙ ", Rank::Product},
    {ElementOp::Divide, " / ", Rank::Product},
    {ElementOp::Modulo, " mod ", Rank::Product},
    {ElementOp::Power, "^", Rank::Power},
    {ElementOp::Less, " < ", Rank::Comparison},
    {ElementOp::LessEqual, " ≤ ", Rank::Comparison},
    {ElementOp::Greater, " > ", Rank::Comparison},
    {ElementOp::GreaterEqual, " ≥ ", Rank::Comparison},
    {ElementOp::Equal, " == ", Rank::Comparison},
    {ElementOp::NotEqual, " ≠ ", Rank::Comparison},
    {ElementOp::Negate, "-", Rank::Signed},
}};

struct ElementOpInfo {
  int arity;
  ElementResult gives;
};

constexpr ElementOpInfo kElementOps[] = {
#define SHARD_ELEMENT_OP(op, arity, gives) {arity, ElementResult::gives},
#include "runtime/element/element_ops.def"
};

struct Name {
  ElementOp op;
  std::string_view text;
};

constexpr Name kFunctions[] = {
#define SHARD_FUNCTION(name, use, along, example, meaning)
#define SHARD_ELEMENT_FUNCTION(name, op, use, along, example, meaning) {ElementOp::op, #name},
#include "base/functions.def"
#define SHARD_DTYPE(dtype, name, ...) {ElementOp::To##dtype, name},
#define SHARD_DTYPE_ALIAS(word, dtype, place)
#include "base/dtypes.def"
};

struct Cast {
  ElementOp op;
  DType dtype;
};

constexpr Cast kCasts[] = {
#define SHARD_DTYPE(dtype, ...) {ElementOp::To##dtype, DType::dtype},
#define SHARD_DTYPE_ALIAS(word, dtype, place)
#include "base/dtypes.def"
};

const Sign* sign_of(ElementOp op) {
  const auto at =
      std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& sign) { return sign.op == op; });
  return at == kSigns.end() ? nullptr : &*at;
}

// A part of a program as text, with its precedence.
struct ProgramText {
  std::string text;
  int rank;
};

std::string within(const ProgramText& piece, int rank) {
  return piece.rank < rank ? "(" + piece.text + ")" : piece.text;
}

// A number, a fraction or a formula of sizes has the precedence of its loosest operator.
ProgramText constant_piece(const std::string& text) {
  if (text.find(' ') != std::string::npos) return {"(" + text + ")", Rank::Primary};
  if (text.find('/') != std::string::npos || text.find("·") != std::string::npos)
    return {text, Rank::Product};
  if (text.front() == '-') return {text, Rank::Signed};
  return {text, text.find('^') != std::string::npos ? Rank::Power : Rank::Primary};
}

ProgramText signed_piece(const Sign& sign, const std::vector<ProgramText>& arguments, bool scales) {
  if (arguments.size() == 1) return {"-" + within(arguments[0], Rank::Signed), Rank::Signed};
  const bool compares = sign.rank == Rank::Comparison;
  const bool power = sign.rank == Rank::Power;
  const int left = power ? Rank::Primary : compares ? Rank::Sum : sign.rank;
  const int right = power ? Rank::Signed : sign.rank + 1;
  return {within(arguments[0], left) + std::string(scales ? "*" : sign.text) +
              within(arguments[1], right),
          sign.rank};
}

// Pops the arguments of an instruction, in order.
template <class T>
std::vector<T> take(std::vector<T>& stack, ElementOp op) {
  const auto first = stack.end() - arity_of(op);
  std::vector<T> arguments(first, stack.end());
  stack.erase(first, stack.end());
  return arguments;
}

// How a value depends on partial sums: not at all, linearly, or in some other way.
enum class Degree { None, Linear, Other };

Degree degree_of(ElementOp op, const std::vector<Degree>& arguments) {
  const auto is = [&](std::size_t i, Degree degree) { return arguments[i] == degree; };
  const bool none = std::all_of(arguments.begin(), arguments.end(),
                                [](Degree degree) { return degree == Degree::None; });
  if (none) return Degree::None;
  switch (op) {
    case ElementOp::Add:
    case ElementOp::Subtract:
      return arguments[0] == arguments[1] ? arguments[0] : Degree::Other;
    case ElementOp::Multiply:
      return is(0, Degree::None)   ? arguments[1]
             : is(1, Degree::None) ? arguments[0]
                                   : Degree::Other;
    case ElementOp::Divide:
      return is(1, Degree::None) ? arguments[0] : Degree::Other;
    // Parts are kept in fp32 or fp64; in another type each would be rounded by itself, and not their sum.
    case ElementOp::Negate:
    case ElementOp::ToFp32:
    case ElementOp::ToFp64:
      return arguments[0];
    default:
      return Degree::Other;
  }
}

}  // namespace

int arity_of(ElementOp op) { return kElementOps[static_cast<std::size_t>(op)].arity; }

ElementResult element_result(ElementOp op) {
  return kElementOps[static_cast<std::size_t>(op)].gives;
}

std::optional<DType> cast_type(ElementOp op) {
  const auto at = std::find_if(std::begin(kCasts), std::end(kCasts),
                               [&](const Cast& cast) { return cast.op == op; });
  return at == std::end(kCasts) ? std::nullopt : std::optional(at->dtype);
}

std::string_view name_of(ElementOp op) {
  const auto at = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                               [&](const Name& name) { return name.op == op; });
  return at == std::end(kFunctions) ? "" : at->text;
}

ElementOp element_function(std::string_view name) {
  const auto at = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                               [&](const Name& known) { return known.text == name; });
  return at == std::end(kFunctions) ? ElementOp::Operand : at->op;
}

Amount element_operations(const ElementProgram& program,
                          const std::vector<std::vector<int>>& operand_labels,
                          const std::vector<std::pair<int, Amount>>& lengths) {
  Amount total;
  std::vector<std::set<int>> stack;
  for (const ElementInstruction& instruction : program) {
    std::set<int> labels;
    if (instruction.op == ElementOp::Operand) {
      const auto& own = operand_labels[instruction.operand];
      labels.insert(own.begin(), own.end());
    } else if (instruction.op == ElementOp::Position) {
      labels.insert(instruction.label);
    } else if (instruction.op != ElementOp::Constant) {
      for (const auto& argument : take(stack, instruction.op))
        labels.insert(argument.begin(), argument.end());
      Amount elements = cast_type(instruction.op) ? 0 : 1;
      for (const auto& [label, length] : lengths) {
        if (labels.count(label) != 0) elements = elements * length;
      }
      total = total + elements;
    }
    stack.push_back(std::move(labels));
  }
  return total;
}

std::string to_string(const ElementProgram& program, const std::vector<std::string>& operands) {
  std::vector<ProgramText> stack;
  std::vector<bool> numbers;  // by place on the stack: whether it is a constant
  for (const ElementInstruction& instruction : program) {
    if (instruction.op == ElementOp::Operand || instruction.op == ElementOp::Constant) {
      const bool constant = instruction.op == ElementOp::Constant;
      const std::string text =
          constant ? instruction.constant.to_string() : operands[instruction.operand];
      stack.push_back(constant ? constant_piece(text) : ProgramText{text, Rank::Primary});
      numbers.push_back(constant);
      continue;
    }
    if (instruction.op == ElementOp::Position) {
      stack.push_back({"iota_" + instruction.name, Rank::Primary});
      numbers.push_back(false);
      continue;
    }
    const std::vector<ProgramText> arguments = take(stack, instruction.op);
    const auto first = numbers.end() - arity_of(instruction.op);
    const bool scales = instruction.op == ElementOp::Multiply &&
                        std::find(first, numbers.end(), true) != numbers.end();
    numbers.erase(first, numbers.end());
    numbers.push_back(false);
    if (const Sign* sign = sign_of(instruction.op)) {
      stack.push_back(signed_piece(*sign, arguments, scales));
      continue;
    }
    std::string inside;
    for (const ProgramText& argument : arguments)
      inside += (inside.empty() ? "" : ", ") + argument.text;
    stack.push_back({std::string(name_of(instruction.op)) + "(" + inside + ")", Rank::Primary});
  }
  SHARD_CHECK(stack.size() == 1);
  return stack.front().text;
}

bool is_linear_in(const ElementProgram& program, const std::vector<bool>& partial) {
  std::vector<Degree> stack;
  for (const ElementInstruction& instruction : program) {
    if (instruction.op == ElementOp::Operand) {
      stack.push_back(partial[instruction.operand] ? Degree::Linear : Degree::None);
    } else if (arity_of(instruction.op) == 0) {
      stack.push_back(Degree::None);
    } else {
      const std::vector<Degree> arguments = take(stack, instruction.op);
      stack.push_back(degree_of(instruction.op, arguments));
    }
  }
  const bool any = std::find(partial.begin(), partial.end(), true) != partial.end();
  return stack.back() == (any ? Degree::Linear : Degree::None);
}

}  // namespace shard

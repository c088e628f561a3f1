#include "interpreter/gradient/element_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/contains.h"
#include "base/rational.h"

namespace shard::gradient {

namespace {

struct Rules {
  ElementOp op;
  std::array<std::string_view, 3> by_argument;
};

constexpr Rules kRules[] = {
#define SHARD_DERIVATIVE(op, x, y, z) {ElementOp::op, {x, y, z}},
#include "base/derivatives.def"
};

constexpr std::string_view kNone = "none";

std::string_view rule_of(ElementOp op, std::size_t argument) {
  if (cast_type(op)) return "g";
  for (const Rules& rules : kRules) {
    if (rules.op == op) return rules.by_argument[argument];
  }
  return kNone;
}

// An operation of a program with its arguments.
struct Tree {
  ElementOp op = ElementOp::Operand;
  std::size_t operand = 0;
  std::size_t begin = 0;  // in the program
  std::size_t end = 0;
  bool wanted = false;  // something in it has a gradient
  std::vector<Tree> arguments;
};

Tree tree_of(const ElementProgram& program, const std::vector<bool>& wanted) {
  std::vector<Tree> stack;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const ElementInstruction& instruction = program[i];
    Tree tree{.op = instruction.op, .operand = instruction.operand, .begin = i, .end = i + 1};
    const auto first = stack.end() - arity_of(instruction.op);
    tree.arguments.assign(first, stack.end());
    stack.erase(first, stack.end());
    if (!tree.arguments.empty()) tree.begin = tree.arguments.front().begin;
    tree.wanted = instruction.op == ElementOp::Operand && wanted[instruction.operand];
    for (const Tree& argument : tree.arguments) tree.wanted = tree.wanted || argument.wanted;
    stack.push_back(std::move(tree));
  }
  return stack.back();
}

// As a word: letters of words such as `sigmoid` are none.
int gradients_in(std::string_view rule) {
  const auto is_word = [&](std::size_t i) {
    return i < rule.size() && std::isalnum(static_cast<unsigned char>(rule[i])) != 0;
  };
  int count = 0;
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (rule[i] == 'g' && !is_word(i + 1) && (i == 0 || !is_word(i - 1))) ++count;
  }
  return count;
}

int times_read(const Tree& tree) {
  if (!tree.wanted) return 0;
  if (tree.op == ElementOp::Operand) return 1;
  int times = 0;
  for (std::size_t i = 0; i < tree.arguments.size(); ++i) {
    const std::string_view rule = rule_of(tree.op, i);
    if (rule != kNone) times += gradients_in(rule) * times_read(tree.arguments[i]);
  }
  return times;
}

class Descent {
 public:
  Descent(const ElementProgram& program, const ElementValues& values, std::size_t operands)
      : program_(program), values_(values), operands_(operands) {
    gradient_.terms.resize(operands);
  }

  void descend(const Tree& tree, const Piece& g, bool outermost) {
    if (!tree.wanted) return;
    if (tree.op == ElementOp::Operand) {
      gradient_.terms[tree.operand].push_back(g);
      return;
    }
    for (std::size_t i = 0; i < tree.arguments.size(); ++i) {
      const std::string_view rule = rule_of(tree.op, i);
      if (!tree.arguments[i].wanted || rule.empty()) continue;
      if (rule == kNone) {
        gradient_.without = tree.op;
        continue;
      }
      descend(tree.arguments[i], applied(rule, tree, g, outermost), false);
    }
  }

  ElementGradient gradient() && { return std::move(gradient_); }

 private:
  // The rule with what its letters stand for.
  Piece applied(std::string_view rule, const Tree& tree, const Piece& g, bool outermost) const {
    if (tree.op == ElementOp::Power && rule.front() == 'g' && rule.find('^') != rule.npos) {
      if (auto known = power(tree, g)) return *std::move(known);
    }
    Piece result;
    if (rule == "g") return g;
    for (std::size_t i = 0; i < rule.size();) {
      std::size_t end = i;
      while (end < rule.size() && (std::isalnum(static_cast<unsigned char>(rule[end])) != 0)) ++end;
      const std::string_view word = rule.substr(i, end - i);
      if (word.size() == 1 && std::string_view("gfxyz").find(word) != std::string_view::npos) {
        const Piece piece = letter(word.front(), tree, g, outermost);
        result.text += operand_text(piece.text);
        result.join(piece);
        i = end;
      } else if (!word.empty()) {
        result.text += word;
        i = end;
      } else {
        result.text += rule[i++];
      }
    }
    return result;
  }

  // A power whose exponent is a number.
  std::optional<Piece> power(const Tree& tree, const Piece& g) const {
    const Tree& exponent = tree.arguments[1];
    if (exponent.op != ElementOp::Constant) return std::nullopt;
    const Formula& number = program_[exponent.begin].constant;
    const Formula less = number - Formula(std::int64_t{1});
    const Piece x = value(tree.arguments[0]);
    Piece result{
        .text = fmt::format("{} ⊙ {}", operand_text(g.text), operand_text(number_text(number)))};
    result.join(g);
    if (less.is_zero()) return result;
    result.join(x);
    const bool linear = less == Formula(std::int64_t{1});
    result.text +=
        " ⊙ " + operand_text(x.text) + (linear ? "" : "^" + operand_text(number_text(less)));
    return result;
  }

  Piece letter(char name, const Tree& tree, const Piece& g, bool outermost) const {
    switch (name) {
      case 'g':
        return g;
      case 'f':
        if (auto result = outermost ? values_.result() : std::nullopt) return *std::move(result);
        return value(tree);
      default:
        return value(tree.arguments[static_cast<std::size_t>(name - 'x')]);
    }
  }

  Piece value(const Tree& tree) const {
    const auto begin = program_.begin() + static_cast<std::ptrdiff_t>(tree.begin);
    const ElementProgram part(begin, program_.begin() + static_cast<std::ptrdiff_t>(tree.end));
    std::vector<Piece> operands(operands_);
    for (const ElementInstruction& instruction : part) {
      if (instruction.op == ElementOp::Operand && operands[instruction.operand].text.empty())
        operands[instruction.operand] = values_.operand(instruction.operand);
    }
    return element_value(part, operands);
  }

  const ElementProgram& program_;
  const ElementValues& values_;
  std::size_t operands_;
  ElementGradient gradient_;
};

}  // namespace

std::string number_text(const Formula& number) {
  const auto constant = number.constant();
  if (!constant) return number.to_string();
  if (constant->to_int64()) return fmt::format("{}", *constant->to_int64());
  return fmt::format("{}", constant->to_double());
}

int times_read(const ElementProgram& program, const std::vector<bool>& wanted) {
  return times_read(tree_of(program, wanted));
}

bool is_linear(const ElementProgram& program) {
  for (std::size_t i = 0; i < program.size(); ++i) {
    const ElementOp op = program[i].op;
    const bool scales = (op == ElementOp::Multiply || op == ElementOp::Divide) &&
                        program[i - 1].op == ElementOp::Constant;
    const bool adds = op == ElementOp::Add || op == ElementOp::Subtract || op == ElementOp::Negate;
    if (op != ElementOp::Operand && op != ElementOp::Constant && !cast_type(op) && !scales && !adds)
      return false;
  }
  return true;
}

bool is_term(const ElementProgram& program, std::size_t operand) {
  enum class Part { Number, Other, Term };
  std::vector<Part> stack;
  for (const ElementInstruction& instruction : program) {
    const auto arity = static_cast<std::size_t>(arity_of(instruction.op));
    if (instruction.op == ElementOp::Operand) {
      stack.push_back(instruction.operand == operand ? Part::Term : Part::Other);
      continue;
    }
    if (arity == 0) {
      stack.push_back(instruction.op == ElementOp::Constant ? Part::Number : Part::Other);
      continue;
    }
    const std::vector<Part> parts(stack.end() - static_cast<std::ptrdiff_t>(arity), stack.end());
    stack.resize(stack.size() - arity);
    const bool numbers =
        std::all_of(parts.begin(), parts.end(), [](Part part) { return part == Part::Number; });
    const auto has = [&](Part part) { return contains(parts, part); };
    const bool adds = instruction.op == ElementOp::Add || instruction.op == ElementOp::Subtract ||
                      instruction.op == ElementOp::Negate || cast_type(instruction.op);
    const bool scales = (instruction.op == ElementOp::Multiply && has(Part::Number)) ||
                        (instruction.op == ElementOp::Divide && parts.back() == Part::Number);
    if (has(Part::Term) && !adds && !scales) return false;
    stack.push_back(has(Part::Term) ? Part::Term : numbers ? Part::Number : Part::Other);
  }
  return stack.back() == Part::Term;
}

Piece element_value(const ElementProgram& program, const std::vector<Piece>& operands) {
  Piece result;
  // Numbers are operands here, for all of their digits.
  ElementProgram spelt = program;
  std::vector<std::string> texts;
  for (const Piece& operand : operands) texts.push_back(operand_text(operand.text));
  for (ElementInstruction& instruction : spelt) {
    if (instruction.op == ElementOp::Operand) {
      result.join(operands[instruction.operand]);
    } else if (instruction.op == ElementOp::Position) {
      result.labels.insert(DimensionId{instruction.label});
    } else if (instruction.op == ElementOp::Constant) {
      texts.push_back(operand_text(number_text(instruction.constant)));
      instruction = {.op = ElementOp::Operand, .operand = texts.size() - 1};
    }
  }
  result.text = to_string(spelt, texts);
  return result;
}

ElementGradient element_gradient(const ElementProgram& program, const ElementValues& values,
                                 const std::vector<bool>& wanted, const Piece& g) {
  Descent descent(program, values, wanted.size());
  descent.descend(tree_of(program, wanted), g, true);
  return std::move(descent).gradient();
}

}  // namespace shard::gradient

// Expressions in canonical spelling, with as few parentheses as the ranks of the operators allow.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/print_context.h"

namespace shard {
namespace {

// Ranks of the grammar's productions, loosest first.
enum Rank { Or, And, Not, Comparison, Sum, Product, Signed, Power, Postfix, Primary };

int rank_of(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::Or:
      return Rank::Or;
    case ast::BinaryOp::And:
      return Rank::And;
    case ast::BinaryOp::Less:
    case ast::BinaryOp::LessEqual:
    case ast::BinaryOp::Greater:
    case ast::BinaryOp::GreaterEqual:
    case ast::BinaryOp::Equal:
    case ast::BinaryOp::NotEqual:
    case ast::BinaryOp::Approx:
      return Rank::Comparison;
    case ast::BinaryOp::Add:
    case ast::BinaryOp::Subtract:
      return Rank::Sum;
    case ast::BinaryOp::Hadamard:
    case ast::BinaryOp::Divide:
    case ast::BinaryOp::FloorDivide:
    case ast::BinaryOp::Modulo:
      return Rank::Product;
    case ast::BinaryOp::Power:
      return Rank::Power;
  }
  return Rank::Or;
}

int rank_of(const ast::Expr& expr) {
  return match(
      expr.node,
      [](const ast::Number& number) {
        return number.value < Rational(0) ? Rank::Signed : Rank::Primary;
      },
      [](const ast::ArrayRef&) { return Rank::Primary; },
      [](const ast::Product&) { return Rank::Product; },
      [](const ast::Binary& operation) { return static_cast<Rank>(rank_of(operation.op)); },
      [](const ast::Unary& unary) {
        return unary.op == ast::UnaryOp::Not ? Rank::Not : Rank::Signed;
      },
      [](const ast::Collective&) { return Rank::Postfix; },
      [](const ast::Call&) { return Rank::Primary; },
      [](const ast::Shaped&) { return Rank::Primary; },
      [](const ast::Text&) { return Rank::Primary; },
      [](const ast::Member&) { return Rank::Primary; },
      [](const ast::SizeOf&) { return Rank::Primary; },
      [](const ast::BlockExpr&) { return Rank::Primary; });
}

std::string_view word_of(ast::CollectiveKind kind) {
  switch (kind) {
    case ast::CollectiveKind::AllGather:
      return "AllGather";
    case ast::CollectiveKind::ReduceScatter:
      return "ReduceScatter";
    case ast::CollectiveKind::AllReduce:
      return "AllReduce";
    case ast::CollectiveKind::AllToAll:
      return "AllToAll";
    case ast::CollectiveKind::CollectivePermute:
      return "CollectivePermute";
    case ast::CollectiveKind::Broadcast:
      return "Broadcast";
    case ast::CollectiveKind::Shift:
      return "Shift";
  }
  return "";
}

std::string_view word_of(ast::BlockKind kind) {
  switch (kind) {
    case ast::BlockKind::Cost:
      return "cost";
    case ast::BlockKind::Time:
      return "time";
    case ast::BlockKind::Flops:
      return "flops";
    case ast::BlockKind::Comms:
      return "comms";
  }
  return "";
}

// The parser cuts such a row into letters again, with or without a mesh.
bool is_letter_row(const std::vector<ast::Identifier>& axes) {
  const auto every = [&](std::string_view letters) {
    return std::all_of(axes.begin(), axes.end(), [&](const ast::Identifier& axis) {
      return axis.text.size() == 1 && letters.find(axis.text[0]) != std::string_view::npos;
    });
  };
  return every("ABCDEFGHIJKLMNOPQRSTUVWXYZ") || every("XYZxyz");
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A letter with primes and digits behind it stands in a formula as it is.
bool is_plain_in_math(const std::string& text) {
  if (text.empty() || !is_ascii_letter(text[0])) return text.empty();
  return text.find_first_not_of('\'', 1) == std::string::npos;
}

}  // namespace

std::string Printer::word(const std::string& text) const {
  if (!signs_.math || is_plain_in_math(text)) return text;
  const std::size_t primes = text.find_last_not_of('\'') + 1;
  std::string inside;
  for (const char c : text.substr(0, primes))
    inside += c == '_' ? std::string("\\_") : std::string(1, c);
  return "\\text{" + inside + "}" + text.substr(primes);
}

// `W_in`, `W_{i+1}`, `dL/dOut`.
std::string Printer::name(const std::string& text) const {
  if (!signs_.math) return text;
  if (text.substr(0, 4) == "dL/d") return "\\partial L / \\partial " + name(text.substr(4));
  const std::size_t underscore = text.find('_');
  const bool subscript = underscore != std::string::npos && underscore > 0 &&
                         text.find('_', underscore + 1) == std::string::npos &&
                         text.find('\'') == std::string::npos;
  if (!subscript) return word(text);
  const std::string below = text.substr(underscore + 1);
  const bool plain = is_plain_in_math(below) || below[0] == '{';
  return word(text.substr(0, underscore)) + "_" + (plain ? below : "\\text{" + below + "}");
}

std::string Printer::words(const std::vector<ast::Identifier>& identifiers,
                           std::string_view separator) const {
  std::string text;
  for (const ast::Identifier& identifier : identifiers) {
    if (!text.empty()) text += separator;
    text += word(identifier.text);
  }
  return text;
}

std::string Printer::axis_row(const std::vector<ast::Identifier>& axes) const {
  return words(axes, is_letter_row(axes) ? "" : ",");
}

std::string Printer::subscript(const std::vector<ast::Identifier>& axes) const {
  // An underscore of the axis's own could be taken for the one before the axes.
  const bool plain = axes.size() == 1 && axes[0].text.find('_') == std::string::npos &&
                     (!signs_.math || axes[0].text.size() == 1);
  return plain ? axes[0].text : fmt::format("{{{}}}", axis_row(axes));
}

std::string Printer::mark(const std::vector<ast::Identifier>& axes, ast::Parts parts) const {
  if (axes.empty()) return "";
  const std::string of = parts == ast::Parts::Sums     ? "U"
                         : parts == ast::Parts::Maxima ? "max"
                                                       : "min";
  return fmt::format("{}{}_{}{}", signs_.open_mark, parts == ast::Parts::Sums ? of : word(of),
                     subscript(axes), signs_.close_mark);
}

std::string Printer::places(const std::vector<ast::Placement>& placed) const {
  std::vector<std::string> texts;
  for (const ast::Placement& place : placed)
    texts.push_back(fmt::format("{}={}", word(place.axis.text), expression(*place.coordinate)));
  return fmt::format("{}{}{}", signs_.open_mark, fmt::join(texts, ", "), signs_.close_mark);
}

std::string Printer::dimension(const ast::Dimension& dimension) const {
  const std::string name = match(
      dimension.name, [&](const ast::Identifier& identifier) { return word(identifier.text); },
      [](const ast::Number& number) { return number.text; },
      [&](const Box<ast::Expr>& length) { return expression(*length); },
      [&](const ast::Slice& part) { return slice(part); },
      [&](const ast::Rest&) { return std::string(signs_.rest); });
  return dimension.axes.empty() ? name : fmt::format("{}_{}", name, subscript(dimension.axes));
}

std::string Printer::dimensions(const std::vector<ast::Dimension>& dimensions, bool type) const {
  std::string text;
  for (const ast::Dimension& one : dimensions) {
    const bool length = std::holds_alternative<ast::Number>(one.name) && !one.axes.empty();
    text += (text.empty() ? "" : ", ") + (type && length ? split_length(one) : dimension(one));
  }
  return "[" + text + "]";
}

// A type that belongs to no name is written as JAX writes it: `bf16[2048@X, 8192]`.
std::string Printer::split_length(const ast::Dimension& dimension) const {
  const std::string axes = words(dimension.axes, ",");
  const std::string& length = std::get<ast::Number>(dimension.name).text;
  return length + "@" + (dimension.axes.size() == 1 ? axes : "(" + axes + ")");
}

std::string Printer::slice(const ast::Slice& slice) const {
  const auto bound = [&](const std::optional<Box<ast::Expr>>& end) {
    return end ? expression(**end) : std::string();
  };
  return bound(slice.begin) + ":" + bound(slice.end);
}

std::string Printer::shaped(const ast::Shaped& shaped, int indent) const {
  return operand(*shaped.value, Rank::Primary, indent) + dimensions(shaped.dimensions) +
         mark(shaped.unreduced, shaped.parts);
}

std::string Printer::array(const ast::ArrayRef& array) const {
  std::string text = array.name ? name(array.name->text) : "";
  if (array.dtype) text += (array.name ? ": " : "") + word(array.dtype->text);
  if (array.bracketed) text += dimensions(array.dimensions, array.dtype && !array.name);
  text += mark(array.unreduced, array.parts);
  if (!array.placed.empty()) text += places(array.placed);
  for (const ast::Index& index : array.indices) {
    const std::string dimension = index.dimension ? word(index.dimension->text) + " = " : "";
    text += fmt::format("[{}{}]", dimension, expression(*index.value));
  }
  return text;
}

std::string Printer::operand(const ast::Expr& expr, int rank, int indent) const {
  const std::string text = expression(expr, indent);
  return rank_of(expr) < rank ? "(" + text + ")" : text;
}

std::string Printer::product(const ast::Product& product, int indent) const {
  std::string sign(signs_.times);
  if (product.local) sign += signs_.local;
  const bool single =
      product.index.size() == 1 && (!signs_.math || product.index[0].text.size() == 1);
  if (single) sign += "_" + product.index[0].text;
  if (!single && !product.index.empty()) sign += "_{" + words(product.index, ",") + "}";
  return fmt::format("{} {} {}", operand(*product.left, Rank::Product, indent), sign,
                     operand(*product.right, Rank::Signed, indent));
}

std::string_view Printer::sign_of(ast::BinaryOp op) const {
  switch (op) {
    case ast::BinaryOp::Add:
      return " + ";
    case ast::BinaryOp::Subtract:
      return " - ";
    case ast::BinaryOp::Hadamard:
      return signs_.hadamard;
    case ast::BinaryOp::Divide:
      return " / ";
    case ast::BinaryOp::FloorDivide:
      return " // ";
    case ast::BinaryOp::Modulo:
      return " mod ";
    case ast::BinaryOp::Power:
      return "^";
    case ast::BinaryOp::Less:
      return "<";
    case ast::BinaryOp::LessEqual:
      return signs_.less_equal;
    case ast::BinaryOp::Greater:
      return ">";
    case ast::BinaryOp::GreaterEqual:
      return signs_.greater_equal;
    case ast::BinaryOp::Equal:
      return "==";
    case ast::BinaryOp::NotEqual:
      return signs_.not_equal;
    case ast::BinaryOp::Approx:
      return signs_.approx;
    case ast::BinaryOp::And:
      return " and ";
    case ast::BinaryOp::Or:
      return " or ";
  }
  return "";
}

// Comparisons do not chain, powers hang to the right, everything else to the left.
std::string Printer::binary(const ast::Binary& operation, int indent) const {
  const int rank = rank_of(operation.op);
  const bool compares = rank == Rank::Comparison;
  const bool spaced = compares || operation.op == ast::BinaryOp::Hadamard;
  const bool power = rank == Rank::Power;
  const std::string left = operand(*operation.left,
                                   power      ? Rank::Primary
                                   : compares ? Rank::Sum
                                              : rank,
                                   indent);
  const std::string right = operand(*operation.right, power ? Rank::Signed : rank + 1, indent);
  const std::string sign =
      spaced ? fmt::format(" {} ", sign_of(operation.op)) : std::string(sign_of(operation.op));
  const std::string text = left + sign + right;
  return operation.tolerance
             ? fmt::format("{} {} {}", text, signs_.plus_minus, operation.tolerance->text)
             : text;
}

std::string Printer::collective(const ast::Collective& collective, int indent) const {
  std::string text = word(std::string(word_of(collective.kind)));
  if (collective.dimension || collective.shift) {
    const std::string second =
        collective.dimension ? word(collective.dimension->text) : collective.shift->text;
    const std::string axes = axis_row(collective.axes);
    text += fmt::format("_{{{}{}{}}}", axes, axes.empty() ? "" : ",", second);
  } else if (!collective.axes.empty()) {
    text += "_" + subscript(collective.axes);
  }
  return fmt::format("{} {}", text, operand(*collective.operand, Rank::Postfix, indent));
}

std::string Printer::call(const ast::Call& call, int indent) const {
  std::string arguments;
  for (const Box<ast::Expr>& argument : call.arguments) {
    arguments += (arguments.empty() ? "" : ", ") + expression(*argument, indent);
  }
  // An underscore outside of the word would make it the subscript of a function.
  const std::string& called = call.function.text;
  std::string function = called.find('{') == std::string::npos ? word(called) : name(called);
  if (call.subscript.size() == 1) function += "_" + subscript(call.subscript);
  if (call.subscript.size() > 1) function += "_{" + words(call.subscript, ",") + "}";
  return fmt::format("{}({})", function, arguments);
}

std::string Printer::member(const ast::Member& member, int indent) const {
  // A number before a dot would take it for its own, brackets before it are no object.
  const auto* array = std::get_if<ast::ArrayRef>(&member.object->node);
  const bool guarded = std::holds_alternative<ast::Number>(member.object->node) ||
                       (array != nullptr && array->bracketed);
  std::string text = guarded ? "(" + expression(*member.object, indent) + ")"
                             : operand(*member.object, Rank::Primary, indent);
  text += "." + word(member.field.text);
  return member.arguments.empty() ? text
                                  : fmt::format("{}({})", text, words(member.arguments, ", "));
}

std::string Printer::expression(const ast::Expr& expr, int indent) const {
  return match(
      expr.node, [](const ast::Number& number) { return number.text; },
      [&](const ast::ArrayRef& ref) { return array(ref); },
      [&](const ast::Product& node) { return product(node, indent); },
      [&](const ast::Binary& node) { return binary(node, indent); },
      [&](const ast::Unary& node) {
        return node.op == ast::UnaryOp::Not ? "not " + operand(*node.operand, Rank::Not, indent)
                                            : "-" + operand(*node.operand, Rank::Signed, indent);
      },
      [&](const ast::Collective& node) { return collective(node, indent); },
      [&](const ast::Call& node) { return call(node, indent); },
      [&](const ast::Shaped& node) { return shaped(node, indent); },
      [](const ast::Text& text) { return "\"" + text.value + "\""; },
      [&](const ast::Member& node) { return member(node, indent); },
      [&](const ast::SizeOf& size) { return "|" + word(size.name.text) + "|"; },
      [&](const ast::BlockExpr& node) {
        return fmt::format("{} {}", word_of(node.kind), block(node.body, node.trailing, indent));
      });
}

}  // namespace shard

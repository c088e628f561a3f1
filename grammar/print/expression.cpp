// Expressions in canonical spelling, with as few parentheses as the operators' precedence allows.
#include <algorithm>

#include "grammar/print/context.h"
#include "grammar/tree/keyword.h"

namespace shard {
namespace {

// A length in the place of a name stands in braces: a unit behind it would be taken for its own.
bool is_length(const ast::Identifier& name) {
  return !name.text.empty() && name.text[0] >= '0' && name.text[0] <= '9';
}

// Without a space `512,512` is one number.
std::string_view between(const std::vector<ast::Identifier>& names) {
  return std::count_if(names.begin(), names.end(), is_length) > 1 ? ", " : ",";
}

// The precedences of the grammar's productions, loosest first.
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
      [](const ast::Indexed&) { return Rank::Primary; },
      [](const ast::Text&) { return Rank::Primary; },
      [](const ast::Member&) { return Rank::Primary; },
      [](const ast::SizeOf&) { return Rank::Primary; },
      [](const ast::BlockExpr&) { return Rank::Primary; },
      [](const ast::Question& question) {
        return question.follows ? Rank::Comparison : Rank::Primary;
      });
}

}  // namespace

void Printer::shaped(const ast::Shaped& shaped, int indent) {
  operand(*shaped.value, Rank::Primary, indent);
  dimensions(shaped.dimensions);
  mark(shaped.unreduced, shaped.parts);
}

// A name, a collective or an index in front would take the index for its own.
void Printer::indexed(const ast::Indexed& indexed, int indent) {
  const bool call = std::holds_alternative<ast::Call>(indexed.value->node);
  in_parentheses(!call, *indexed.value, indent);
  indices(indexed.indices);
}

void Printer::operand(const ast::Expr& expr, int rank, int indent) {
  in_parentheses(rank_of(expr) < rank, expr, indent);
}

void Printer::in_parentheses(bool guarded, const ast::Expr& expr, int indent) {
  if (guarded) put('(');
  expression(expr, indent);
  if (guarded) put(')');
}

void Printer::product(const ast::Product& product, int indent) {
  // Both signs bind alike, and a reader may not know it: `(a ⊙ b) · W` keeps its parentheses.
  const auto* elements = std::get_if<ast::Binary>(&product.left->node);
  const bool mixed = elements != nullptr && elements->op == ast::BinaryOp::Hadamard;
  operand(*product.left, mixed ? Rank::Signed : Rank::Product, indent);
  put(' ', signs_.times);
  if (product.local) put(signs_.local);
  const bool single = product.index.size() == 1 && !is_length(product.index[0]) &&
                      (!signs_.math || product.index[0].text.size() == 1);
  if (single) {
    put('_', product.index[0].text);
  } else if (!product.index.empty()) {
    put("_{");
    words(product.index, between(product.index));
    put('}');
  }
  put(' ');
  operand(*product.right, Rank::Signed, indent);
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

// Comparisons do not chain, powers associate to the right, everything else to the left.
void Printer::binary(const ast::Binary& operation, int indent) {
  const int rank = rank_of(operation.op);
  const bool compares = rank == Rank::Comparison;
  const bool spaced = compares || operation.op == ast::BinaryOp::Hadamard;
  const bool power = rank == Rank::Power;
  // As next to a product's sign (Printer::product). A multiple, `2 · x ⊙ y`, is none of arrays.
  const auto* product = std::get_if<ast::Product>(&operation.left->node);
  const bool mixed =
      operation.op == ast::BinaryOp::Hadamard && product != nullptr && !product->index.empty();
  operand(*operation.left,
          power      ? Rank::Primary
          : compares ? Rank::Sum
          : mixed    ? Rank::Signed
                     : rank,
          indent);
  if (spaced) put(' ');
  put(sign_of(operation.op));
  if (spaced) put(' ');
  operand(*operation.right, power ? Rank::Signed : rank + 1, indent);
  if (operation.tolerance) put(' ', signs_.plus_minus, ' ', operation.tolerance->text);
}

void Printer::unary(const ast::Unary& operation, int indent) {
  const bool negated = operation.op == ast::UnaryOp::Not;
  put(negated ? "not " : "-");
  operand(*operation.operand, negated ? Rank::Not : Rank::Signed, indent);
}

// "X,J", "X→I,Y→J"
void Printer::destinations(const ast::Collective& collective) {
  auto axis = collective.axes.begin();
  const bool several = collective.destinations.size() > 1;
  list(collective.destinations, ",", [&](const ast::Destination& destination) {
    const auto end = axis + static_cast<std::ptrdiff_t>(destination.axes);
    axis_row(std::vector<ast::Identifier>(axis, end));
    if (destination.axes > 0) put(several ? signs_.arrow : std::string_view(","));
    if (several && signs_.math) put(' ');
    word(destination.dimension.text);
    axis = end;
  });
}

void Printer::collective(const ast::Collective& collective, int indent) {
  word(name_of(collective.kind));
  if (!collective.destinations.empty()) {
    put("_{");
    destinations(collective);
    put('}');
  } else if (collective.shift) {
    put("_{");
    const std::size_t begin = text_.size();
    axis_row(collective.axes);
    if (text_.size() > begin) put(',');
    put(collective.shift->text, '}');
  } else if (!collective.axes.empty()) {
    put('_');
    subscript(collective.axes);
  }
  put(' ');
  operand(*collective.operand, Rank::Postfix, indent);
}

void Printer::call(const ast::Call& call, int indent) {
  // An underscore outside of the word would make it the subscript of a function.
  const std::string& called = call.function.text;
  if (called.find('{') == std::string::npos)
    word(called);
  else
    name(called);
  if (call.subscript.size() == 1 && !is_length(call.subscript[0])) {
    put('_');
    subscript(call.subscript);
  } else if (!call.subscript.empty()) {
    put("_{");
    words(call.subscript, between(call.subscript));
    put('}');
  }
  put('(');
  list(call.arguments, ", ",
       [&](const Box<ast::Expr>& argument) { expression(*argument, indent); });
  put(')');
}

void Printer::member(const ast::Member& member, int indent) {
  // A number would take the dot for its own; brackets before it are not an object.
  const auto* array = std::get_if<ast::ArrayRef>(&member.object->node);
  const bool guarded = std::holds_alternative<ast::Number>(member.object->node) ||
                       (array != nullptr && array->bracketed);
  in_parentheses(guarded || rank_of(*member.object) < Rank::Primary, *member.object, indent);
  put('.');
  word(member.field.text);
  if (member.arguments.empty()) return;
  put('(');
  words(member.arguments, ", ");
  put(')');
}

void Printer::expression(const ast::Expr& expr, int indent) {
  match(
      expr.node, [&](const ast::Number& number) { put(number.text); },
      [&](const ast::ArrayRef& ref) { array(ref); },
      [&](const ast::Product& node) { product(node, indent); },
      [&](const ast::Binary& node) { binary(node, indent); },
      [&](const ast::Unary& node) { unary(node, indent); },
      [&](const ast::Collective& node) { collective(node, indent); },
      [&](const ast::Call& node) { call(node, indent); },
      [&](const ast::Shaped& node) { shaped(node, indent); },
      [&](const ast::Indexed& node) { indexed(node, indent); },
      [&](const ast::Text& text) {
        const char quote = text.value.find('"') == std::string::npos ? '"' : '\'';
        put(quote, text.value, quote);
      },
      [&](const ast::Member& node) { member(node, indent); },
      [&](const ast::SizeOf& size) {
        put('|');
        word(size.name.text);
        put('|');
      },
      [&](const ast::BlockExpr& node) {
        put(word_of(node.kind), ' ');
        block(node.body, node.trailing, indent);
      },
      [&](const ast::Question& node) { question(node, indent); });
}

void Printer::asked(const ast::Expr& condition, int indent) {
  const auto* equation = std::get_if<ast::Binary>(&condition.node);
  if (equation == nullptr || equation->op != ast::BinaryOp::Equal)
    return expression(condition, indent);
  operand(*equation->left, Rank::Sum, indent);
  put(" = ");
  operand(*equation->right, Rank::Sum, indent);
}

void Printer::question(const ast::Question& question, int indent) {
  put(word_of(question.kind), ' ');
  if (question.kind != ast::QuestionKind::Minimize) {
    if (question.size) {
      word(question.size->text);
      put(' ');
    }
    put("{ ");
    asked(*question.asked, indent);
    put(" }");
    return;
  }
  operand(*question.asked, Rank::Sum, indent);
  put(" over ");
  word(question.size->text);
  if (!question.follows) return;
  put(" with ");
  word(question.follows->name.text);
  put(" = ");
  operand(*question.follows->value, Rank::Sum, indent);
}

}  // namespace shard

#include "interpreter/suggest/unit_help.h"

#include <string>

namespace shard {

namespace {

// Whether a factor behind it would be one of a part of it.
bool binds_loosely(const ast::Expr& expr) {
  const auto* binary = std::get_if<ast::Binary>(&expr.node);
  return binary != nullptr &&
         (binary->op == ast::BinaryOp::Add || binary->op == ast::BinaryOp::Subtract);
}

// The number by which the expression is divided last; null if it is divided by none.
const ast::Expr* last_divisor(const ast::Expr& expr) {
  const auto* binary = std::get_if<ast::Binary>(&expr.node);
  if (binary == nullptr || binary->op != ast::BinaryOp::Divide) return nullptr;
  const bool number = std::holds_alternative<ast::Number>(binary->right->node);
  return number ? &*binary->right : nullptr;
}

// What moves or is computed, and how long that takes.
struct VolumeAndTime {
  std::string_view volume;
  std::string_view seconds;
};
constexpr VolumeAndTime kVolumes[] = {
    {"comm_bytes", "comms"}, {"hbm_bytes", "hbm"}, {"flops", "math"}};

std::vector<Edit> figure_edits(const ast::Expr& side, const Unit& wanted) {
  const auto* member = std::get_if<ast::Member>(&side.node);
  if (member == nullptr || !member->arguments.empty()) return {};
  const std::string_view field = member->field.text;
  for (const VolumeAndTime& figure : kVolumes) {
    const Unit volume = figure.volume == "flops" ? kFlops : kBytes;
    const Span span = member->field.at.span;
    if (field == figure.seconds && wanted == volume) return {{span, std::string(figure.volume)}};
    if (field == figure.volume && wanted == kSeconds) return {{span, std::string(figure.seconds)}};
  }
  return {};
}

}  // namespace

const ast::Number* meant_as_rate(const ast::Expr& quotient, const Unit& has, const Unit& wanted) {
  const ast::Expr* divisor = last_divisor(quotient);
  if (divisor == nullptr || has * kSeconds != wanted) return nullptr;
  const auto& number = std::get<ast::Number>(divisor->node);
  return number.unit == kBytes || number.unit == kFlops ? &number : nullptr;
}

std::vector<Edit> figure_edits(const ast::Binary& binary, const Unit& left, const Unit& right) {
  auto edits = figure_edits(*binary.left, right);
  return edits.empty() ? figure_edits(*binary.right, left) : edits;
}

std::vector<Edit> unit_edits(const ast::Expr& number, const Unit& unit) {
  const std::string word = to_string(unit);
  const auto written = parse_unit(word);
  if (!written || written->unit != unit) return {};
  const Span span = number.at.span;
  const Span begin{span.file, span.begin, span.begin};
  const Span end{span.file, span.end, span.end};
  const auto* literal = std::get_if<ast::Number>(&number.node);
  // Nobody waits for whole seconds here.
  const bool micro = literal != nullptr && unit == kSeconds && !(literal->value < Rational(1));
  if (literal != nullptr) return {{end, micro ? " us" : " " + word}};
  if (binds_loosely(number)) return {{begin, "("}, {end, ") * 1 " + word}};
  return {{end, " * 1 " + word}};
}

}  // namespace shard

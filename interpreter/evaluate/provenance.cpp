#include "interpreter/evaluate/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"

namespace shard {

namespace {

constexpr std::size_t kMostOrigins = 4;

const ast::Member* as_time(const ast::Expr& expr) {
  const auto* member = std::get_if<ast::Member>(&expr.node);
  if (member == nullptr) return nullptr;
  const std::string& field = member->field.text;
  return field == "time" || field == "lower" || field == "upper" ? member : nullptr;
}

}  // namespace

std::string difference_text(const Value& left, const Value& right) {
  const auto* a = std::get_if<Quantity>(&left);
  const auto* b = std::get_if<Quantity>(&right);
  if (a == nullptr || b == nullptr || a->unit != b->unit) return "";
  const auto from = a->value.constant();
  const auto to = b->value.constant();
  if (!from || !to) return "";
  const Rational difference = *from - *to;
  if (difference == Rational(0)) return "no difference";
  const bool more = difference > Rational(0);
  const Rational size = more ? difference : -difference;
  std::string text =
      fmt::format("{} {}", to_text(Quantity{Formula(size), a->unit}), more ? "more" : "less");
  if (*to == Rational(0)) return text;
  constexpr double kPercent = 100;
  const double share = std::abs(size.to_double() / to->to_double());
  return text + fmt::format(", {} %", format_significant(kPercent * share));
}

std::vector<Note> origins_of(const ast::Expr& expr, const Scope& scope) {
  std::vector<Note> notes;
  any_inside(expr, [&](const ast::Expr& inner) {
    const auto* name = std::get_if<ast::ArrayRef>(&inner.node);
    if (name == nullptr || !name->name || name->bracketed) return false;
    const BindingInfo* binding = scope.find_binding(name->name->text);
    if (binding == nullptr) return false;
    const bool known = std::any_of(notes.begin(), notes.end(),
                                   [&](const Note& note) { return note.span == binding->span; });
    const bool block = std::holds_alternative<Supposition>(binding->value);
    if (!known && notes.size() < kMostOrigins) {
      notes.push_back({binding->span,
                       block ? fmt::format("`{}` is this block", binding->name)
                             : fmt::format("`{}` is {}", binding->name, to_text(binding->value))});
    }
    return false;
  });
  return notes;
}

std::vector<ast::Expr> parts_of(const ast::Expr& expr) {
  std::vector<ast::Expr> parts;
  any_inside(expr, [&](const ast::Expr& inner) {
    const ast::Member* time = as_time(inner);
    if (time == nullptr || !parts.empty()) return false;
    for (const char* field : {"math", "hbm", "comms"}) {
      ast::Expr part = inner;
      std::get<ast::Member>(part.node).field.text = field;
      parts.push_back(std::move(part));
    }
    return false;
  });
  return parts;
}

}  // namespace shard

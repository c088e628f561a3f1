#include "interpreter/evaluate/failed_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/evaluate/answer_names.h"
#include "interpreter/evaluate/provenance.h"
#include "interpreter/suggest/unit_help.h"

namespace shard {

namespace {

// `compute` in `c.bound = compute` is a word; a list and a condition on the right are no scalars either.
bool is_no_scalar(const ast::Expr& expr) {
  const auto* comparison = std::get_if<ast::Binary>(&expr.node);
  if (comparison != nullptr) return comparison->op >= ast::BinaryOp::Less;
  const auto* word = std::get_if<ast::ArrayRef>(&expr.node);
  if (word == nullptr) return false;
  if (word->bracketed) return !word->name;
  const auto& known = bound_names();
  return word->name && (word->name->text == kHoldsAlways || word->name->text == kHoldsNever ||
                        std::find(known.begin(), known.end(), word->name->text) != known.end());
}

// "c.math is 3.000 us, c.hbm is 1.000 us, c.comms is 2.000 us".
std::string parts_text(const ast::Expr& condition, EvaluationContext& context) {
  std::vector<std::string> parts;
  for (const ast::Expr& part : parts_of(condition)) {
    const auto value = evaluate(part, context);
    if (value) parts.push_back(print(part, Spelling::Unicode) + " is " + to_text(*value));
  }
  return join(parts, ", ");
}

// "F = 1024, S = 1024": dimensions that both sides depend on and that have no size.
std::string missing_sizes(const ast::Expr& condition, EvaluationContext& context) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr || is_no_scalar(*binary->right)) return "";
  std::set<std::string> missing;
  for (const auto& side : {evaluate(*binary->left, context), evaluate(*binary->right, context)}) {
    const auto* quantity = side ? std::get_if<Quantity>(&*side) : nullptr;
    if (quantity == nullptr) continue;
    for (const std::string& symbol : quantity->value.symbols()) {
      if (context.check.scope.names.find_dimension(symbol)) missing.insert(symbol + " = 1024");
    }
  }
  return join({missing.begin(), missing.end()}, ", ");
}

// `=` where a figure as it is printed was meant: what holds with `≈`.
std::vector<Edit> rounded_edits(const ast::Expr& condition, EvaluationContext& context) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr || binary->op != ast::BinaryOp::Equal) return {};
  // Plain numbers are counts, which are printed as they are.
  const auto left = evaluate(*binary->left, context);
  const auto* figure = left ? std::get_if<Quantity>(&*left) : nullptr;
  if (figure == nullptr || figure->unit.is_plain()) return {};
  ast::Expr about = condition;
  std::get<ast::Binary>(about.node).op = ast::BinaryOp::Approx;
  const auto value = evaluate(about, context);
  const auto* truth = value ? std::get_if<Truth>(&*value) : nullptr;
  if (truth == nullptr || truth->holds != true) return {};
  return {{binary->sign.span, "≈"}};
}

// "the left side is 2 MiB, the right side 1 MiB: twice as much"
std::string sides_text(const SideTexts& sides, const ast::Expr& condition,
                       EvaluationContext& context) {
  std::string left = sides.left;
  std::string right = sides.right;
  std::string difference = sides.difference;
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  const auto a = binary == nullptr ? std::nullopt : evaluate(*binary->left, context);
  const auto b = binary == nullptr || is_no_scalar(*binary->right)
                     ? std::nullopt
                     : evaluate(*binary->right, context);
  const auto* from = a ? std::get_if<Quantity>(&*a) : nullptr;
  const auto* to = b ? std::get_if<Quantity>(&*b) : nullptr;
  if (from != nullptr && to != nullptr) {
    const ast::Expr& written =
        in_binary_unit(*to, *binary->right).empty() ? *binary->left : *binary->right;
    const std::string in_unit = in_binary_unit(*from, written);
    if (!in_unit.empty()) {
      left = in_unit;
      right = in_binary_unit(*to, written);
      const std::string times = multiple_text(*from, *to);
      if (!times.empty()) difference = times;
    }
  }
  return fmt::format("the left side is {}, the right side {}{}", left, right,
                     difference.empty() ? "" : ": " + difference);
}

// Figures are those of one device: what divides a count of all of them.
std::vector<Edit> share_edits(const ast::Expr& condition, EvaluationContext& context) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr || binary->op != ast::BinaryOp::Equal || is_no_scalar(*binary->right))
    return {};
  // `c.flops`, `flops { … }`
  const auto& asked = binary->left->node;
  if (!std::holds_alternative<ast::Member>(asked) && !std::holds_alternative<ast::BlockExpr>(asked))
    return {};
  const auto left = evaluate(*binary->left, context);
  const auto right = evaluate(*binary->right, context);
  const auto* one = left ? std::get_if<Quantity>(&*left) : nullptr;
  const auto* all = right ? std::get_if<Quantity>(&*right) : nullptr;
  const auto share = one != nullptr ? one->value.constant() : std::nullopt;
  const auto whole = all != nullptr ? all->value.constant() : std::nullopt;
  if (!share || !whole || (one->unit != kFlops && one->unit != kBytes)) return {};
  const Mesh& mesh = context.check.scope.mesh();
  std::vector<std::pair<std::int64_t, std::string>> parts;
  for (const MeshAxis& axis : mesh.axes) {
    if (const auto length = axis.length()) parts.emplace_back(*length, "|" + axis.name + "|");
  }
  if (const auto count = mesh.device_count()) parts.emplace_back(*count, "devices");
  const auto* sum = std::get_if<ast::Binary>(&binary->right->node);
  const bool loose =
      sum != nullptr && (sum->op == ast::BinaryOp::Add || sum->op == ast::BinaryOp::Subtract);
  for (const auto& [count, text] : parts) {
    const Span end{condition.at.span.file, binary->right->at.span.end, binary->right->at.span.end};
    if (count > 1 && !loose && *share * Rational(count) == *whole) return {{end, " / " + text}};
  }
  return {};
}

// The layout in which an array of the condition is held, where the condition holds with that.
std::vector<Note> other_layouts(const ast::Expr& condition, EvaluationContext& context) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  const auto* call = binary == nullptr ? nullptr : std::get_if<ast::Call>(&binary->left->node);
  if (call == nullptr || call->arguments.size() != 1) return {};
  const auto* array = std::get_if<ast::ArrayRef>(&call->arguments.front()->node);
  const auto id = array != nullptr && array->bracketed && array->name
                      ? context.check.scope.names.find_array(array->name->text)
                      : std::nullopt;
  if (!id) return {};
  // A bare name means the newest copy.
  ast::Expr other = condition;
  auto& changed = std::get<ast::Call>(std::get<ast::Binary>(other.node).left->node);
  changed.arguments.front()->node = ast::ArrayRef{.name = array->name, .at = array->at};
  const auto value = evaluate(other, context);
  const auto* truth = value ? std::get_if<Truth>(&*value) : nullptr;
  if (truth == nullptr || truth->holds != true) return {};
  const ArrayInfo& info = context.check.scope.store.arrays[*id];
  return {{info.span, fmt::format("`{}` is held as {}, with which it holds", info.name,
                                  list_copies(*id, context.check.scope))}};
}

}  // namespace

SideTexts sides_of(const ast::Expr& condition, EvaluationContext& context) {
  SideTexts sides;
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr) return sides;
  const auto left = evaluate(*binary->left, context);
  if (left) sides.left = to_text(*left);
  if (is_no_scalar(*binary->right)) {
    sides.right = print(*binary->right, Spelling::Unicode);
    return sides;
  }
  const AnswerNames open(left, context.check.scope);
  const auto right = evaluate(*binary->right, context);
  if (right) sides.right = to_text(*right);
  if (left && right) sides.difference = difference_text(*left, *right);
  return sides;
}

void report_failed(const ast::Expr& condition, bool is_decided, const SideTexts& sides,
                   EvaluationContext& context) {
  const Span span = condition.at.span;
  auto origins = origins_of(condition, context.check.scope);
  for (Note& note : other_layouts(condition, context)) origins.push_back(std::move(note));
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  const AnswerNames open(binary == nullptr ? std::nullopt : evaluate(*binary->left, context),
                         context.check.scope);
  std::vector<std::string> help;
  if (!sides.left.empty() && !sides.right.empty())
    help.push_back(sides_text(sides, condition, context));
  if (const std::string parts = parts_text(condition, context); !parts.empty())
    help.push_back(parts);
  if (!is_decided) {
    const std::string sizes = missing_sizes(condition, context);
    help.push_back(
        fmt::format("give the sizes that are missing{}, or compare FLOPs and bytes, which are "
                    "exact polynomials",
                    sizes.empty() ? "" : fmt::format(", as in `{}`", sizes)));
    report(context.check, DiagnosticKind::Undecidable, span,
           "this depends on sizes that are not given", std::move(help), std::move(origins));
  } else if (!context.check.scope.lacks_machine()) {
    std::vector<Edit> edits = rounded_edits(condition, context);
    if (edits.empty()) edits = share_edits(condition, context);
    if (!edits.empty() && edits.front().text.starts_with(" /")) {
      help.emplace_back("the figures of a block are those of one device");
      // The sizes are as they are meant.
      std::erase_if(origins, [](const Note& note) { return !note.text.ends_with("this block"); });
    }
    report(context.check, DiagnosticKind::ExpectFailed, span, "this does not hold", std::move(help),
           std::move(origins), std::move(edits));
  }
}

}  // namespace shard

#include "interpreter/evaluate/compare_found.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/contains.h"
#include "base/words.h"
#include "interpreter/evaluate/compare.h"

namespace shard {

namespace {

bool is_equality(const ast::Binary& binary) {
  return binary.op == ast::BinaryOp::Equal || binary.op == ast::BinaryOp::NotEqual;
}

// Where no scalar is called so.
bool is_answer_word(const ast::Expr& expr, const char* text, const Scope& scope) {
  const auto* name = std::get_if<ast::ArrayRef>(&expr.node);
  return name != nullptr && name->name && !name->bracketed && name->name->text == text &&
         scope.find_binding(text) == nullptr;
}

// The first and the last multiple of `step` in each of the ranges that has one; no last one without an end.
using Multiples = std::vector<std::pair<Rational, std::optional<Rational>>>;
Multiples multiples_in(const std::vector<SizeRange>& ranges, std::int64_t step) {
  const Rational each(step);
  Multiples multiples;
  for (const SizeRange& range : ranges) {
    Rational first = range.from ? ceil(*range.from / each) * each : each;
    if (range.from && first == *range.from && !range.has_from) first = first + each;
    std::optional<Rational> last;
    if (range.to) {
      last = floor(*range.to / each) * each;
      if (*last == *range.to && !range.has_to) last = *last - each;
    }
    if (!last || first <= *last) multiples.emplace_back(std::max(first, each), last);
  }
  return multiples;
}

class FoundComparer {
 public:
  explicit FoundComparer(EvaluationContext& context)
      : context_(context), scope_(context.check.scope) {}

  // `when { … } = (B/X > C/W)`, `when { … } = never`
  std::optional<Value> compare_condition(const Condition& left, const ast::Binary& binary) {
    const auto* word = std::get_if<ast::ArrayRef>(&binary.right->node);
    const bool named = word != nullptr && word->name && !word->bracketed;
    std::string right = named ? word->name->text : "";
    const bool known =
        right == kHoldsAlways || right == kHoldsNever || scope_.find_binding(right) != nullptr;
    if (!is_equality(binary) || (named && !known)) {
      return fail(DiagnosticKind::NotScalar, binary.right->at.span,
                  "what `when` finds is compared with a condition",
                  {"expect when { c.math > c.comms } = (B / X > C / W), or = always, = never"});
    }
    if (right != kHoldsAlways && right != kHoldsNever) {
      const auto value = named || std::holds_alternative<ast::Question>(binary.right->node)
                             ? shard::evaluate(*binary.right, context_)
                             : context_.host.answer(
                                   {ast::QuestionKind::When, size_of(left, binary), *binary.right},
                                   binary.right->at.span, context_.check);
      if (!value) return std::nullopt;
      const auto* condition = std::get_if<Condition>(&*value);
      if (condition == nullptr)
        return fail(DiagnosticKind::NotScalar, binary.right->at.span,
                    fmt::format("this is `{}`, and no condition", to_text(*value)));
      right = condition->key;
      if (left.step > 1 && left.size == condition->size &&
          multiples_in(left.ranges, left.step) == multiples_in(condition->ranges, left.step))
        right = left.key;
    }
    return Truth{(left.key == right) == (binary.op == ast::BinaryOp::Equal)};
  }

  // `solve B { … } = [1200, 9600]`, `≈` as well.
  std::optional<Value> compare_list(const List& left, const ast::Binary& binary) {
    const auto* row = std::get_if<ast::ArrayRef>(&binary.right->node);
    const bool negated = binary.op == ast::BinaryOp::NotEqual;
    std::vector<Quantity> right;
    if (row != nullptr && row->bracketed && !row->name && !row->dtype) {
      for (const ast::Dimension& item : row->dimensions) {
        const auto* number = std::get_if<ast::Number>(&item.name);
        if (number != nullptr) right.push_back({Formula(number->value), number->unit});
      }
    } else if (const auto value = shard::evaluate(*binary.right, context_)) {
      if (const auto* list = std::get_if<List>(&*value)) right = list->values;
      if (const auto* number = std::get_if<Quantity>(&*value)) right = {*number};
    } else {
      return std::nullopt;
    }
    if (!is_equality(binary) && binary.op != ast::BinaryOp::Approx) {
      return fail(DiagnosticKind::NotScalar, binary.sign.span,
                  "there are several numbers on the left",
                  {"compared with a list of them: = [1200, 9600]"});
    }
    const auto op = negated ? ast::BinaryOp::Equal : binary.op;
    const double tolerance =
        binary.tolerance ? binary.tolerance->value.to_double() : kDefaultTolerance;
    const bool same = std::equal(left.values.begin(), left.values.end(), right.begin(), right.end(),
                                 [&](const Quantity& one, const Quantity& other) {
                                   return shard::compare(op, one, other, tolerance).holds == true;
                                 });
    return Truth{same != negated};
  }

  // `c.bound = compute`: a word against a word.
  std::optional<Value> compare_word(const Word& left, const ast::Binary& binary) {
    const auto* word = std::get_if<ast::ArrayRef>(&binary.right->node);
    const bool equality = is_equality(binary);
    std::vector<std::string> known = bound_names();
    const bool answers = left.text == kHoldsNever || left.text == kHoldsAlways;
    if (answers) known = {kHoldsNever, kHoldsAlways};
    if (word == nullptr || !word->name || word->bracketed || !equality ||
        !contains(known, word->name->text)) {
      if (answers && equality) return Truth{binary.op == ast::BinaryOp::NotEqual};
      return fail(DiagnosticKind::NotScalar, binary.right->at.span,
                  "what bounds a block is compared with a word",
                  {"expect c.bound = compute; the words are " + join_words(known)});
    }
    if (left.text == name_of(Bound::Unknown)) return Truth{};
    return Truth{(left.text == word->name->text) == (binary.op == ast::BinaryOp::Equal)};
  }

 private:
  // Which size stands alone on the left, for it is open on the right as well, whatever value it has.
  static std::optional<ast::Identifier> size_of(const Condition& left, const ast::Binary& binary) {
    if (const auto* question = std::get_if<ast::Question>(&binary.left->node))
      return question->size;
    if (left.size.empty()) return std::nullopt;
    return ast::Identifier{left.size, binary.left->at};
  }

  std::optional<Value> fail(DiagnosticKind kind, Span span, std::string message,
                            std::vector<std::string> help = {}) {
    report(context_.check, kind, span, std::move(message), std::move(help));
    return std::nullopt;
  }

  EvaluationContext& context_;
  const Scope& scope_;
};

}  // namespace

bool is_compared_as_found(const Value& left, const ast::Binary& binary, const Scope& scope) {
  return std::holds_alternative<Word>(left) || std::holds_alternative<List>(left) ||
         std::holds_alternative<Condition>(left) ||
         (is_equality(binary) && is_answer_word(*binary.right, kHoldsNever, scope));
}

std::optional<Value> compare_found(const Value& left, const ast::Binary& binary,
                                   EvaluationContext& context) {
  FoundComparer comparer(context);
  if (const auto* word = std::get_if<Word>(&left)) return comparer.compare_word(*word, binary);
  if (const auto* condition = std::get_if<Condition>(&left))
    return comparer.compare_condition(*condition, binary);
  const auto* list = std::get_if<List>(&left);
  const bool never =
      is_equality(binary) && is_answer_word(*binary.right, kHoldsNever, context.check.scope);
  if (list != nullptr && !never) return comparer.compare_list(*list, binary);
  return Truth{binary.op == ast::BinaryOp::NotEqual};
}

}  // namespace shard

// Arrays one after the other along a dimension, `concat_J(A, B)`, and zeros behind the end of one, `pad_{I,J}(A)`.
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/contraction.h"
#include "interpreter/check/element_type.h"
#include "interpreter/check/selection/selection.h"

namespace shard {

namespace {

class ConcatChecker {
 public:
  ConcatChecker(const ast::Call& call, Span span, const TargetHint& target, CheckContext& context)
      : call_(call),
        span_(span),
        target_(target),
        context_(context),
        scope_(context.scope),
        pads_(call.function.text == "pad") {}

  std::optional<checked::Operation> check() {
    if (!check_form() || !check_operands()) return std::nullopt;
    whole_ = made_dimension(call_.subscript.back().text);
    const auto dtype = check_types();
    if (!dtype || !find_joined() || !check_kept() || !check_length()) return std::nullopt;
    std::vector<DimensionId> labels = operands_.front().labels;
    std::replace(labels.begin(), labels.end(), joined_.front(), whole_);
    if (!check_element_count(labels, span_, context_)) return std::nullopt;
    checked::Selection concat{
        .kind = SelectionKind::Concat, .operands = {}, .along = {whole_}, .position = {}};
    concat.operands = std::move(operands_);
    return selection_of(std::move(concat), in_target_order(std::move(labels), target_), *dtype,
                        span_, scope_);
  }

 private:
  bool fail(DiagnosticKind kind, Span span, std::string message,
            std::vector<std::string> help = {}) {
    report(context_, kind, span, std::move(message), std::move(help));
    return false;
  }

  bool check_form() {
    if (pads_ && call_.subscript.size() <= 2 && call_.arguments.size() == 1) return true;
    if (!pads_ && call_.subscript.size() <= 2 && call_.arguments.size() > 1) return true;
    return fail(
        DiagnosticKind::BadArgument, span_,
        pads_ ? "`pad` takes the dimension that it makes, behind the one that is too short if it "
                "is said which, and one array"
              : "`concat` takes the dimension that it makes, behind one that is joined if it is "
                "said which, and two or more arrays",
        {pads_ ? "P[J] = pad_{I,J}(A[I])" : "C[I, J] = concat_J(A[I, K], B[I, L])"});
  }

  // A length in place of a name: that of a dimension without one.
  DimensionId made_dimension(const std::string& text) const {
    const auto length = Rational::parse(text);
    const auto whole = length ? length->to_int64() : std::nullopt;
    return whole ? scope_.intern_length(*whole) : scope_.intern_dimension(text);
  }

  bool check_operands() {
    bool fine = true;
    for (const auto& argument : call_.arguments) {
      auto operand = check_operation(*argument, {}, context_);
      fine = operand && check_reduced(*operand, "parts are joined whole", context_) && fine;
      if (operand) operands_.push_back(*std::move(operand));
    }
    return fine;
  }

  std::optional<DType> check_types() {
    TypedOperand so_far{&operands_.front(), operands_.front().dtype};
    for (const checked::Operation& operand : operands_) {
      const auto common = meet(so_far, {&operand, operand.dtype}, context_);
      if (!common) return std::nullopt;
      if (*common == operand.dtype && *common != so_far.dtype) so_far.operand = &operand;
      so_far.dtype = *common;
    }
    return so_far.dtype;
  }

  std::string name_of(DimensionId label) const { return scope_.store.dimensions[label].name; }

  // The dimensions of an operand that the target, or where that says nothing each other operand, has not.
  std::vector<DimensionId> own_labels(const checked::Operation& operand) const {
    const auto elsewhere = [&](DimensionId label) {
      if (target_.brackets) return contains(target_.brackets->labels, label);
      return std::all_of(operands_.begin(), operands_.end(), [&](const checked::Operation& other) {
        return contains(other.labels, label);
      });
    };
    std::vector<DimensionId> own = operand.labels;
    std::erase_if(own, elsewhere);
    return own;
  }

  // The dimension of a part of what is made, `x[…, 64:]` in `concat_H(…)`, also in an expression of elements.
  std::optional<DimensionId> part_of_whole(const checked::Operation& operand) const {
    if (const auto* elements = std::get_if<checked::Elementwise>(&operand.node)) {
      for (const checked::Operation& inner : elements->operands) {
        if (const auto part = part_of_whole(inner)) return part;
      }
    }
    const auto* selection = std::get_if<checked::Selection>(&operand.node);
    const bool is_part = selection != nullptr && selection->kind == SelectionKind::Gather &&
                         selection->operands.size() == 1 && contains(selection->along, whole_);
    if (!is_part) return std::nullopt;
    for (const DimensionId label : operand.labels) {
      if (!contains(selection->operands.front().labels, label)) return label;
    }
    return std::nullopt;
  }

  // The one of a dimension that all operands have whose lengths add up.
  std::optional<DimensionId> label_by_length() const {
    const auto whole = scope_.length_of(whole_);
    std::vector<DimensionId> found;
    for (const DimensionId label : operands_.front().labels) {
      const auto length = scope_.length_of(label);
      const auto count = static_cast<std::int64_t>(operands_.size());
      const bool everywhere = std::all_of(
          operands_.begin(), operands_.end(),
          [&](const checked::Operation& other) { return contains(other.labels, label); });
      if (everywhere && whole && length && *length * Rational(count) == *whole)
        found.push_back(label);
    }
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
  }

  // Which dimension of each operand is joined.
  bool find_joined() {
    for (const checked::Operation& operand : operands_) {
      if (!contains(operand.labels, whole_)) continue;
      return fail(
          DiagnosticKind::DimensionReused, call_.subscript.back().at.span,
          fmt::format("`{}` has the dimension `{}` already, and what is made of it is longer",
                      describe(operand, scope_), name_of(whole_)),
          {"a dimension of its own has the whole length: " +
           std::string(pads_ ? "P[J] = pad_{I,J}(A[I])"
                             : "J = K + L, then C[I, J] = concat_J(A[I, K], B[I, L])")});
    }
    if (pads_) return find_padded();
    const auto said = call_.subscript.size() == 2
                          ? scope_.names.find_dimension(call_.subscript.front().text)
                          : std::nullopt;
    for (const checked::Operation& operand : operands_) {
      std::vector<DimensionId> own = own_labels(operand);
      if (const auto part = part_of_whole(operand)) own = {*part};
      if (said && contains(operand.labels, *said)) own = {*said};
      if (own.empty() && !target_.brackets) {
        if (const auto label = label_by_length()) own = {*label};
      }
      if (own.size() == 1) {
        joined_.push_back(own.front());
        continue;
      }
      return fail(DiagnosticKind::BadArgument, operand.span,
                  fmt::format("nothing tells which dimension of `{}` is joined to make `{}`",
                              describe(operand, scope_), name_of(whole_)),
                  {fmt::format("say so: concat_{{{},{}}}(…)",
                               operand.labels.empty() ? "K" : name_of(operand.labels.back()),
                               name_of(whole_))});
    }
    return true;
  }

  bool find_padded() {
    const std::vector<DimensionId>& labels = operands_.front().labels;
    if (call_.subscript.size() == 1 && labels.size() == 1) {
      joined_ = labels;
      return true;
    }
    if (call_.subscript.size() == 1) {
      std::vector<std::string> help;
      const auto wanted = scope_.length_of(whole_);
      for (const DimensionId label : labels) {
        const auto length = scope_.length_of(label);
        if (length && wanted && !(*length < *wanted)) continue;
        if (scope_.store.dimensions[label].literal) continue;
        const std::string padded = print(*call_.arguments.front(), Spelling::Unicode);
        const auto* array = std::get_if<ast::ArrayRef>(&call_.arguments.front()->node);
        const bool is_name = array != nullptr && !array->bracketed && array->indices.empty();
        help.push_back(
            is_name ? fmt::format("pad {} of {} to {}", name_of(label), padded, name_of(whole_))
                    : fmt::format("pad_{{{},{}}}({})", name_of(label), name_of(whole_), padded));
      }
      if (help.empty())
        help.emplace_back(
            "a length in brackets cannot be told from another: give the one that grows a name "
            "where "
            "the array is made, `I = 1024` and `I` in its place");
      return fail(DiagnosticKind::BadArgument, call_.subscript.front().at.span,
                  fmt::format("nothing tells which dimension of `{}` becomes {} long",
                              describe(operands_.front(), scope_), name_of(whole_)),
                  std::move(help));
    }
    const ast::Identifier& name = call_.subscript.front();
    const auto label = scope_.names.find_dimension(name.text);
    if (label && contains(operands_.front().labels, *label)) {
      joined_.push_back(*label);
      return true;
    }
    return fail(DiagnosticKind::UnknownDimension, name.at.span,
                lacks_dimension(operands_.front(), name.text, scope_),
                {own_dimensions(operands_.front().labels, scope_)});
  }

  // All dimensions but those are the same.
  bool check_kept() {
    const auto kept = [&](std::size_t i) {
      std::vector<DimensionId> labels = operands_[i].labels;
      std::erase(labels, joined_[i]);
      std::sort(labels.begin(), labels.end());
      return labels;
    };
    for (std::size_t i = 1; i < operands_.size(); ++i) {
      if (kept(i) == kept(0)) continue;
      return fail(DiagnosticKind::TargetMismatch, operands_[i].span,
                  fmt::format("`{}` and `{}` differ in more than what is joined",
                              describe(operands_[0], scope_), describe(operands_[i], scope_)),
                  {"all dimensions but one have the same names in both"});
    }
    return true;
  }

  bool check_length() {
    Amount sum(0);
    std::vector<std::string> parts;
    for (const DimensionId label : joined_) {
      sum = sum + scope_.size_of(label);
      parts.push_back(name_of(label));
    }
    const auto length = sum.constant();
    const auto whole = scope_.length_of(whole_);
    if (!length || (whole && (pads_ ? !(*whole < *length) : *whole == *length))) return true;
    if (!whole) {
      return fail(DiagnosticKind::UnknownDimension, call_.subscript.back().at.span,
                  fmt::format("nothing says how long `{}` is", name_of(whole_)),
                  {fmt::format("give it a size before: {} = {}", name_of(whole_),
                               pads_ ? length->to_string() : join(parts, " + "))});
    }
    return fail(DiagnosticKind::SizeMismatch, call_.subscript.back().at.span,
                fmt::format("`{}` is {} long, and what becomes it is {}", name_of(whole_),
                            whole->to_string(), length->to_string()),
                {pads_ ? "what is padded becomes longer"
                       : fmt::format("its length is the sum: {} = {}", name_of(whole_),
                                     join(parts, " + "))});
  }

  const ast::Call& call_;
  Span span_;
  const TargetHint& target_;
  CheckContext& context_;
  Scope& scope_;
  bool pads_;
  DimensionId whole_;
  std::vector<checked::Operation> operands_;
  std::vector<DimensionId> joined_;  // by operand
};

}  // namespace

std::optional<checked::Operation> check_concat(const ast::Call& call, Span span,
                                               const TargetHint& target, CheckContext& context) {
  return ConcatChecker(call, span, target, context).check();
}

}  // namespace shard

#include "interpreter/check/contraction.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"

namespace shard {

namespace {

using LabelSet = std::set<DimensionId>;

std::string index_text(const std::vector<DimensionId>& labels, const Scope& scope) {
  const std::vector<std::string> names = scope.store.names_of(labels);
  return names.size() == 1 ? "·_" + names.front() : "·_{" + join(names, ",") + "}";
}

class IndexChecker {
 public:
  IndexChecker(const TargetHint& target, CheckContext& context)
      : target_(target), context_(context), scope_(context.scope) {}

  std::optional<std::vector<DimensionId>> check(const SignedPair& pair) {
    if (!share_or_keep(pair.left, pair.right, pair.sign, pair.last)) return std::nullopt;
    auto summed = contracted(pair.sign, pair.left, pair.right, follow(pair.behind), pair.last);
    if (summed) warn_kept(pair.left, pair.right, pair.sign, *summed, pair.behind);
    return summed;
  }

 private:
  bool has_target() const { return target_.brackets.has_value(); }

  // Labels that later operands or the target have.
  LabelSet follow(LabelSet later_operands) const {
    if (has_target())
      later_operands.insert(target_.brackets->labels.begin(), target_.brackets->labels.end());
    return later_operands;
  }

  // The dimensions of an index as written; each must be in both operands.
  std::optional<std::vector<DimensionId>> written_index(const ast::Product& sign,
                                                        const checked::Operation& left,
                                                        const checked::Operation& right) {
    std::vector<DimensionId> index;
    for (const ast::Identifier& name : sign.index) {
      const auto label = scope_.names.find_dimension(name.text);
      const bool on_left = label && contains(left.labels, *label);
      const bool on_right = label && contains(right.labels, *label);
      if (on_left && on_right) {
        index.push_back(*label);
        continue;
      }
      if (!on_left && !on_right) {
        report_unknown_index(name, left, right);
      } else {
        const std::vector<DimensionId> both = shared(left, right);
        std::vector<Edit> edits;
        const bool kept =
            both.size() == 1 && has_target() && contains(target_.brackets->labels, both.front());
        if (both.size() == 1 && sign.index.size() == 1 && !kept)
          edits.push_back({name.at.span, scope_.store.dimensions[both.front()].name});
        else if (sign.index.size() == 1)
          edits = respelt(sign, *label, on_left ? right : left);
        report(context_, DiagnosticKind::BadContraction, name.at.span,
               fmt::format("`{}` is no dimension of `{}`, so it cannot be contracted", name.text,
                           describe(on_left ? right : left, scope_)),
               {shared_advice(left, right)}, {}, std::move(edits));
      }
      return std::nullopt;
    }
    return index;
  }

  // The index is spelt as in one operand, and nearly as in the other, whose dimension has a size where this one has none: the line with
  // the name that has.
  std::vector<Edit> respelt(const ast::Product& sign, DimensionId slip,
                            const checked::Operation& other) const {
    std::vector<std::string> sized;
    for (const DimensionId label : other.labels) {
      if (scope_.length_of(label)) sized.push_back(scope_.store.dimensions[label].name);
    }
    const std::string& written = scope_.store.dimensions[slip].name;
    const auto near = scope_.length_of(slip) ? std::nullopt : nearest_name(written, sized);
    if (!near) return {};
    std::vector<Edit> edits = {{sign.index.front().at.span, *near}};
    for (const auto* side : {&sign.left, &sign.right}) {
      const auto* array = std::get_if<ast::ArrayRef>(&(*side)->node);
      if (array == nullptr) continue;
      for (const ast::Dimension& dimension : array->dimensions) {
        const auto* name = std::get_if<ast::Identifier>(&dimension.name);
        if (name != nullptr && name->text == written) edits.push_back({name->at.span, *near});
      }
    }
    return edits;
  }

  void report_unknown_index(const ast::Identifier& name, const checked::Operation& left,
                            const checked::Operation& right) {
    std::vector<std::string> known = scope_.store.names_of(left.labels);
    for (const std::string& other : scope_.store.names_of(right.labels)) known.push_back(other);
    const auto near = nearest_name(name.text, known);
    const std::vector<DimensionId> both = shared(left, right);
    std::vector<Edit> edits;
    if (near)
      edits.push_back({name.at.span, *near});
    else if (both.size() == 1)
      edits.push_back({name.at.span, scope_.store.dimensions[both.front()].name});
    report(context_, DiagnosticKind::UnknownDimension, name.at.span,
           fmt::format("neither operand has a dimension `{}`", name.text),
           near ? std::vector<std::string>{} : std::vector{shared_advice(left, right)}, {},
           std::move(edits));
  }

  std::string shared_advice(const checked::Operation& left, const checked::Operation& right) const {
    std::vector<DimensionId> both = shared(left, right);
    // What the target has is not summed.
    std::vector<DimensionId> summed = both;
    if (has_target()) {
      std::erase_if(summed,
                    [&](DimensionId label) { return contains(target_.brackets->labels, label); });
    }
    if (!summed.empty()) both = std::move(summed);
    if (both.empty())
      return fmt::format("`{}` and `{}` share no dimension", describe(left, scope_),
                         describe(right, scope_));
    return fmt::format("the operands share {}: write {}", quoted_names(shared(left, right), scope_),
                       index_text(both, scope_));
  }

  static std::vector<DimensionId> shared(const checked::Operation& left,
                                         const checked::Operation& right) {
    std::vector<DimensionId> labels;
    for (const DimensionId label : left.labels) {
      if (contains(right.labels, label)) labels.push_back(label);
    }
    return labels;
  }

  // What one sign sums over: what it names, or the shared dimensions that nothing needs any more.
  std::optional<std::vector<DimensionId>> contracted(const ast::Product& sign,
                                                     const checked::Operation& left,
                                                     const checked::Operation& right,
                                                     const LabelSet& later, bool last) {
    const std::vector<DimensionId> both = shared(left, right);
    auto index = written_index(sign, left, right);
    if (!index) return std::nullopt;
    if (!sign.index.empty()) {
      for (const DimensionId label : both) {
        if (contains(*index, label) || later.count(label) != 0 || !has_target()) continue;
        std::vector<DimensionId> whole = *index;
        whole.push_back(label);
        report(
            context_, DiagnosticKind::BadContraction, sign.sign.span,
            fmt::format("both operands have `{}`, the target does not, and the index leaves it out",
                        scope_.store.dimensions[label].name),
            {fmt::format("to sum over it as well, write {}", index_text(whole, scope_))});
        return std::nullopt;
      }
      if (last && !has_target() && both.size() > index->size() && !has_own(left, right) &&
          !has_own(right, left)) {
        report_kept_twice(sign, left, *index);
        return std::nullopt;
      }
      return index;
    }
    std::vector<DimensionId> summed;
    std::copy_if(both.begin(), both.end(), std::back_inserter(summed),
                 [&](DimensionId label) { return later.count(label) == 0; });
    if (!has_target() && (last ? both : summed).size() > 1) {
      report(context_, DiagnosticKind::AmbiguousContraction, sign.sign.span,
             fmt::format("the operands share {}, and without the dimensions of a target it is open "
                         "which are summed",
                         quoted_names(both, scope_)),
             ambiguous_help(left, right, both));
      return std::nullopt;
    }
    warn_of_sum(sign, left, right, both);
    return summed;
  }

  // `x * g` of x[B, D] and g[D] is element by element elsewhere, and `W @ x` goes by places there.
  void warn_of_sum(const ast::Product& sign, const checked::Operation& left,
                   const checked::Operation& right, const std::vector<DimensionId>& both) {
    using Sign = ast::ProductSign::Sign;
    if (has_target() || both.empty() || sign.written.sign == Sign::Dot) return;
    // With all dimensions before one's eyes it is the notation's product.
    if (shows_dimensions(*sign.left) && shows_dimensions(*sign.right)) return;
    const std::string named = quoted_names(both, scope_);
    if (sign.written.sign == Sign::Star && !(has_own(left, right) && has_own(right, left))) {
      std::vector<std::string> help = ambiguous_help(left, right, both);
      help.back() = fmt::format("to say that it is the sum: {}", index_text(both, scope_));
      report(
          context_, DiagnosticKind::SummedDimension, sign.sign.span,
          fmt::format("`*` sums over {} here, and elsewhere multiplies element by element", named),
          std::move(help));
    }
    const std::size_t place = right.labels.size() < 2 ? 0 : right.labels.size() - 2;
    const bool by_places =
        left.labels.back() == both.front() && right.labels[place] == both.front();
    if (sign.written.sign != Sign::At || by_places) return;
    report(context_, DiagnosticKind::SummedDimension, sign.sign.span,
           fmt::format("`@` sums over {} here, and elsewhere by places, over `{}` and `{}`", named,
                       scope_.store.dimensions[left.labels.back()].name,
                       scope_.store.dimensions[right.labels[place]].name),
           by_names_or_places(left, right, both, place));
  }

  // A sum by places has dimensions of one length, which get one name.
  std::vector<std::string> by_names_or_places(const checked::Operation& left,
                                              const checked::Operation& right,
                                              const std::vector<DimensionId>& both,
                                              std::size_t place) const {
    std::vector<std::string> help = {
        fmt::format("to say that it is the sum by names: {}", index_text(both, scope_))};
    const DimensionId last = left.labels.back();
    const auto length = scope_.size_of(last).constant();
    const auto other = scope_.size_of(right.labels[place]).constant();
    const bool known = length && other;
    if (known && *length != *other) return help;
    std::vector<DimensionId> labels = right.labels;
    labels[place] = last;
    const bool clear = known && both.size() == 1 && right.labels[place] == both.front() &&
                       std::holds_alternative<checked::Use>(left.node) &&
                       std::holds_alternative<checked::Use>(right.node) && right.layout;
    help.push_back(clear ? fmt::format("by places: {} {} {}{}", describe(left, scope_),
                                       index_text({last}, scope_), name_in(right, scope_),
                                       bracket_text(labels, *right.layout, scope_))
                         : "by places: give the dimensions that are summed one name");
    return help;
  }

  // Where one operand has all dimensions of the other, they are mostly meant to be multiplied element by element, as `*` does
  // elsewhere.
  std::vector<std::string> ambiguous_help(const checked::Operation& left,
                                          const checked::Operation& right,
                                          const std::vector<DimensionId>& both) const {
    std::string indices = index_text({both.front()}, scope_);
    if (both.size() > 1) indices += " or " + index_text(both, scope_);
    std::vector<std::string> help = {fmt::format("write the index, {}, or the target", indices)};
    if (has_own(left, right) && has_own(right, left)) return help;
    const bool named = std::holds_alternative<checked::Use>(left.node) &&
                       std::holds_alternative<checked::Use>(right.node);
    help.insert(help.begin(),
                named ? fmt::format("element by element it is {} ⊙ {}; · is a product that sums",
                                    describe(left, scope_), describe(right, scope_))
                      : "element by element the sign is ⊙; · and * are products that sum");
    return help;
  }

  static bool shows_dimensions(const ast::Expr& expr) {
    if (const auto* product = std::get_if<ast::Product>(&expr.node))
      return shows_dimensions(*product->left) && shows_dimensions(*product->right);
    const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
    return array != nullptr && array->bracketed;
  }

  static bool has_own(const checked::Operation& operand, const checked::Operation& other) {
    return std::any_of(operand.labels.begin(), operand.labels.end(),
                       [&](DimensionId label) { return !contains(other.labels, label); });
  }

  // Where all dimensions are in both operands, only a target tells that those which the index leaves out are a batch:
  // as a product of matrices, the result would have each twice.
  void report_kept_twice(const ast::Product& sign, const checked::Operation& left,
                         const std::vector<DimensionId>& index) {
    std::vector<DimensionId> kept;
    std::copy_if(left.labels.begin(), left.labels.end(), std::back_inserter(kept),
                 [&](DimensionId label) { return !contains(index, label); });
    report(context_, DiagnosticKind::DimensionReused, sign.sign.span,
           fmt::format("both operands have {}, which {} does not sum, so the result would have {} "
                       "twice",
                       quoted_names(kept, scope_), index_text(index, scope_),
                       kept.size() == 1 ? "it" : "them"),
           {fmt::format("to multiply at each {}, write the target: → C[{}]",
                        quoted_names(kept, scope_), join(scope_.store.names_of(kept), ", ")),
            fmt::format("else rename {} in one operand, and sum what is to be summed",
                        quoted_names(kept, scope_))});
  }

  // Operands without a common dimension are multiplied each with each: meant only where the target
  // keeps all of both.
  bool share_or_keep(const checked::Operation& left, const checked::Operation& right,
                     const ast::Product& sign, bool last) {
    if (!sign.index.empty() || !shared(left, right).empty()) return true;
    const auto& wanted = has_target() ? target_.brackets->labels : std::vector<DimensionId>();
    const auto kept = [&](const checked::Operation& operand) {
      return std::all_of(operand.labels.begin(), operand.labels.end(),
                         [&](DimensionId label) { return contains(wanted, label); });
    };
    if (has_target() && (!last || (kept(left) && kept(right)))) return true;
    std::vector<std::string> help;
    std::vector<Edit> edits;
    for (const std::string& name : scope_.store.names_of(left.labels)) {
      if (const auto near = nearest_name(name, scope_.store.names_of(right.labels));
          near && *near != name) {
        help.push_back(fmt::format("did you mean one dimension by `{}` and `{}`?", name, *near));
      }
    }
    if (help.empty() && !left.labels.empty() && !right.labels.empty()) {
      help.push_back(fmt::format(
          "what is summed over is one dimension of both, and `{}` and `{}` are two; a product of "
          "each with each, as `*` makes it in NumPy and JAX, has `⊙`",
          scope_.store.names_of(left.labels).back(), scope_.store.names_of(right.labels).front()));
      if (!has_target()) edits.push_back({sign.sign.span, "⊙"});
    }
    report(context_, DiagnosticKind::NoSharedDimension, sign.sign.span,
           fmt::format("`{}` and `{}` share no dimension", describe(left, scope_),
                       describe(right, scope_)),
           std::move(help), {}, std::move(edits));
    return false;
  }

  // In a chain a shared dimension that a later operand has again is kept. Where nothing else is summed, it was
  // perhaps to be summed here.
  void warn_kept(const checked::Operation& left, const checked::Operation& right,
                 const ast::Product& sign, const std::vector<DimensionId>& summed,
                 const LabelSet& behind) {
    const std::vector<DimensionId> both = shared(left, right);
    if (!sign.index.empty() || !summed.empty() || both.empty() || behind.count(both.back()) == 0)
      return;
    if (has_target() && !contains(target_.brackets->labels, both.back())) return;
    report(context_, DiagnosticKind::KeptDimension, sign.sign.span,
           fmt::format("{} {} kept and not summed, because a later operand has {} as well",
                       quoted_names(both, scope_), both.size() == 1 ? "is" : "are",
                       both.size() == 1 ? "it" : "them"),
           {fmt::format("to sum here, write the index: {}", index_text({both.back()}, scope_))});
  }

  const TargetHint& target_;
  CheckContext& context_;
  Scope& scope_;
};

}  // namespace

std::string quoted_names(const std::vector<DimensionId>& labels, const Scope& scope) {
  std::vector<std::string> names;
  for (const DimensionId label : labels)
    names.push_back("`" + scope.store.dimensions[label].name + "`");
  return join_words(names);
}

std::string subject_text(const checked::Operation& operand, const Scope& scope) {
  const std::string text = describe(operand, scope);
  return operand.labels.empty() && text.starts_with('[') ? "a single element" : "`" + text + "`";
}

std::string lacks_dimension(const checked::Operation& operand, std::string_view name,
                            const Scope& scope) {
  return fmt::format("{} has no dimension `{}`", subject_text(operand, scope), name);
}

std::string own_dimensions(const std::vector<DimensionId>& labels, const Scope& scope) {
  if (labels.empty()) return "it has no dimensions: it is a single element";
  return fmt::format("its dimensions are {}", quoted_names(labels, scope));
}

std::optional<std::vector<DimensionId>> summed_labels(const SignedPair& pair,
                                                      const TargetHint& target,
                                                      CheckContext& context) {
  return IndexChecker(target, context).check(pair);
}

}  // namespace shard

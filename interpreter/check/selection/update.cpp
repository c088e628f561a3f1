// What an index or a part on the left of `=` changes: `KC[B, S, H][S = pos] = v`, `KC[B, 0:T, H] = k`.
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "grammar/print/printer.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/selection/selection.h"
#include "interpreter/check/unused_name.h"

namespace shard {

namespace {

class UpdateChecker {
 public:
  UpdateChecker(const ast::ArrayRef& target, CheckContext& context)
      : target_(target), context_(context), scope_(context.scope) {}

  std::optional<checked::Operation> check(const ast::Expr& value) {
    auto changed = check_changed();
    if (!changed) return std::nullopt;
    checked::Operation& whole = changed->whole;
    std::vector<CheckedIndex> indices;
    if (!add_indices(*changed, value, indices)) return std::nullopt;
    std::vector<DimensionId> along;
    for (const CheckedIndex& index : indices) along.push_back(index.along);
    std::optional<DimensionId> part;
    if (indices.empty()) {
      along.push_back(whole.labels[changed->parts.front().dimension]);
      part = label_of(changed->parts.front(), value, whole, {});
    }
    const TargetHint hint = hint_for_value(whole, along, indices, part);
    auto put = is_number(value, scope_)
                   ? filled(value, hint.brackets->labels, whole.dtype, context_)
                   : check_operation(value, hint, context_);
    if (put) rename(*put, hint.brackets->labels);
    if (!put || !check_put(*put, value, hint) || !check_whole(whole, *put, indices))
      return std::nullopt;
    const Formula position = part ? changed->parts.front().begin : indices.front().position;
    return updated(std::move(whole), *std::move(put), std::move(along), std::move(indices),
                   position);
  }

 private:
  std::nullopt_t fail(DiagnosticKind kind, Span span, std::string message, std::string help) {
    report(context_, kind, span, std::move(message), {std::move(help)});
    return std::nullopt;
  }

  // The array whose elements change, and the part of it that is named.
  std::optional<PartsOfArray> check_changed() {
    ast::ArrayRef whole = target_;
    whole.indices.clear();
    if (has_part(whole)) return check_changed_part(whole);
    // With brackets an array that is not known becomes an input, as anywhere.
    if (whole.bracketed || (whole.name && scope_.names.find_array(whole.name->text))) {
      auto operation = check_use(whole, context_);
      if (!operation) return std::nullopt;
      return PartsOfArray{*std::move(operation), {}};
    }
    if (whole.name && scope_.told.is_unknown(whole.name->text)) return std::nullopt;
    return fail(
        DiagnosticKind::UnknownName, target_.at.span,
        "there is no such array whose elements could be changed",
        fmt::format("make it first: {}[I, J] = zeros", whole.name ? whole.name->text : "A"));
  }

  std::optional<PartsOfArray> check_changed_part(const ast::ArrayRef& whole) {
    auto changed = check_parts(whole, context_);
    if (!changed) return std::nullopt;
    if (changed->parts.empty() && target_.indices.empty()) {
      return fail(DiagnosticKind::BadIndex, whole.at.span, "this is all of the array, and no part",
                  "write its dimensions: A[I, J] = …");
    }
    return changed;
  }

  // What is written behind the brackets; and of several parts, or a part beside an index, each as an index of the places in it.
  // One part alone is put in as it lies.
  bool add_indices(const PartsOfArray& changed, const ast::Expr& value,
                   std::vector<CheckedIndex>& indices) {
    const std::size_t count = target_.indices.size() + changed.parts.size();
    for (const ast::Index& written : target_.indices) {
      auto index = check_index(written, changed.whole, context_);
      if (!index || !check_other(*index, indices) || !make_array(written, count, *index))
        return false;
      indices.push_back(*std::move(index));
    }
    if (count == 1) return true;
    std::vector<DimensionId> taken;
    for (const DimensionPart& part : changed.parts) {
      const DimensionId label = label_of(part, value, changed.whole, taken);
      taken.push_back(label);
      CheckedIndex places{changed.whole.labels[part.dimension], places_of(part, label), {}};
      if (!check_other(places, indices)) return false;
      indices.push_back(std::move(places));
    }
    return true;
  }

  // iota + the part's begin.
  checked::Operation places_of(const DimensionPart& part, DimensionId label) const {
    checked::Elementwise elements;
    elements.program.push_back({.op = ElementOp::Position,
                                .label = label.value,
                                .name = scope_.store.dimensions[label].name});
    if (!part.begin.is_zero()) {
      elements.program.push_back({.op = ElementOp::Constant, .constant = part.begin});
      elements.program.push_back({.op = ElementOp::Add});
    }
    checked::Operation places{.node = std::move(elements), .labels = {label}};
    places.dtype = DType::Int32;
    places.layout = replicated(1);
    places.span = part.span;
    return places;
  }

  // Each dimension is looked along once, and no array of indices has one that is.
  bool check_other(const CheckedIndex& index, const std::vector<CheckedIndex>& others) {
    for (const CheckedIndex& other : others) {
      const bool crosses = (index.array && contains(index.array->labels, other.along)) ||
                           (other.array && contains(other.array->labels, index.along));
      if (index.along != other.along && !crosses) continue;
      fail(DiagnosticKind::BadIndex, target_.at.span,
           crosses ? "an index has a dimension that another one picks from"
                   : fmt::format("dimension `{}` has two indices",
                                 scope_.store.dimensions[index.along].name),
           "each index picks from a dimension of its own: A[I, J][I = 3, J = 0] = …");
      return false;
    }
    return true;
  }

  // Of several indices each is an array, if it is but one number.
  bool make_array(const ast::Index& written, std::size_t count, CheckedIndex& index) {
    if (count == 1 || index.array) return true;
    index.array = filled(*written.value, {}, DType::Int32, context_);
    return index.array.has_value();
  }

  // The dimension that the value has in the place of a part: the one that is named in the part, or else the first of the value that
  // is as long; the length itself if there is none.
  DimensionId label_of(const DimensionPart& part, const ast::Expr& value,
                       const checked::Operation& whole, const std::vector<DimensionId>& taken) {
    const auto fits = [&](DimensionId label) {
      return scope_.length_of(label) == Rational(part.length) && !contains(whole.labels, label) &&
             !contains(taken, label);
    };
    if (part.name && fits(*part.name)) return *part.name;
    std::vector<DimensionId> found;
    const auto look = [&](const ast::Expr& inner) {
      const auto* array = std::get_if<ast::ArrayRef>(&inner.node);
      const auto known = array != nullptr && array->name
                             ? scope_.names.find_array(array->name->text)
                             : std::nullopt;
      if (!known) return false;
      for (const DimensionId label : scope_.store.arrays[*known].dimensions) {
        if (fits(label) && !contains(found, label)) found.push_back(label);
      }
      return false;
    };
    any_inside(value, look);
    if (!found.empty()) return found.front();
    std::vector<DimensionId> others = whole.labels;
    others.insert(others.end(), taken.begin(), taken.end());
    return scope_.intern_length_beside(others, part.length);
  }

  // What is put in has the dimensions of the array; in the place of those that are looked along it has those of the indices, or
  // that of the part, and has them whole.
  TargetHint hint_for_value(const checked::Operation& whole, const std::vector<DimensionId>& along,
                            const std::vector<CheckedIndex>& indices,
                            std::optional<DimensionId> part) const {
    TargetHint hint{.brackets = Brackets{.labels = {}, .layout = {}}, .span = target_.at.span};
    std::vector<DimensionId>& labels = hint.brackets->labels;
    auto& splits = hint.brackets->layout.dims.edit();
    const auto add = [&](DimensionId label) {
      if (contains(whole.labels, label) || contains(labels, label)) return;
      labels.push_back(label);
      splits.emplace_back();
    };
    for (std::size_t d = 0; d < whole.labels.size(); ++d) {
      if (!contains(along, whole.labels[d])) {
        labels.push_back(whole.labels[d]);
        splits.push_back(whole.layout->dims[d]);
      } else if (part) {
        add(*part);
      } else {
        for (const CheckedIndex& index : indices) {
          if (!index.array || index.along != whole.labels[d]) continue;
          for (const DimensionId own : index.array->labels) add(own);
        }
      }
    }
    return hint;
  }

  // Whether its dimensions are as long as these, one by one, and not the same.
  bool has_other_names(const checked::Operation& put,
                       const std::vector<DimensionId>& labels) const {
    return put.labels.size() == labels.size() &&
           !std::is_permutation(labels.begin(), labels.end(), put.labels.begin()) &&
           std::equal(labels.begin(), labels.end(), put.labels.begin(),
                      [&](DimensionId a, DimensionId b) {
                        return scope_.size_of(a) == scope_.size_of(b);
                      });
  }

  // As in an assignment, dimensions of an array get other names by their places.
  void rename(checked::Operation& put, const std::vector<DimensionId>& labels) const {
    if (std::holds_alternative<checked::Use>(put.node) && has_other_names(put, labels))
      put.labels = labels;
  }

  // As in check_result_labels; an element or a part of other dimensions that are as long goes in under a name of its own, which
  // `rename` takes over.
  bool check_put(const checked::Operation& put, const ast::Expr& value, const TargetHint& hint) {
    const auto& labels = hint.brackets->labels;
    if (has_other_names(put, labels)) {
      const std::string name = unused_array_name(scope_);
      const std::string target = print(ast::Expr{.node = target_, .at = {}}, Spelling::Unicode);
      const std::string line = fmt::format("{} = {}; {} = {}", name,
                                           one_line(print(value, Spelling::Unicode)), target, name);
      report(context_, DiagnosticKind::DroppedDimension, value.at.span,
             fmt::format("what is put in is `{}`, and its place `{}`", describe(put, scope_),
                         bracket_text(labels, hint.brackets->layout, scope_)),
             {}, {}, {{cover(target_.at.span, value.at.span), line}});
      return false;
    }
    if (const auto loop = repeated(put, value, hint)) {
      report(context_, DiagnosticKind::TargetMismatch, value.at.span,
             fmt::format("what is put in is `{}`, which has no dimension for the part",
                         describe(put, scope_)),
             {}, {}, {{cover(target_.at.span, value.at.span), *loop}});
      return false;
    }
    return check_result_labels(put, hint, context_);
  }

  // `A[1:3, :] = A[0, :]` as a loop that puts it into each; nullopt where more than that is wrong.
  std::optional<std::string> repeated(const checked::Operation& put, const ast::Expr& value,
                                      const TargetHint& hint) const {
    const std::string counter = unused_name({"i", "j", "k", "n"}, scope_);
    ast::ArrayRef one = target_;
    ast::Slice part;
    int parts = 0;
    for (ast::Dimension& dimension : one.dimensions) {
      const auto* slice = std::get_if<ast::Slice>(&dimension.name);
      if (slice == nullptr || !slice->end) continue;
      part = *slice;
      dimension.name = ast::Identifier{counter, dimension.at};
      ++parts;
    }
    const auto& labels = hint.brackets->labels;
    const bool fits = parts == 1 && put.labels.size() + 1 == labels.size() &&
                      std::all_of(put.labels.begin(), put.labels.end(),
                                  [&](DimensionId label) { return contains(labels, label); });
    if (!fits) return std::nullopt;
    const std::string begin = part.begin ? print(**part.begin, Spelling::Unicode) : "0";
    return fmt::format("for {} in {}..{} {{ {} = {} }}", counter, begin,
                       print(**part.end, Spelling::Unicode),
                       print(ast::Expr{.node = one, .at = {}}, Spelling::Unicode),
                       one_line(print(value, Spelling::Unicode)));
  }

  // Whether a value comes out as partial sums over the axes, whatever else its parts are split over.
  bool is_sum_over(const checked::Operation& value, const SharedList<AxisId>& axes) const {
    if (value.layout) {
      const Layout layout = without_trivial_axes(*value.layout, scope_.mesh());
      return layout.unreduced == axes && layout.combination == Combination::Sum;
    }
    const auto* elements = std::get_if<checked::Elementwise>(&value.node);
    if (elements == nullptr) return false;
    std::vector<bool> partial;
    for (const checked::Operation& operand : elements->operands)
      partial.push_back(is_sum_over(operand, axes));
    return contains(partial, true) && is_linear_in(elements->program, partial);
  }

  // Partial sums are put among partial sums over the same axes: each device changes its own part.
  bool are_sums_alike(const checked::Operation& whole, const checked::Operation& put) const {
    if (!whole.layout) return false;
    const Layout into = without_trivial_axes(*whole.layout, scope_.mesh());
    return !into.unreduced.empty() && into.combination == Combination::Sum &&
           is_sum_over(put, into.unreduced);
  }

  bool check_whole(const checked::Operation& whole, const checked::Operation& put,
                   const std::vector<CheckedIndex>& indices) {
    const bool are_reduced =
        are_sums_alike(whole, put) ||
        (check_reduced(whole, "what is put in is not, so it would be there once for each device",
                       context_) &&
         check_reduced(put, "a value is put in whole", context_));
    return are_reduced &&
           std::all_of(indices.begin(), indices.end(), [&](const CheckedIndex& index) {
             return !index.array ||
                    check_reduced(*index.array, "indices have to be whole", context_);
           });
  }

  checked::Operation updated(checked::Operation whole, checked::Operation put,
                             std::vector<DimensionId> along, std::vector<CheckedIndex> indices,
                             const Formula& position) const {
    checked::Selection update{.kind = SelectionKind::Update,
                              .operands = {},
                              .along = std::move(along),
                              .position = position};
    const std::vector<DimensionId> labels = whole.labels;
    const DType dtype = whole.dtype;
    update.operands.push_back(std::move(whole));
    update.operands.push_back(std::move(put));
    for (CheckedIndex& index : indices) {
      if (index.array) update.operands.push_back(*std::move(index.array));
    }
    return selection_of(std::move(update), labels, dtype, target_.at.span, scope_);
  }

  const ast::ArrayRef& target_;
  CheckContext& context_;
  Scope& scope_;
};

}  // namespace

bool changes_elements(const ast::ArrayRef& target) {
  return !target.indices.empty() || has_part(target);
}

std::optional<checked::Operation> check_update(const ast::ArrayRef& target, const ast::Expr& value,
                                               CheckContext& context) {
  return UpdateChecker(target, context).check(value);
}

}  // namespace shard

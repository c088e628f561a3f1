// Parts of dimensions, `A[I_X, 0:J/2]`, where an array is read.
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/array.h"
#include "interpreter/check/former_array.h"
#include "interpreter/check/selection/part_name.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/check/selection/selection.h"

namespace shard {

namespace {

const ast::Slice* slice_of(const ast::Dimension& dimension) {
  return std::get_if<ast::Slice>(&dimension.name);
}

class PartChecker {
 public:
  PartChecker(ast::ArrayRef array, const TargetHint& target, bool changes, CheckContext& context)
      : array_(std::move(array)),
        target_(target),
        changes_(changes),
        context_(context),
        scope_(context.scope) {}

  std::optional<PartsOfArray> find() {
    const auto known = array_.name ? scope_.names.find_array(array_.name->text) : std::nullopt;
    if (!known) return report_unknown();
    const std::vector<DimensionId> dimensions = scope_.store.arrays[*known].dimensions;
    open_rest(array_, dimensions.size());
    ast::ArrayRef whole = array_;
    if (!name_dimensions(dimensions, whole)) return std::nullopt;
    find_splits(*known, whole);
    if (!check_there(*known, whole)) return std::nullopt;
    auto operation = check_use(whole, context_);
    if (!operation) return std::nullopt;
    std::vector<DimensionPart> parts;
    for (std::size_t d = 0; d < array_.dimensions.size(); ++d) {
      const ast::Slice* slice = slice_of(array_.dimensions[d]);
      if (slice == nullptr || (!slice->begin && !slice->end)) continue;
      if (!add_part(*slice, d, operation->labels[d], parts)) return std::nullopt;
    }
    if (!changes_) name_wholes(operation->labels);
    return PartsOfArray{*std::move(operation), std::move(parts)};
  }

  std::optional<checked::Operation> check() {
    auto found = find();
    if (!found) return std::nullopt;
    std::optional<checked::Operation> operation = std::move(found->whole);
    const std::vector<DimensionPart>& parts = found->parts;
    for (std::size_t i = 0; operation && i < parts.size(); ++i)
      operation = take(*std::move(operation), parts[i], i + 1 == parts.size());
    return operation;
  }

 private:
  bool fail(DiagnosticKind kind, Span span, std::string message,
            std::vector<std::string> help = {}) {
    report(context_, kind, span, std::move(message), std::move(help));
    return false;
  }

  std::nullopt_t report_unknown() {
    if (array_.name && (scope_.told.is_unknown(array_.name->text) ||
                        report_dropped(array_.name->text, array_.at.span, context_)))
      return std::nullopt;
    fail(DiagnosticKind::UnknownDimension, array_.at.span,
         "nothing tells which dimension this is a part of",
         {"declare the array before: A: bf16[I, J], then A[I, 0:J/2]"});
    return std::nullopt;
  }

  // A number that is no length, and more brackets than dimensions, are an index of another language.
  bool report_index(Span span) {
    return fail(DiagnosticKind::NotYet, span,
                "parts of dimensions stand among names of dimensions here",
                {"an element is picked by a second pair of brackets: A[I, 0:8][I = 3]"});
  }

  // The array's own names in the place of parts of them.
  bool name_dimensions(const std::vector<DimensionId>& own, ast::ArrayRef& whole) {
    if (own.size() < whole.dimensions.size()) return report_index(array_.at.span);
    if (own.size() != whole.dimensions.size()) {
      ast::ArrayRef completed = array_;
      completed.dimensions.push_back({.name = ast::Rest{}});
      report(context_, DiagnosticKind::RankMismatch, array_.at.span,
             fmt::format("`{}` has {} dimension{}, and {} stand{} in the brackets",
                         array_.name->text, own.size(), own.size() == 1 ? "" : "s",
                         whole.dimensions.size(), whole.dimensions.size() == 1 ? "s" : ""),
             {"all of a dimension is `:`, and all of those that are not written is `…`"}, {},
             {{array_.at.span, shard::print(completed, Spelling::Unicode)}});
      return false;
    }
    for (std::size_t d = 0; d < own.size(); ++d) {
      const DimensionInfo& info = scope_.store.dimensions[own[d]];
      const auto* number = std::get_if<ast::Number>(&whole.dimensions[d].name);
      if (number != nullptr && number->value.to_int64() != info.literal)
        return report_index(array_.at.span);
      const auto* name = std::get_if<ast::Identifier>(&whole.dimensions[d].name);
      if (name != nullptr && name->text == "None" && !scope_.names.find_dimension("None")) {
        report(context_, DiagnosticKind::BadIndex, name->at.span,
               "dimensions are matched by name, so no `None` is needed", {}, {},
               {{array_.at.span, array_.name->text}});
        return false;
      }
      if (slice_of(whole.dimensions[d]) == nullptr) continue;
      const ast::Location at = whole.dimensions[d].at;
      if (info.literal)
        whole.dimensions[d].name =
            ast::Number{Rational(*info.literal), kPlain, fmt::format("{}", *info.literal), at};
      else
        whole.dimensions[d].name = ast::Identifier{info.name, at};
    }
    return true;
  }

  // A part is taken of the copy that there is: where the brackets do not say how its dimension is split, and no copy has it
  // whole, it is split, placed and unreduced as the newest copy that has the other dimensions as written.
  void find_splits(ArrayId id, ast::ArrayRef& whole) {
    DiagnosticSink unseen;
    CheckContext trial{scope_, unseen, context_.scalars};
    const auto brackets = check_brackets(whole, trial);
    if (!brackets || unseen.has_errors()) return;
    const Layout written = without_trivial_axes(brackets->layout, scope_.mesh());
    if (find_copy(id, written, scope_) != nullptr) return;
    const LiveCopies& copies = scope_.held.of(id);
    for (auto copy = copies.rbegin(); copy != copies.rend(); ++copy) {
      if (copy->inferred || !agrees(copy->layout, written)) continue;
      for (std::size_t d = 0; d < whole.dimensions.size(); ++d) {
        if (!is_open(d)) continue;
        for (const AxisId axis : copy->layout.dims[d])
          whole.dimensions[d].axes.push_back({scope_.name_of(axis), whole.dimensions[d].at});
      }
      if (array_.placed.empty()) name_places(copy->layout, whole);
      if (array_.unreduced.empty()) name_sums(copy->layout, whole);
      return;
    }
  }

  void name_places(const Layout& copy, ast::ArrayRef& whole) const {
    for (const Placement& place : copy.placed) {
      const std::string number = fmt::format("{}", place.coordinate);
      whole.placed.push_back(
          {{scope_.name_of(place.axis), array_.at},
           ast::Expr{.node = ast::Number{Rational(place.coordinate), kPlain, number, array_.at},
                     .at = array_.at}});
    }
  }

  void name_sums(const Layout& copy, ast::ArrayRef& whole) const {
    for (const AxisId axis : copy.unreduced)
      whole.unreduced.push_back({scope_.name_of(axis), array_.at});
    if (copy.combination == Combination::Max) whole.parts = ast::Parts::Maxima;
    if (copy.combination == Combination::Min) whole.parts = ast::Parts::Minima;
  }

  bool is_open(std::size_t d) const {
    return slice_of(array_.dimensions[d]) != nullptr && array_.dimensions[d].axes.empty();
  }

  // Bare names ask for whole dimensions, which is rarely meant where a part is taken or changed: `:` leaves them. An input that is
  // only read may have another copy.
  bool check_there(ArrayId id, const ast::ArrayRef& whole) {
    const bool computed = scope_.store.arrays[id].computed;
    if (!changes_ && !computed && scope_.held.newest_written(id) != nullptr) return true;
    DiagnosticSink unseen;
    CheckContext trial{scope_, unseen, context_.scalars};
    const auto brackets = check_brackets(whole, trial);
    if (!brackets || unseen.has_errors()) return true;
    const Layout written = without_trivial_axes(brackets->layout, scope_.mesh());
    const LiveCopy* newest = scope_.held.newest_written(id);
    if (newest == nullptr || find_copy(id, written, scope_) != nullptr) return true;
    ast::ArrayRef open = array_;
    for (ast::Dimension& dimension : open.dimensions) {
      if (slice_of(dimension) != nullptr) continue;
      dimension.name = ast::Slice{};
      dimension.axes.clear();  // `:` is all that a device has
    }
    report(context_, DiagnosticKind::NoSuchCopy, array_.at.span,
           fmt::format("there is no copy `{}`; there is `{}`",
                       shard::print(ast::Expr{.node = whole, .at = {}}, Spelling::Unicode),
                       scope_.describe(id, newest->layout)),
           {}, {},
           {{array_.at.span,
             shard::print(ast::Expr{.node = std::move(open), .at = {}}, Spelling::Unicode)}});
    return false;
  }

  bool agrees(const Layout& copy, const Layout& written) const {
    Layout same = copy;
    if (array_.placed.empty()) same.placed = written.placed;
    if (array_.unreduced.empty()) {
      same.unreduced = written.unreduced;
      same.combination = written.combination;
    }
    for (std::size_t d = 0; d < array_.dimensions.size(); ++d) {
      if (is_open(d)) same.dims.edit()[d] = written.dims[d];
    }
    return same == written;
  }

  // A bound of a part, counted from the end if it is negative; nullopt after a report.
  std::optional<Formula> bound(const ast::Expr& expr, DimensionId label) {
    auto number = plain_number(expr, context_);
    if (!number) return std::nullopt;
    const auto constant = number->constant();
    if (!constant || !(*constant < Rational(0))) return number;
    return *number + Formula(scope_.size_of(label));
  }

  // "H2 = 1024, K = 1024" for the names that a formula leaves open.
  static std::string sizes_for(const Formula& open) {
    std::string sizes;
    for (std::string name : open.symbols()) {
      std::erase(name, '|');  // of a dimension with the name of an axis
      sizes += fmt::format("{}{} = 1024", sizes.empty() ? "" : ", ", name);
    }
    return sizes;
  }

  bool add_part(const ast::Slice& slice, std::size_t d, DimensionId label,
                std::vector<DimensionPart>& parts) {
    const Span span = array_.dimensions[d].at.span;
    const Formula whole(scope_.size_of(label));
    const auto begin = slice.begin ? bound(**slice.begin, label) : std::optional(Formula());
    const auto end = slice.end ? bound(**slice.end, label) : std::optional(whole);
    if (!begin || !end) return false;
    const std::string name = scope_.store.dimensions[label].name;
    const Formula open = *end - *begin;
    const auto length = open.constant();
    if (!length) {
      return fail(
          DiagnosticKind::BadArgument, span,
          fmt::format("how long this part of `{}` is has no value yet: {}", name, open.to_string()),
          {fmt::format("give the names in it sizes: {}", sizes_for(open))});
    }
    const auto from = begin->constant();
    const auto all = scope_.length_of(label);
    const auto whole_number = [](const std::optional<Rational>& number) {
      return !number || number->to_int64().has_value();
    };
    const bool inside = whole_number(from) && whole_number(length) && *length > Rational(0) &&
                        !(from && *from < Rational(0)) && !(from && all && *all < *from + *length);
    if (!inside) {
      return fail(
          DiagnosticKind::BadIndex, span,
          fmt::format("`{}` is no part of dimension `{}`, which is {} long",
                      print(ast::ArrayRef{.bracketed = true, .dimensions = {array_.dimensions[d]}}),
                      name, scope_.size_of(label).to_string()),
          {"a part begins with its first element and ends before its second number: 0:4 "
           "has four"});
    }
    const bool is_last = !slice.end || *end == whole;
    const auto own_name = name_of_part(slice, *begin, is_last, scope_);
    if (from && all && *from == Rational(0) && *length == *all) {
      if (own_name) whole_by_name_.emplace_back(d, *own_name);
      return true;
    }
    parts.push_back({d, *begin, *length->to_int64(), own_name, span});
    return true;
  }

  // `cache[0:P]` may be all of it.
  void name_wholes(std::vector<DimensionId>& labels) const {
    for (const auto& [d, name] : whole_by_name_) {
      const DimensionId own = labels[d];
      const bool is_kept = target_.brackets && contains(target_.brackets->labels, own);
      if (!is_kept && !contains(labels, name) && scope_.length_of(name) == scope_.length_of(own))
        labels[d] = name;
    }
  }

  static std::string print(const ast::ArrayRef& brackets) {
    const std::string text = shard::print(ast::Expr{.node = brackets, .at = {}}, Spelling::Unicode);
    return text.substr(1, text.size() - 2);
  }

  // What the part is called: the dimension of the target that the array lacks and that is as long, of several the one in the same
  // place, or its length.
  DimensionId label_for(const DimensionPart& part, const checked::Operation& operation) {
    std::vector<DimensionId> fitting;
    if (target_.brackets) {
      for (const DimensionId label : target_.brackets->labels) {
        if (!contains(operation.labels, label) &&
            scope_.length_of(label) == std::optional(Rational(part.length)))
          fitting.push_back(label);
      }
    }
    const bool named = part.name && !contains(operation.labels, *part.name) &&
                       scope_.length_of(*part.name) == Rational(part.length);
    if (named && contains(fitting, *part.name)) return *part.name;
    if (!fitting.empty()) {
      const auto& labels = target_.brackets->labels;
      const bool in_place =
          labels.size() == operation.labels.size() && contains(fitting, labels[part.dimension]);
      return in_place ? labels[part.dimension] : fitting.front();
    }
    return named ? *part.name : scope_.intern_length_beside(operation.labels, part.length);
  }

  // The target of a part has a dimension that is as long.
  bool check_target(const DimensionPart& part, DimensionId label) {
    if (!target_.brackets || target_.within || contains(target_.brackets->labels, label))
      return true;
    if (target_.brackets->labels.empty()) {
      return fail(
          DiagnosticKind::SizeMismatch, target_.span,
          fmt::format("what is put in is a part, {} long, and its place is one element",
                      part.length),
          {fmt::format("name the part that it goes into, 0:{}, or make an array with a name "
                       "of its own",
                       part.length)});
    }
    return fail(
        DiagnosticKind::SizeMismatch, target_.span,
        fmt::format("the part is {} long, and no other dimension of the target is", part.length),
        {fmt::format("N = {}, and N in the place of the dimension that is cut", part.length)});
  }

  std::optional<checked::Operation> take(checked::Operation operation, const DimensionPart& part,
                                         bool last) {
    const DimensionId label = label_for(part, operation);
    const DimensionId along = operation.labels[part.dimension];
    if (!check_target(part, label)) return std::nullopt;
    std::vector<DimensionId> labels = operation.labels;
    labels[part.dimension] = label;
    // Parts are taken in the order of the dimensions, which the target may change at the end.
    if (last && !target_.within) labels = in_target_order(std::move(labels), target_);
    const DType dtype = operation.dtype;
    checked::Selection selection{
        .kind = SelectionKind::Gather, .operands = {}, .along = {along}, .position = part.begin};
    selection.operands.push_back(std::move(operation));
    return selection_of(std::move(selection), std::move(labels), dtype, array_.at.span, scope_);
  }

  ast::ArrayRef array_;
  const TargetHint& target_;
  bool changes_;                                                    // the part is assigned to
  std::vector<std::pair<std::size_t, DimensionId>> whole_by_name_;  // parts that are all of it
  CheckContext& context_;
  Scope& scope_;
};

}  // namespace

bool has_part(const ast::ArrayRef& array) {
  return std::any_of(array.dimensions.begin(), array.dimensions.end(),
                     [](const ast::Dimension& one) { return slice_of(one) != nullptr; });
}

std::optional<PartsOfArray> check_parts(const ast::ArrayRef& array, CheckContext& context) {
  return PartChecker(array, TargetHint{}, true, context).find();
}

std::optional<checked::Operation> check_part(const ast::ArrayRef& array, const TargetHint& target,
                                             CheckContext& context) {
  return PartChecker(array, target, false, context).check();
}

}  // namespace shard

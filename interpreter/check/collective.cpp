// A collective must do what it says (design: language, "What is checked", rules 5 and 6).
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/check/collective_axes.h"
#include "interpreter/check/collective_help.h"
#include "interpreter/check/operation.h"
#include "interpreter/planning/search/moves.h"
#include "runtime/network/block_moves.h"

namespace shard {
namespace {

using Axes = std::vector<AxisId>;

constexpr std::int64_t kMaxShift = 1 << 20;

class CollectiveChecker {
 public:
  CollectiveChecker(const ast::Collective& collective, Span span, const TargetHint& target,
                    CheckContext& context)
      : collective_(collective), span_(span), context_(context), scope_(context.scope) {
    if (target.brackets) hint_ = &target.brackets->layout;
    hint_is_result_ = !target.within;
    target_failed_ = target.failed;
  }

  std::optional<checked::Operation> check() {
    auto operand = check_operation(*collective_.operand, {}, context_);
    if (!operand || target_failed_) return std::nullopt;
    if (!operand->layout) {
      report(context_, DiagnosticKind::LocalNeedsCommunication, operand->span,
             "the operand of a written collective needs communication itself",
             {"write the product with its own target first, then the collective"});
      return std::nullopt;
    }
    operand_ = &*operand;
    layout_ = *operand->layout;
    if (hint_ != nullptr && hint_->rank() != layout_.rank()) hint_ = nullptr;
    if (!find_axes() || !apply()) return std::nullopt;
    checked::Operation result{.node = checked::Collective{.kind = collective_.kind,
                                                          .axes = axes_,
                                                          .shift = shift_,
                                                          .operand = *operand,
                                                          .layout = layout_}};
    result.labels = operand->labels;
    result.dtype = operand->dtype;
    result.layout = layout_;
    result.span = span_;
    return result;
  }

 private:
  std::string kind_name() const { return std::string(name_of(collective_.kind)); }
  std::string axis_name(AxisId axis) const { return scope_.mesh().axes[axis].name; }
  std::string operand_text() const { return describe(*operand_, scope_); }

  std::string dimension_name(std::size_t dimension) const {
    return scope_.store.dimensions[operand_->labels[dimension]].name;
  }

  // Always false, for `return fail(…)`.
  bool fail(DiagnosticKind kind, Span span, std::string message, std::vector<std::string> help) {
    report(context_, kind, span, std::move(message), std::move(help));
    return false;
  }

  // The axes that were written; else those that the target shows.
  bool find_axes() {
    for (const ast::Identifier& name : collective_.axes) {
      const auto axis = check_axis(name, context_);
      if (!axis) return false;
      if (contains(axes_, *axis)) {
        return fail(DiagnosticKind::AxisReused, name.at.span,
                    fmt::format("axis `{}` is named twice", name.text), {"name it once"});
      }
      axes_.push_back(*axis);
    }
    if (axes_.empty()) axes_ = inferred_axes(collective_.kind, layout_, hint_);
    if (!axes_.empty()) return true;
    if (adds_up(collective_.kind) && layout_.unreduced.empty())
      return report_not_unreduced(std::nullopt);
    return fail(DiagnosticKind::AmbiguousCollective, collective_.name.span,
                fmt::format("{} of `{}` names no axis, and nothing shows which is meant",
                            kind_name(), operand_text()),
                {fmt::format("write the axis: {}_X {}", kind_name(), operand_text())});
  }

  bool apply() {
    switch (collective_.kind) {
      case ast::CollectiveKind::AllGather:
        return gather();
      case ast::CollectiveKind::ReduceScatter:
        return reduce_scatter();
      case ast::CollectiveKind::AllReduce:
        return reduce();
      case ast::CollectiveKind::AllToAll:
        return exchange();
      case ast::CollectiveKind::CollectivePermute:
        return permute();
      case ast::CollectiveKind::Broadcast:
        return broadcast();
      case ast::CollectiveKind::Shift:
        return shift();
    }
    return false;
  }

  // What makes the statement right; empty if nothing shows it.
  std::vector<Edit> edits() const {
    return collective_edits(collective_, *operand_, hint_is_result_ ? hint_ : nullptr, scope_);
  }
  // Whether only the collective is another one.
  static bool say_all(const std::vector<Edit>& edits) {
    return !edits.empty() && !edits.front().text.empty();
  }

  // The edits make a line that stands before the advice, or says it all.
  bool fail_with_edits(DiagnosticKind kind, std::string message, std::string advice,
                       std::vector<Edit> edits) {
    const bool alone = say_all(edits) || advice.empty();
    report(context_, kind, collective_.name.span, std::move(message),
           alone ? std::vector<std::string>() : std::vector{std::move(advice)}, {},
           std::move(edits));
    return false;
  }

  bool report_not_split(AxisId axis) {
    const std::string name = axis_name(axis);
    std::string help = hint_ != nullptr
                           ? way_between(*operand_, *hint_, scope_)
                           : fmt::format("`{}` is already whole along `{}`: nothing is to be done",
                                         operand_text(), name);
    if (contains(layout_.unreduced, axis)) {
      help = fmt::format(
          "it is unreduced over `{}`: AllReduce_{} sums it, ReduceScatter_{{{},…}} sums and splits "
          "it",
          name, name, name);
    }
    if (const auto place = place_on(layout_, axis)) {
      help =
          fmt::format("only the devices with {0} = {1} hold it: Broadcast_{0} {2} brings it to all",
                      name, *place, operand_text());
    }
    const auto home = hint_ == nullptr ? std::nullopt : dimension_split_by(*hint_, axis);
    if (home && !contains(layout_.unreduced, axis)) {
      help = fmt::format(
          "to split `{}` over `{}` is a slice, which costs nothing and is no collective's work",
          dimension_name(*home), name);
    }
    const std::vector<std::string> names = scope_.store.names_of(operand_->labels);
    const bool is_dimension = contains(names, name);
    return fail_with_edits(
        DiagnosticKind::NotSharded,
        is_dimension ? fmt::format("`{}` is a dimension of `{}`, and {} names the axis that "
                                   "splits it",
                                   name, operand_text(), kind_name())
                     : fmt::format("{}_{} of `{}`, which `{}` does not split", kind_name(), name,
                                   operand_text(), name),
        help, edits());
  }

  bool report_not_unreduced(std::optional<AxisId> axis) {
    const std::string name = axis ? axis_name(*axis) : "X";
    const bool split = axis && dimension_split_by(layout_, *axis);
    std::vector<Edit> edits = this->edits();
    std::string advice =
        split ? fmt::format("`{}` splits one of its dimensions: AllGather_{} makes that whole",
                            name, name)
              : fmt::format(
                    "a sum is pending only where a {{U_{}}} says so, as after ·LOCAL "
                    "over a dimension that `{}` splits",
                    name, name);
    const bool towards = hint_ != nullptr && hint_is_result_;
    if (towards && !say_all(edits)) advice = way_between(*operand_, *hint_, scope_);
    report(context_, DiagnosticKind::NotUnreduced, collective_.name.span,
           axis ? fmt::format("{}_{} of `{}`, which is not unreduced over `{}`", kind_name(), name,
                              operand_text(), name)
                : fmt::format("{} of `{}`, which is not unreduced over any axis", kind_name(),
                              operand_text()),
           {std::move(advice)}, {}, std::move(edits));
    return false;
  }

  bool all_split() {
    for (const AxisId axis : axes_) {
      if (!dimension_split_by(layout_, axis)) return report_not_split(axis);
    }
    return true;
  }

  bool all_unreduced() {
    for (const AxisId axis : axes_) {
      if (!contains(layout_.unreduced, axis)) return report_not_unreduced(axis);
    }
    return true;
  }

  // Takes the axes out of a dimension. Those that are not its minor ones leave blocks out of order: a note says that it
  // costs a reordering as well.
  void remove_from_dimensions() {
    for (std::size_t dimension = 0; dimension < layout_.rank(); ++dimension) {
      Axes& split = layout_.dims.edit()[dimension];
      const Axes before = split;
      std::erase_if(split, [&](AxisId axis) { return contains(axes_, axis); });
      if (std::equal(split.begin(), split.end(), before.begin())) continue;
      report(context_, DiagnosticKind::MajorAxisRemoved, collective_.name.span,
             fmt::format("`{}` loses an axis of `{}` that is not its last: the blocks have to be "
                         "put in order first",
                         operand_text(), dimension_name(dimension)),
             {fmt::format("it is done as a CollectivePermute and then {}, and charged for both",
                          kind_name())});
    }
  }

  bool gather() {
    if (!all_split()) return false;
    remove_from_dimensions();
    return true;
  }

  bool reduce() {
    if (!all_unreduced()) return false;
    std::erase_if(layout_.unreduced.edit(), [&](AxisId axis) { return contains(axes_, axis); });
    return true;
  }

  bool reduce_scatter() {
    if (!reduce()) return false;
    const auto dimension = destination();
    return dimension && append(*dimension);
  }

  bool exchange() {
    if (!all_split()) return false;
    const auto dimension = destination();
    if (!dimension) return false;
    for (const AxisId axis : axes_) {
      if (dimension_split_by(layout_, axis) != dimension) continue;
      return fail_towards_target(
          fmt::format("`{}` already splits `{}`: an AllToAll moves it to another dimension",
                      axis_name(axis), dimension_name(*dimension)),
          "name the dimension that it goes to");
    }
    remove_from_dimensions();
    return append(*dimension);
  }

  bool append(std::size_t dimension) {
    Axes& split = layout_.dims.edit()[dimension];
    split.insert(split.end(), axes_.begin(), axes_.end());
    const auto shape = scope_.shape_of(operand_->labels);
    if (!indivisible_dimension(shape, layout_, scope_.mesh())) return true;
    const std::string ways = size_of(split, scope_.mesh()).to_string();
    return fail(
        DiagnosticKind::NotDivisible, collective_.name.span,
        fmt::format("dimension `{}` is {} long and does not divide into {} parts",
                    dimension_name(dimension), shape[dimension].to_string(), ways),
        {fmt::format("make its length a multiple of {}, or scatter another dimension", ways)});
  }

  // The dimension that ReduceScatter and AllToAll put their axes on: as written, as the target shows, or the only one.
  std::optional<std::size_t> destination() {
    if (collective_.dimension) return written_destination();
    if (hint_ != nullptr) {
      if (const auto place = dimension_split_by(*hint_, axes_.front())) return place;
    }
    if (layout_.rank() == 1 && adds_up(collective_.kind)) return 0;
    if (hint_ != nullptr && hint_is_result_) {
      report_splits_nothing();
      return std::nullopt;
    }
    const std::vector<std::string> names = scope_.store.names_of(operand_->labels);
    const std::string dimension = names.empty() ? "I" : names.back();
    fail(DiagnosticKind::AmbiguousCollective, collective_.name.span,
         fmt::format("{} does not say which dimension it splits", kind_name()),
         {fmt::format("write it after the axis: {}_{} {}", kind_name(),
                      planning::subscript_to_string(axes_, dimension, scope_.mesh()),
                      operand_text())});
    return std::nullopt;
  }

  // With the line that leads to the target, where there is one.
  bool fail_towards_target(std::string message, std::string advice) {
    std::vector<Edit> edits;
    if (hint_ != nullptr && hint_is_result_)
      edits = edits_towards(collective_, *operand_, *hint_, scope_);
    return fail_with_edits(DiagnosticKind::WrongCollective, std::move(message), std::move(advice),
                           std::move(edits));
  }

  // The target shows that no dimension is to be split, so another collective is meant.
  void report_splits_nothing() {
    const std::string axes = axes_to_string(axes_, scope_.mesh());
    const bool moves = exchanges(collective_.kind);
    fail_towards_target(
        fmt::format("{}_{} {} over `{}`, and `{}` splits none of the target's", kind_name(), axes,
                    moves ? "splits another dimension" : "splits a dimension",
                    axis_name(axes_.front()), axis_name(axes_.front())),
        way_between(*operand_, *hint_, scope_));
  }

  std::optional<std::size_t> written_destination() {
    const auto label = scope_.names.find_dimension(collective_.dimension->text);
    const auto& labels = operand_->labels;
    const auto found = label ? std::find(labels.begin(), labels.end(), *label) : labels.end();
    if (found != labels.end()) return static_cast<std::size_t>(found - labels.begin());
    const auto near = nearest_name(collective_.dimension->text, scope_.store.names_of(labels));
    fail(DiagnosticKind::UnknownDimension, collective_.dimension->at.span,
         fmt::format("`{}` has no dimension `{}`", operand_text(), collective_.dimension->text),
         {near ? fmt::format("did you mean `{}`?", *near)
               : fmt::format("its dimensions are {}", join_words(scope_.store.names_of(labels)))});
    return std::nullopt;
  }

  bool permute() {
    const Mesh& mesh = scope_.mesh();
    const Layout now = without_trivial_axes(layout_, mesh);
    const Layout then = hint_ == nullptr ? now : without_trivial_axes(*hint_, mesh);
    // Where sizes are symbols, they may be equal.
    if (hint_ == nullptr || moves_whole_blocks(now, then, mesh) == false) {
      return fail_towards_target(
          fmt::format("a CollectivePermute of `{}` moves its blocks whole{}", operand_text(),
                      hint_ == nullptr ? ", and nothing shows where"
                                       : what_keeps_blocks(*operand_, now, then, scope_)),
          "A[I_{XY}] → A[I_{YX}] is one; write the re-layout without a collective to have the "
          "right one found");
    }
    const Axes moving = axes_concerned(now, then);
    if (!collective_.axes.empty() && !moving.empty() && !names_all(moving)) {
      const std::string name = fmt::format("CollectivePermute_{}", axes_to_string(moving, mesh));
      report(context_, DiagnosticKind::WrongCollective, collective_.name.span,
             fmt::format("the blocks of `{}` move along {}, and {} is named", operand_text(),
                         axes_to_string(moving, mesh), axes_to_string(axes_, mesh)),
             {}, {}, {{collective_.name.span, name}});
      return false;
    }
    layout_.dims = hint_->dims;
    layout_.placed = hint_->placed;
    return true;
  }

  // Whether the collective names these axes, and no others but of size 1.
  bool names_all(const Axes& axes) const {
    Axes named = axes_;
    std::erase_if(named, [&](AxisId axis) { return scope_.mesh().axes[axis].length() == 1; });
    return std::is_permutation(axes.begin(), axes.end(), named.begin(), named.end());
  }

  bool broadcast() {
    for (const AxisId axis : axes_) {
      if (place_on(layout_, axis)) continue;
      const std::string name = axis_name(axis);
      return fail_towards_target(
          fmt::format("Broadcast_{} of `{}`, which is not held at one place of `{}`", name,
                      operand_text(), name),
          fmt::format("it brings `{}{{{}=0}}` to all devices along `{}`; what `{}` splits is "
                      "gathered by AllGather_{}",
                      operand_text(), name, name, name, name));
    }
    std::erase_if(layout_.placed.edit(),
                  [&](const Placement& place) { return contains(axes_, place.axis); });
    return true;
  }

  bool shift() {
    if (axes_.size() != 1)
      return fail(DiagnosticKind::AmbiguousCollective, collective_.name.span,
                  "Shift runs over one axis", {"Shift_X A[I_X, J]"});
    const auto distance =
        collective_.shift ? collective_.shift->value.to_int64() : std::optional<std::int64_t>(1);
    if (!distance || std::abs(*distance) > kMaxShift) {
      return fail(
          DiagnosticKind::BadArgument, collective_.shift->at.span,
          fmt::format(
              "`{}` is no distance: a Shift moves blocks by a whole number of devices, at most {}",
              collective_.shift->text, kMaxShift),
          {"Shift_{X,-1} moves each block one device down the axis"});
    }
    shift_ = static_cast<int>(*distance);
    return all_split();
  }

  const ast::Collective& collective_;
  Span span_;
  CheckContext& context_;
  Scope& scope_;
  const Layout* hint_ = nullptr;
  bool target_failed_ = false;
  bool hint_is_result_ = true;  // and not that of an expression around the collective
  const checked::Operation* operand_ = nullptr;
  Layout layout_;
  Axes axes_;
  int shift_ = 0;
};

}  // namespace

std::optional<checked::Operation> check_collective(const ast::Collective& collective, Span span,
                                                   const TargetHint& target,
                                                   CheckContext& context) {
  return CollectiveChecker(collective, span, target, context).check();
}

}  // namespace shard

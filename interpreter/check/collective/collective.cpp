// A collective must do what it says (design: language, "What is checked", rules 5 and 6).
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "interpreter/check/collective/collective_axes.h"
#include "interpreter/check/collective/collective_help.h"
#include "interpreter/check/operation.h"
#include "runtime/network/block_moves.h"

namespace shard {
namespace {

using Axes = std::vector<AxisId>;

constexpr std::int64_t kMaxShift = 1 << 20;

}  // namespace

std::optional<checked::Operation> CollectiveChecker::check() {
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
  if (!find_axes()) return std::nullopt;
  if (axes_.empty())
    return operand;  // over the axes of a `D_{Y…}` that is not split: there is nothing to do
  if (!apply()) return std::nullopt;
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

bool CollectiveChecker::fail(DiagnosticKind kind, Span span, std::string message,
                             std::vector<std::string> help) {
  report(context_, kind, span, std::move(message), std::move(help));
  return false;
}

bool CollectiveChecker::find_axes() {
  for (const ast::Identifier& name : collective_.axes) {
    if (collective_.kind == CollectiveKind::Shift && !check_axis(name, context_)) return false;
    const auto called = check_axes_called(name, context_);
    if (!called) return false;
    called_.push_back(called->size());
    for (const AxisId axis : *called) {
      if (contains(axes_, axis)) {
        return fail(DiagnosticKind::AxisReused, name.at.span,
                    fmt::format("axis `{}` is named twice", name.text), {"name it once"});
      }
      axes_.push_back(axis);
    }
  }
  if (axes_.empty() && !collective_.axes.empty()) return true;
  if (axes_.empty()) axes_ = inferred_axes(collective_.kind, layout_, hint_);
  if (!axes_.empty()) return true;
  if (adds_up(collective_.kind) && layout_.unreduced.empty())
    return report_not_unreduced(std::nullopt);
  return fail(DiagnosticKind::AmbiguousCollective, collective_.name.span,
              fmt::format("{} of `{}` names no axis, and nothing shows which is meant", kind_name(),
                          operand_text()),
              {collective_.kind == CollectiveKind::CollectivePermute
                   ? "an arrow and the layout behind it say where the blocks go"
                   : fmt::format("write the axis: {}_X {}", kind_name(), operand_text())});
}

bool CollectiveChecker::apply() {
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

std::vector<Edit> CollectiveChecker::edits() const {
  return collective_edits(collective_, *operand_, hint_is_result_ ? hint_ : nullptr, scope_);
}

bool CollectiveChecker::fail_with_edits(DiagnosticKind kind, std::string message,
                                        std::string advice, std::vector<Edit> edits) {
  const bool alone = say_all(edits) || advice.empty();
  report(context_, kind, collective_.name.span, std::move(message),
         alone ? std::vector<std::string>() : std::vector{std::move(advice)}, {}, std::move(edits));
  return false;
}

bool CollectiveChecker::report_not_split(AxisId axis) {
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

bool CollectiveChecker::report_not_unreduced(std::optional<AxisId> axis) {
  const std::string name = axis ? axis_name(*axis) : "X";
  const bool split = axis && dimension_split_by(layout_, *axis);
  std::vector<Edit> edits = this->edits();
  std::string advice =
      split ? fmt::format("`{}` splits one of its dimensions: AllGather_{} makes that whole", name,
                          name)
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

bool CollectiveChecker::all_split() {
  for (const AxisId axis : axes_) {
    if (!dimension_split_by(layout_, axis)) return report_not_split(axis);
  }
  return true;
}

bool CollectiveChecker::all_unreduced() {
  for (const AxisId axis : axes_) {
    if (!contains(layout_.unreduced, axis)) return report_not_unreduced(axis);
  }
  return true;
}

void CollectiveChecker::remove_from_dimensions() {
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

bool CollectiveChecker::gather() {
  if (!all_split()) return false;
  remove_from_dimensions();
  return true;
}

bool CollectiveChecker::reduce() {
  if (!all_unreduced()) return false;
  std::erase_if(layout_.unreduced.edit(), [&](AxisId axis) { return contains(axes_, axis); });
  return true;
}

bool CollectiveChecker::fail_towards_target(std::string message, std::string advice) {
  std::vector<Edit> edits;
  if (hint_ != nullptr && hint_is_result_)
    edits = edits_towards(collective_, *operand_, *hint_, scope_);
  return fail_with_edits(DiagnosticKind::WrongCollective, std::move(message), std::move(advice),
                         std::move(edits));
}

bool CollectiveChecker::permute() {
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

bool CollectiveChecker::names_all(const Axes& axes) const {
  Axes named = axes_;
  std::erase_if(named, [&](AxisId axis) { return scope_.mesh().axes[axis].length() == 1; });
  return std::is_permutation(axes.begin(), axes.end(), named.begin(), named.end());
}

bool CollectiveChecker::broadcast() {
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

bool CollectiveChecker::shift() {
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

std::optional<checked::Operation> check_collective(const ast::Collective& collective, Span span,
                                                   const TargetHint& target,
                                                   CheckContext& context) {
  return CollectiveChecker(collective, span, target, context).check();
}

}  // namespace shard

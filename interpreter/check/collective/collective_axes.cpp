#include "interpreter/check/collective/collective_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/contains.h"
#include "base/words.h"
#include "interpreter/check/collective/collective_help.h"
#include "interpreter/check/contraction.h"
#include "interpreter/planning/search/moves.h"
#include "runtime/network/block_moves.h"

namespace shard {

namespace {

using Axes = std::vector<AxisId>;

Axes gathered(const Layout& from, const Layout& to) {
  Axes result;
  for (const Axes& axes : from.dims) {
    std::copy_if(axes.begin(), axes.end(), std::back_inserter(result),
                 [&](AxisId axis) { return !dimension_split_by(to, axis); });
  }
  return result;
}

Axes reduced(const Layout& from, const Layout* to) {
  Axes result;
  for (const AxisId axis : from.unreduced) {
    if (to == nullptr || !contains(to->unreduced, axis)) result.push_back(axis);
  }
  return result;
}

Axes moved(const Layout& from, const Layout& to) {
  Axes result;
  for (std::size_t dimension = 0; dimension < from.rank(); ++dimension) {
    for (const AxisId axis : from.dims[dimension]) {
      const auto place = dimension_split_by(to, axis);
      if (place && *place != dimension) result.push_back(axis);
    }
  }
  return result;
}

Axes broadcast(const Layout& from, const Layout* to) {
  Axes result;
  for (const Placement& place : from.placed) {
    if (to == nullptr || !place_on(*to, place.axis)) result.push_back(place.axis);
  }
  return result;
}

// Several axes that go to one dimension go there in the order in which the target has them.
Axes in_order_of(const Layout* to, Axes axes) {
  if (to == nullptr || axes.size() < 2) return axes;
  Axes ordered;
  for (const Axes& split : to->dims) {
    std::copy_if(split.begin(), split.end(), std::back_inserter(ordered),
                 [&](AxisId axis) { return contains(axes, axis); });
  }
  return ordered.size() == axes.size() ? ordered : axes;
}

}  // namespace

std::vector<AxisId> inferred_axes(CollectiveKind kind, const Layout& from, const Layout* to) {
  switch (kind) {
    case CollectiveKind::AllGather:
      return to == nullptr ? Axes{} : gathered(from, *to);
    case CollectiveKind::AllReduce:
    case CollectiveKind::ReduceScatter:
      return in_order_of(to, reduced(from, to));
    case CollectiveKind::AllToAll:
      return to == nullptr ? Axes{} : in_order_of(to, moved(from, *to));
    case CollectiveKind::CollectivePermute:
      return to == nullptr ? Axes{} : axes_concerned(from, *to);
    case CollectiveKind::Broadcast:
      return broadcast(from, to);
    case CollectiveKind::Shift:
      return {};
  }
  return {};
}

bool CollectiveChecker::reduce_scatter() {
  if (!reduce()) return false;
  const auto homes = destinations();
  return homes && append(*homes);
}

bool CollectiveChecker::exchange() {
  if (!all_split()) return false;
  const auto homes = destinations();
  if (!homes) return false;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const std::size_t source = *dimension_split_by(layout_, axes_[i]);
    if (source == (*homes)[i]) {
      return fail_towards_target(
          fmt::format("`{}` already splits `{}`: an AllToAll moves it to another dimension",
                      axis_name(axes_[i]), dimension_name(source)),
          "name the dimension that it goes to");
    }
    if (!contains(*homes, source)) continue;
    return fail_towards_target(
        fmt::format("`{0}` leaves `{1}` as another axis comes there: then no device has a part of "
                    "its block for each of the others, as in an AllToAll",
                    axis_name(axes_[i]), dimension_name(source)),
        "two AllToAlls do it, or a CollectivePermute where the axes are equally long");
  }
  remove_from_dimensions();
  return append(*homes);
}

bool CollectiveChecker::append(const std::vector<std::size_t>& homes) {
  for (std::size_t i = 0; i < axes_.size(); ++i) layout_.dims.edit()[homes[i]].push_back(axes_[i]);
  const auto shape = scope_.shape_of(operand_->labels);
  const auto bad = indivisible_dimension(shape, layout_, scope_.mesh());
  if (!bad) return true;
  const std::string ways = size_of(layout_.dims[*bad], scope_.mesh()).to_string();
  return fail(
      DiagnosticKind::NotDivisible, collective_.name.span,
      fmt::format("dimension `{}` is {} long and does not divide into {} parts",
                  dimension_name(*bad), shape[*bad].to_string(), ways),
      {fmt::format("make its length a multiple of {}, or scatter another dimension", ways)});
}

std::optional<std::vector<std::size_t>> CollectiveChecker::destinations() {
  if (!collective_.destinations.empty()) return written_destinations();
  if (hint_ != nullptr) {
    std::vector<std::size_t> homes;
    for (const AxisId axis : axes_) {
      if (const auto place = dimension_split_by(*hint_, axis)) homes.push_back(*place);
    }
    if (homes.size() == axes_.size()) return homes;
    if (const auto place = dimension_split_by(*hint_, axes_.front())) return all_to(*place);
  }
  if (layout_.rank() == 1 && adds_up(collective_.kind)) return all_to(0);
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

std::vector<std::size_t> CollectiveChecker::all_to(std::size_t dimension) const {
  return std::vector<std::size_t>(axes_.size(), dimension);
}

void CollectiveChecker::report_splits_nothing() {
  const std::string axes = axes_to_string(axes_, scope_.mesh());
  const bool moves = exchanges(collective_.kind);
  fail_towards_target(
      fmt::format("{}_{} {} over `{}`, and `{}` splits none of the target's", kind_name(), axes,
                  moves ? "splits another dimension" : "splits a dimension",
                  axis_name(axes_.front()), axis_name(axes_.front())),
      way_between(*operand_, *hint_, scope_));
}

std::optional<std::vector<std::size_t>> CollectiveChecker::written_destinations() {
  std::vector<std::size_t> homes;
  auto called = called_.begin();
  for (const ast::Destination& destination : collective_.destinations) {
    const auto dimension = dimension_called(destination.dimension);
    if (!dimension) return std::nullopt;
    if (collective_.axes.empty()) return all_to(*dimension);
    const auto behind = called + static_cast<std::ptrdiff_t>(destination.axes);
    homes.insert(homes.end(), std::accumulate(called, behind, std::size_t{0}), *dimension);
    called = behind;
  }
  return homes;
}

std::optional<std::size_t> CollectiveChecker::dimension_called(const ast::Identifier& name) {
  const auto label = scope_.names.find_dimension(name.text);
  const auto& labels = operand_->labels;
  const auto found = label ? std::find(labels.begin(), labels.end(), *label) : labels.end();
  if (found != labels.end()) return static_cast<std::size_t>(found - labels.begin());
  const auto near = nearest_name(name.text, scope_.store.names_of(labels));
  fail(DiagnosticKind::UnknownDimension, name.at.span,
       fmt::format("`{}` has no dimension `{}`", operand_text(), name.text),
       {near ? fmt::format("did you mean `{}`?", *near) : own_dimensions(labels, scope_)});
  return std::nullopt;
}

}  // namespace shard

#include "interpreter/check/collective/collective_help.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "interpreter/planning/search/route_search.h"

namespace shard {

namespace {

using Axes = std::vector<AxisId>;

Axes split_axes(const Layout& layout) {
  Axes all;
  for (const Axes& axes : layout.dims) all.insert(all.end(), axes.begin(), axes.end());
  return all;
}

// Whether the collective moves blocks from device to device and leaves the layout as it is.
bool keeps_layout(ast::CollectiveKind kind) {
  return kind == ast::CollectiveKind::Shift || kind == ast::CollectiveKind::CollectivePermute;
}

// The same collective over the axes that it can be over, or the one that fits what the operand is.
std::string over_other_axes(const ast::Collective& collective, const Layout& layout,
                            const Scope& scope) {
  if (collective.destinations.size() > 1) return "";
  ast::CollectiveKind kind = collective.kind;
  Axes axes =
      adds_up(kind) ? Axes(layout.unreduced.begin(), layout.unreduced.end()) : split_axes(layout);
  if (axes.empty()) {
    if (keeps_layout(kind) || exchanges(kind)) return "";
    kind = adds_up(kind) ? ast::CollectiveKind::AllGather : ast::CollectiveKind::AllReduce;
    axes =
        adds_up(kind) ? Axes(layout.unreduced.begin(), layout.unreduced.end()) : split_axes(layout);
  }
  const bool one = names_step(kind) || exchanges(kind);
  if (axes.empty() || (one && axes.size() > 1)) return "";
  std::vector<std::string> names;
  for (const AxisId axis : axes) names.push_back(scope.mesh().axes[axis].name);
  ast::Collective meant = collective;
  meant.kind = kind;
  const bool names_dimension = kind == collective.kind && !collective.destinations.empty();
  return collective_text(meant, names,
                         names_dimension ? collective.destinations.front().dimension.text : "");
}

}  // namespace

std::string collective_text(const ast::Collective& collective, const std::vector<std::string>& axes,
                            const std::string& dimension) {
  const bool letters = std::all_of(axes.begin(), axes.end(),
                                   [](const std::string& axis) { return axis.size() == 1; });
  std::string subscript = join(axes, letters ? "" : ",");
  if (!dimension.empty()) subscript += "," + dimension;
  if (collective.shift) subscript += "," + collective.shift->text;
  const std::string name(name_of(collective.kind));
  return axes.size() == 1 && subscript == axes.front() ? name + "_" + subscript
                                                       : name + "_{" + subscript + "}";
}

std::vector<Edit> edits_towards(const ast::Collective& collective,
                                const checked::Operation& operand, const Layout& target,
                                const Scope& scope) {
  const auto route = route_between(operand, target, scope);
  if (!route || route->moves.empty()) return {};
  const bool one = route->moves.size() == 1 && route->moves.front().kind;
  return {{collective.name.span,
           one ? planning::name_of(route->moves.front(), scope.store.names_of(operand.labels),
                                   scope.mesh())
               : ""}};
}

std::vector<Edit> collective_edits(const ast::Collective& collective,
                                   const checked::Operation& operand, const Layout* target,
                                   const Scope& scope) {
  if (target != nullptr && !keeps_layout(collective.kind))
    return edits_towards(collective, operand, *target, scope);
  const Layout from = without_trivial_axes(*operand.layout, scope.mesh());
  std::string meant = over_other_axes(collective, from, scope);
  if (meant.empty()) return {};
  return {{collective.name.span, std::move(meant)}};
}

std::string what_keeps_blocks(const checked::Operation& operand, const Layout& now,
                              const Layout& then, const Scope& scope) {
  for (std::size_t d = 0; d < now.rank(); ++d) {
    const Amount before = size_of(now.dims[d], scope.mesh());
    const Amount after = size_of(then.dims[d], scope.mesh());
    if (before == after) continue;
    return fmt::format(", and there are {} of `{}`, not {}", before.to_string(),
                       scope.store.dimensions[operand.labels[d]].name, after.to_string());
  }
  return now.unreduced == then.unreduced ? ", to as many devices as hold each"
                                         : ", and sums nothing";
}

ReduceFirst reduce_first(const checked::Operation& operand, const Scope& scope) {
  const Layout layout = without_trivial_axes(*operand.layout, scope.mesh());
  const std::string reduce =
      fmt::format("AllReduce_{}", axes_to_string(layout.unreduced, scope.mesh()));
  const auto* use = std::get_if<checked::Use>(&operand.node);
  if (use != nullptr && !use->written) {
    Layout whole = layout;
    whole.unreduced.edit().clear();
    const std::string name = scope.store.arrays[use->array].name;
    return {{fmt::format("reduce first: {} {} → {}", reduce, describe(operand, scope),
                         name + bracket_text(operand.labels, whole, scope))},
            {}};
  }
  const Span span = operand.span;
  const bool grouped = use == nullptr;
  return {{},
          {{{span.file, span.begin, span.begin}, reduce + (grouped ? " (" : " ")},
           {{span.file, span.end, span.end}, grouped ? ")" : ""}}};
}

}  // namespace shard

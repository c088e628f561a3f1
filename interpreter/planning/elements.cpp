// Elementwise computations: the layouts in which their operands meet.
#include <algorithm>

#include "base/contains.h"
#include "interpreter/planning/local_layout.h"
#include "interpreter/planning/local_price.h"
#include "interpreter/planning/planner.h"
#include "runtime/element/dtype.h"

namespace shard::planning {

namespace {

// The layouts with partial sums in which an operand is computed, the lightest ways first; none of an array. Integers saturate
// where they are stored, so sums of theirs are not put together otherwise than as the script does.
std::vector<Layout> partial_layouts(Planner& planner, const Term& operand) {
  std::vector<Layout> layouts;
  if (std::holds_alternative<Source>(operand.node) || is_integer(operand.shape.dtype))
    return layouts;
  for (const MadePtr& way : planner.make(operand, std::nullopt)) {
    const Layout& layout = way->start;
    const bool is_partial = !layout.unreduced.empty() && layout.combination == Combination::Sum;
    if (is_partial && !contains(layouts, layout)) layouts.push_back(layout);
  }
  return layouts;
}

bool has_sums_over(const std::vector<Layout>& layouts, const std::vector<AxisId>& axes) {
  return std::any_of(layouts.begin(), layouts.end(),
                     [&](const Layout& layout) { return layout.unreduced == axes; });
}

// Which operands hold partial sums if the result does: those that were written as such, and intermediate results, if
// the program is linear in them. `partial`: of each operand, its layouts with partial sums.
std::optional<std::vector<bool>> partial_operands(const Elementwise& elements, const Layout& layout,
                                                  const std::vector<std::vector<Layout>>& partial) {
  std::vector<bool> written;
  std::vector<bool> left;
  std::vector<bool> all;
  for (std::size_t i = 0; i < elements.operands.size(); ++i) {
    const auto* source = std::get_if<Source>(&elements.operands[i].node);
    written.push_back(source != nullptr && !layout.unreduced.empty() &&
                      source->layouts.front().unreduced == layout.unreduced);
    left.push_back(written.back() ||
                   (!layout.unreduced.empty() && has_sums_over(partial[i], layout.unreduced)));
    all.push_back(!layout.unreduced.empty() && (source == nullptr || written.back()));
  }
  for (const std::vector<bool>& marks : {left, all, written}) {
    if (layout.unreduced.empty() != contains(marks, true) && is_linear_in(elements.program, marks))
      return marks;
  }
  return std::nullopt;
}

}  // namespace

Layout Planner::completed(const Labels& given, const Layout& layout, const Elementwise& elements,
                          const Term& term, const std::optional<Layout>& target) {
  Layout result = replicated(term.labels.size());
  const auto set = [&](std::size_t place, const std::vector<AxisId>& axes) {
    for (const AxisId axis : axes) {
      if (uses(result, axis)) return;
    }
    result.dims.edit()[place] = axes;
  };
  std::vector<bool> known(term.labels.size(), false);
  const auto adopt = [&](const Labels& labels, const Layout& from) {
    for (std::size_t d = 0; d < labels.size(); ++d) {
      const std::size_t place = *position_of(term.labels, labels[d]);
      if (!known[place]) set(place, from.dims[d]);
      known[place] = true;
    }
  };
  adopt(given, layout);
  if (target) adopt(term.labels, *target);
  for (const Term& operand : elements.operands) {
    const auto seeds = seeds_of(operand);
    if (!seeds.empty()) adopt(operand.labels, seeds.front());
  }
  return result;
}

std::vector<Layout> Planner::element_layouts(const Elementwise& elements, const Term& term,
                                             const std::optional<Layout>& target,
                                             const std::vector<std::vector<Layout>>& partial) {
  std::vector<Layout> dims;
  std::vector<std::vector<AxisId>> sums = {{}};
  std::vector<std::vector<Placement>> places;
  const auto add_place = [&](const std::vector<Placement>& placed) {
    if (!contains(places, placed)) places.push_back(placed);
  };
  const auto add_sum = [&](const Layout& layout) {
    if (layout.combination == Combination::Sum && !contains(sums, layout.unreduced))
      sums.push_back(layout.unreduced);
  };
  if (target) {
    dims.push_back(*target);
    add_sum(*target);
    add_place(target->placed);
  }
  Layout common = target ? *target : Layout{};
  for (const Term& operand : elements.operands) {
    for (const Layout& seed : seeds_of(operand)) {
      dims.push_back(completed(operand.labels, seed, elements, term, target));
      if (std::holds_alternative<Source>(operand.node)) add_sum(seed);
      add_place(seed.placed);
      (void)add_places(seed, common);
    }
  }
  add_place(common.placed);
  if (dims.empty()) dims.push_back(replicated(term.labels.size()));  // of positions alone
  std::vector<Layout> layouts;
  for (const auto& unreduced : sums) {
    for (Layout layout : dims) {
      layout.unreduced = unreduced;
      layout.combination = Combination::Sum;
      for (const auto& placed : places) {
        layout.placed = placed;
        if (!contains(layouts, layout) && !reused_axis(layout) && divides(term.shape, layout))
          layouts.push_back(layout);
      }
    }
  }
  add_layouts_of_sums(elements, term, target, partial, places, layouts);
  return layouts;
}

// What several operands leave unreduced over the same axes is added as it is, and reduced once.
void Planner::add_layouts_of_sums(const Elementwise& elements, const Term& term,
                                  const std::optional<Layout>& target,
                                  const std::vector<std::vector<Layout>>& partial,
                                  const std::vector<std::vector<Placement>>& places,
                                  std::vector<Layout>& layouts) {
  for (std::size_t i = 0; i < partial.size(); ++i) {
    for (std::size_t j = 0; j < std::min(partial[i].size(), kMostSeeds); ++j) {
      const auto& axes = partial[i][j].unreduced;
      const auto leaves = [&](const std::vector<Layout>& own) { return has_sums_over(own, axes); };
      if (std::count_if(partial.begin(), partial.end(), leaves) < 2) continue;
      Layout layout = completed(elements.operands[i].labels, partial[i][j], elements, term, target);
      layout.unreduced = axes;
      for (const auto& placed : places) {
        layout.placed = placed;
        if (!contains(layouts, layout) && !reused_axis(layout) && divides(term.shape, layout))
          layouts.push_back(layout);
      }
    }
  }
}

std::vector<MadePtr> Planner::local_elements_of(const Elementwise& elements, const Term& term,
                                                const std::optional<Layout>& target) {
  std::vector<std::vector<Layout>> partial_of;
  for (const Term& operand : elements.operands)
    partial_of.push_back(partial_layouts(*this, operand));
  std::vector<MadePtr> locals;
  for (const Layout& layout : element_layouts(elements, term, target, partial_of)) {
    const auto partial = partial_operands(elements, layout, partial_of);
    if (!partial) continue;
    std::vector<MadePtr> operands;
    for (std::size_t i = 0; i < elements.operands.size(); ++i) {
      const Term& operand = elements.operands[i];
      Layout own = restricted(layout, term.labels, operand.labels);
      if (!(*partial)[i]) own.unreduced = {};
      MadePtr made = best(operand, own);
      if (made == nullptr) break;
      operands.push_back(std::move(made));
    }
    if (operands.size() == elements.operands.size())
      add_elements(elements, term, std::move(operands), layout, locals);
  }
  return locals;
}

void Planner::add_elements(const Elementwise& elements, const Term& term,
                           std::vector<MadePtr> operands, const Layout& layout,
                           std::vector<MadePtr>& locals) const {
  std::vector<Layout> layouts;
  for (const MadePtr& operand : operands) layouts.push_back(operand->layout);
  const Cost cost = cost_of_elementwise(elements, term, layouts, layout, machine_);
  locals.push_back(combine(std::move(operands), layout, cost));
}

}  // namespace shard::planning

// Elements picked or put by position: the layouts in which that is done.
#include <set>

#include "base/contains.h"
#include "interpreter/planning/planner.h"
#include "interpreter/planning/selection_layout.h"

namespace shard::planning {

namespace {

// The axes over which an array is written as partial sums, and those alone.
Layout written_sums(const Term& term) {
  const auto* source = std::get_if<Source>(&term.node);
  if (source == nullptr || source->layouts.front().combination != Combination::Sum) return {};
  return {.dims = {}, .unreduced = source->layouts.front().unreduced};
}

// Further splits that the target has of dimensions which are whole so far, if nothing else uses their axes. `dimensions`: which of
// the layout's labels may take them.
Layout split_as_target(Layout layout, const Labels& labels, const Labels& dimensions,
                       const Layout& target, const Labels& target_labels) {
  for (std::size_t d = 0; d < labels.size(); ++d) {
    const auto at = position_of(target_labels, labels[d]);
    if (!at || !contains(dimensions, labels[d]) || !layout.dims[d].empty()) continue;
    Layout split = layout;
    split.dims.edit()[d] = target.dims[*at];
    if (!reused_axis(split)) layout = std::move(split);
  }
  return layout;
}

}  // namespace

std::vector<Layout> Planner::selection_layouts(const Selection& selection, const Term& term,
                                               const std::optional<Layout>& target) {
  const Term& operand = selection.operands.front();
  std::vector<Layout> layouts = seeds_of(operand);
  if (target && selection.kind == SelectionKind::Reshape) {
    if (auto like = reshaped(term.labels, term.shape.lengths, *target, operand.labels,
                             operand.shape.lengths, machine_.mesh))
      layouts.push_back(*std::move(like));
  } else if (target) {
    layouts.push_back(restricted(*target, term.labels, operand.labels));
  }
  if (target && selection.kind == SelectionKind::Scatter) {
    const std::size_t count = layouts.size();
    for (std::size_t i = 0; i < count; ++i)
      layouts.push_back(
          split_as_target(layouts[i], operand.labels, operand.labels, *target, term.labels));
  }
  if (selection.kind == SelectionKind::Update) {
    const Layout written = written_sums(operand);
    for (Layout& layout : layouts) {
      layout.unreduced = written.unreduced;
      layout.combination = Combination::Sum;
    }
  }
  if (selection.kind == SelectionKind::Scatter) {
    const std::size_t count = layouts.size();
    for (std::size_t i = 0; i < count; ++i) {
      layouts.push_back(layouts[i]);
      layouts.back().unreduced = {};
    }
  }
  const bool joins = selection.kind == SelectionKind::Concat;
  for (std::size_t d = 0; d < operand.labels.size(); ++d) {
    const int label = operand.labels[d];
    const bool whole = contains(selection.along, label) || (joins && !contains(term.labels, label));
    const std::size_t count = whole ? layouts.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
      layouts.push_back(layouts[i]);
      layouts.back().dims.edit()[d].clear();
    }
  }
  std::vector<Layout> distinct;
  for (Layout& layout : layouts) {
    if (!reused_axis(layout) && divides(operand.shape, layout) && !contains(distinct, layout))
      distinct.push_back(std::move(layout));
  }
  return distinct;
}

std::vector<std::pair<Labels, Layout>> Planner::index_layouts(const Selection& selection,
                                                              const Term& term,
                                                              const std::optional<Layout>& target) {
  std::vector<std::pair<Labels, Layout>> likes = {{{}, Layout{}}};
  if (selection.kind != SelectionKind::Gather || selection.operands.size() < 2) return likes;
  for (std::size_t i = 1; i < selection.operands.size(); ++i) {
    const Term& index = selection.operands[i];
    for (const Layout& seed : seeds_of(index)) likes.emplace_back(index.labels, seed);
  }
  if (target) likes.emplace_back(term.labels, *target);
  return likes;
}

std::vector<MadePtr> Planner::local_selections_of(const Selection& selection, const Term& term,
                                                  const std::optional<Layout>& target) {
  std::vector<MadePtr> locals;
  std::set<std::vector<Layout>> seen;
  for (const Layout& first : selection_layouts(selection, term, target)) {
    for (const auto& [labels, like] : index_layouts(selection, term, target)) {
      const auto layouts = selection_operands(selection, first, labels, like, machine_.mesh);
      if (seen.insert(layouts).second) add_selection(selection, term, layouts, target, locals);
    }
  }
  return locals;
}

void Planner::add_selection(const Selection& selection, const Term& term,
                            const std::vector<Layout>& layouts, const std::optional<Layout>& target,
                            std::vector<MadePtr>& locals) {
  const auto left =
      local_selection(selection, layouts, term.labels, term.shape.lengths, machine_.mesh);
  const Layout* result = std::get_if<Layout>(&left);
  if (result == nullptr || !divides(term.shape, *result)) return;
  std::vector<MadePtr> operands;
  std::vector<Copy> copies;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const Term& operand = selection.operands[i];
    if (!divides(operand.shape, layouts[i])) return;
    MadePtr made = best(operand, layouts[i]);
    if (made == nullptr) return;
    operands.push_back(std::move(made));
    copies.push_back(copy_of(operand.shape, layouts[i]));
  }
  SelectionStep step{.kind = selection.kind, .operands = {}, .result = {}};
  step.in_place = CopyId{0};  // priced as if it took over its operand's memory
  std::vector<Layout> results = {*result};
  if (target && selection.kind == SelectionKind::Scatter) {
    // Each device adds up for its own places.
    Layout own = split_as_target(*result, term.labels, selection.along, *target, term.labels);
    if (own != *result && divides(term.shape, own)) results.insert(results.begin(), std::move(own));
  }
  for (const Layout& layout : results) {
    const Cost cost = cost_of_selection(step, copies, copy_of(term.shape, layout), machine_);
    locals.push_back(combine(operands, layout, cost));
  }
}

}  // namespace shard::planning

// Reductions along dimensions and softmax: the layouts in which they are computed.
#include <set>

#include "base/contains.h"
#include "interpreter/planning/local_layout.h"
#include "interpreter/planning/planner.h"
#include "interpreter/planning/softmax_expansion.h"

namespace shard::planning {

std::vector<Layout> Planner::reduction_layouts(const Reduction& reduction, const Term& term,
                                               const std::optional<Layout>& target) {
  const Labels& labels = reduction.operand.labels;
  std::vector<Layout> layouts;
  const auto add = [&](const Layout& layout) {
    if (!reused_axis(layout) && divides(reduction.operand.shape, layout) &&
        !contains(layouts, layout))
      layouts.push_back(layout);
  };
  const auto is_kept = [&](int label) { return contains(term.labels, label); };
  for (const Layout& seed : seeds_of(reduction.operand)) {
    std::vector<Layout> starts = {seed};
    if (target) {
      Layout like_target = restricted(*target, term.labels, labels);
      like_target.unreduced = seed.unreduced;
      like_target.combination = seed.combination;
      for (std::size_t d = 0; d < labels.size(); ++d) {
        if (!is_kept(labels[d])) like_target.dims.edit()[d] = seed.dims[d];
      }
      starts.push_back(std::move(like_target));
    }
    for (const Layout& start : starts) {
      add(start);
      Layout whole = start;
      for (std::size_t d = 0; d < labels.size(); ++d) {
        if (!is_kept(labels[d])) whole.dims.edit()[d].clear();
      }
      add(whole);
    }
  }
  return layouts;
}

std::vector<MadePtr> Planner::local_reductions_of(const Reduction& reduction, const Term& term,
                                                  const std::optional<Layout>& target) {
  std::vector<MadePtr> locals;
  for (const Layout& layout : reduction_layouts(reduction, term, target)) {
    const auto left =
        local_reduction(reduction.kind, reduction.operand.labels, layout, term.labels);
    const Layout* result = std::get_if<Layout>(&left);
    MadePtr operand = result == nullptr ? nullptr : best(reduction.operand, layout);
    if (operand == nullptr) continue;
    const Cost cost = cost_of_reduction(copy_of(reduction.operand.shape, layout),
                                        copy_of(term.shape, *result), machine_);
    locals.push_back(combine({std::move(operand)}, *result, cost));
  }
  return locals;
}

std::vector<Layout> Planner::softmax_layouts(const Softmax& softmax, const Term& term,
                                             const std::optional<Layout>& target) {
  std::vector<Layout> starts;
  if (target) starts.push_back(*target);
  for (const Layout& seed : seeds_of(softmax.operand))
    starts.push_back(restricted(seed, softmax.operand.labels, term.labels));
  for (Layout& start : starts) start.unreduced = {};
  std::vector<Layout> layouts = starts;
  for (Layout whole : starts) {
    for (const int label : softmax.along)
      whole.dims.edit()[*position_of(term.labels, label)].clear();
    layouts.push_back(std::move(whole));
  }
  std::set<Layout> seen;
  std::erase_if(layouts, [&](const Layout& layout) {
    return !seen.insert(layout).second || !divides(term.shape, layout);
  });
  return layouts;
}

std::vector<MadePtr> Planner::local_softmaxes_of(const Softmax& softmax, const Term& term,
                                                 const std::optional<Layout>& target) {
  std::vector<MadePtr> locals;
  for (const Layout& layout : softmax_layouts(softmax, term, target)) {
    MadePtr operand =
        best(softmax.operand, restricted(layout, term.labels, softmax.operand.labels));
    if (operand == nullptr) continue;
    const SoftmaxCost price =
        cost_of_softmax(term.labels, softmax.along, term.shape, layout, machine_);
    locals.push_back(combine({std::move(operand)}, layout, price.cost, price.time, price.weight));
  }
  return locals;
}

}  // namespace shard::planning

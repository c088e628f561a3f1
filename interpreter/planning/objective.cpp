#include "interpreter/planning/objective.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <utility>

#include "interpreter/planning/local_price.h"
#include "interpreter/planning/planner.h"
#include "runtime/cost/timeline.h"

namespace shard::planning {

namespace {

// A way as a plan of its own, as far as a timeline depends on it: who waits for whom, and on which links something moves.
class WayAsPlan {
 public:
  explicit WayAsPlan(const Machine& machine) : machine_(machine) {}

  CopyId add(const Term& term, const Made& made) {
    const Term& as_made = made.term != nullptr ? *made.term : term;
    CopyId copy = begin(as_made, made);
    for (const Move& move : made.moves) copy = add(move, as_made, made.array, copy);
    return copy;
  }
  double end() const {
    std::vector<const Cost*> costs;
    for (const Cost& cost : costs_) costs.push_back(&cost);
    return timeline_of(plan_, costs, machine_.mesh).end;
  }

 private:
  CopyId append(const Term& term, const Layout& layout, Cost cost, Step step) {
    const CopyId copy = plan_.copies.add(copy_of(term.shape, layout));
    match(
        step.action, [&](InputStep& input) { input.result = copy; },
        [&](ElementwiseStep& elements) { elements.result = copy; },
        [&](CollectiveStep& collective) { collective.result = copy; },
        [&](SliceStep& slice) { slice.result = copy; }, [](auto&) {});
    plan_.steps.push_back(std::move(step));
    costs_.push_back(std::move(cost));
    return copy;
  }

  // All that computes runs on one stream, whatever it does.
  CopyId begin(const Term& term, const Made& made) {
    if (const auto* from = std::get_if<MadeFrom>(&made.origin)) {
      const std::vector<const Term*> operands = operands_of(term);
      ElementwiseStep step;
      for (std::size_t i = 0; i < from->operands.size(); ++i)
        step.operands.edit().push_back(add(*operands[i], *from->operands[i]));
      Cost cost;
      cost.math = to_seconds(made.own_seconds);
      return append(term, made.start, std::move(cost), {.action = std::move(step)});
    }
    const auto key = std::make_pair(made.array, made.start);
    const auto known = held_.find(key);
    if (made.array >= 0 && known != held_.end()) return known->second;
    return held_[key] = append(term, made.start, {}, {.action = InputStep{}});
  }

  // What another operand has moved there already is not moved again.
  CopyId add(const Move& move, const Term& term, int array, CopyId operand) {
    const auto key = std::make_pair(array, move.to);
    const auto known = held_.find(key);
    if (array >= 0 && known != held_.end()) return known->second;
    Step step;
    if (move.kind)
      step.action =
          CollectiveStep{.kind = *move.kind, .axes = move.axes, .operand = operand, .result = {}};
    else
      step.action = SliceStep{.axes = move.axes, .operand = operand, .result = {}};
    const CopyId copy = append(term, move.to, cost_of(move, term.shape, machine_), std::move(step));
    if (array >= 0) held_[key] = copy;
    return copy;
  }

  const Machine& machine_;
  Plan plan_;
  std::deque<Cost> costs_;
  std::map<std::pair<int, Layout>, CopyId> held_;
};

double timeline_end(const Term& term, const Made& made, const Machine& machine) {
  if (std::isinf(made.weight.seconds) || needs_reference(made.cost)) return made.weight.seconds;
  WayAsPlan plan(machine);
  plan.add(term, made);
  return plan.end();
}

}  // namespace

Objective objective_of(PlanRule rule) {
  switch (rule) {
    case PlanRule::Cases:
    case PlanRule::Cheapest:
      return Objective::Time;
    case PlanRule::Overlap:
      return Objective::Timeline;
    case PlanRule::Bytes:
      return Objective::Bytes;
    case PlanRule::Memory:
      return Objective::Memory;
  }
  return Objective::Time;
}

bool is_better(const Rank& a, const Rank& b) {
  if (differ(a.figure, b.figure)) return a.figure < b.figure;
  return lighter(a.weight, b.weight);
}

double most_held(const std::vector<Move>& moves, const Shape& shape, const Machine& machine) {
  double most = 0;
  for (const Move& move : moves) {
    most = std::max(most, bytes_on_device(shape, move.from, machine.mesh) +
                              bytes_on_device(shape, move.to, machine.mesh));
  }
  return most;
}

double most_held(const Term& term, const Made& made, const Machine& machine) {
  const Term& as_made = made.term != nullptr ? *made.term : term;
  double most = most_held(made.moves, as_made.shape, machine);
  const auto* from = std::get_if<MadeFrom>(&made.origin);
  if (from == nullptr) return most;
  const std::vector<const Term*> operands = operands_of(as_made);
  const auto* elements = std::get_if<Box<Elementwise>>(&as_made.node);
  double held = bytes_on_device(as_made.shape, made.start, machine.mesh);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Made& operand = *from->operands[i];
    most = std::max(most, most_held(*operands[i], operand, machine));
    if (elements != nullptr && same_before((*elements)->operands, i)) continue;
    held += bytes_on_device(operands[i]->shape, operand.layout, machine.mesh);
  }
  return std::max(most, held);
}

Rank rank_of(const Term& term, const Made& made, const Machine& machine, Objective objective) {
  Rank rank{.figure = made.weight.seconds, .weight = made.weight};
  if (std::isinf(rank.figure)) return rank;
  if (objective == Objective::Timeline) rank.figure = timeline_end(term, made, machine);
  if (objective == Objective::Bytes) rank.figure = made.weight.bytes;
  if (objective == Objective::Memory) rank.figure = most_held(term, made, machine);
  return rank;
}

}  // namespace shard::planning

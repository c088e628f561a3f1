// Plans whose steps take given times, for tests of the timeline.
#pragma once

#include <utility>
#include <vector>

#include "runtime/cost/timeline.h"
#include "tests/runtime/support/meshes.h"

namespace shard::testing {

// Steps with times of their own, on a mesh {X: 4, Y: 4}. Each makes a copy, in order.
class TimedScript {
 public:
  CopyId input() { return add(InputStep{}, 0, 0); }
  CopyId compute(const std::vector<CopyId>& operands, double seconds) {
    ElementwiseStep step;
    step.operands = operands;
    return add(std::move(step), seconds, 0);
  }
  CopyId move(CollectiveKind kind, AxisId axis, CopyId operand, double seconds) {
    return add(CollectiveStep{.kind = kind, .axes = {axis}, .operand = operand}, 0, seconds);
  }
  CopyId gather(AxisId axis, CopyId operand, double seconds) {
    return move(CollectiveKind::AllGather, axis, operand, seconds);
  }
  CopyId reduce(AxisId axis, CopyId operand, double seconds) {
    return move(CollectiveKind::ReduceScatter, axis, operand, seconds);
  }
  // The copy is held at one place of X.
  void place(CopyId copy, std::int64_t coordinate) {
    plan_.copies[copy].layout.placed = {{kX, coordinate}};
  }

  Timeline run(int prefetch = kPrefetch, const std::vector<TimelineChange>& changes = {}) const {
    std::vector<const Cost*> costs;
    for (const Cost& cost : costs_) costs.push_back(&cost);
    return timeline_of(plan_, costs, mesh_, prefetch, changes);
  }
  const Plan& plan() const { return plan_; }
  // When the step that makes the copy starts.
  static double start(const Timeline& timeline, CopyId copy) {
    return timeline.steps[static_cast<std::size_t>(copy.value)].start;
  }
  static bool is_critical(const Timeline& timeline, CopyId copy) {
    return timeline.steps[static_cast<std::size_t>(copy.value)].is_critical();
  }

 private:
  template <class Action>
  CopyId add(Action action, double work, double comms) {
    action.result = plan_.copies.add({});
    plan_.steps.push_back({.action = std::move(action)});
    Cost cost;
    cost.math = Rational::approximate(work);
    cost.comms = Rational::approximate(comms);
    costs_.push_back(cost);
    return result_of(plan_.steps.back());
  }

  Plan plan_;
  Mesh mesh_ = mesh_of({4, 4});
  std::vector<Cost> costs_;
};

}  // namespace shard::testing

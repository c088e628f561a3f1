// Remembers what was planned and priced on one machine, so that an equal problem is not solved twice.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/planning/term_plan.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

// The ways that were weighed for a problem.
struct WeighedWays {
  std::vector<MadePtr> made;     // lightest first; empty: there is no way
  bool reference_sizes = false;  // sizes are missing, so reference sizes were used
  MadePtr cheaper =
      nullptr;  // what `plan cheapest` would take, under `plan cases`; null if it is little better
  // Finds more of them, which are only listed; null if there are none.
  std::function<std::vector<MadePtr>()> others = nullptr;

  std::vector<MadePtr> all() const;
};
using Ways = std::shared_ptr<const WeighedWays>;

// Forgets everything once it holds 4096 problems of a kind. REQUIRES: every call is for the same machine.
class Memo {
 public:
  // The lightest eight ways of `plan_term`. `compares`: with what `cheaper_way` finds besides those of the cases.
  Ways plan(const Term& term, const std::optional<Layout>& target, const Machine& machine,
            const std::vector<AxisId>& beside = {}, PlanRule rule = PlanRule::Cases,
            bool compares = false);
  // Cached `open_layout`.
  std::optional<Layout> layout(const Term& term, const Machine& machine,
                               const std::vector<AxisId>& beside = {});
  // Cached `plan_moves`; the others are those of `other_moves`.
  Ways move(const std::vector<Layout>& sources, const Layout& target, const Shape& shape,
            const Machine& machine, const std::optional<Transpose>& as_new = {},
            PlanRule rule = PlanRule::Cases);
  // Cached `cost_of` of a step.
  std::shared_ptr<const Cost> price(const Step& step, const Plan& plan, const Machine& machine);

 private:
  std::unordered_map<std::string, Ways> ways_;
  std::unordered_map<std::string, std::optional<Layout>> layouts_;
  std::unordered_map<std::string, Ways> moves_;
  std::unordered_map<std::string, std::shared_ptr<const Cost>> costs_;
};

}  // namespace shard::planning

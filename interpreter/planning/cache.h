// What was planned and priced before on one machine: an equal problem is not solved again.
#pragma once

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
  std::vector<MadePtr> made;     // lightest first; none: it cannot be done
  bool reference_sizes = false;  // weighed at reference sizes, as sizes are missing
};
using Ways = std::shared_ptr<const WeighedWays>;

// Forgets all when it holds many problems. REQUIRES: every call is for the same machine.
class Memo {
 public:
  // `plan_term` of it, the lightest few.
  Ways plan(const Term& term, const std::optional<Layout>& target, const Machine& machine,
            const std::vector<AxisId>& beside = {});
  // `open_layout` of it.
  std::optional<Layout> layout(const Term& term, const Machine& machine,
                               const std::vector<AxisId>& beside = {});
  // `plan_moves` of it.
  Ways move(const std::vector<Layout>& sources, const Layout& target, const Shape& shape,
            const Machine& machine, const std::optional<Transpose>& as_new = {});
  // `cost_of` the step.
  std::shared_ptr<const Cost> price(const Step& step, const Plan& plan, const Machine& machine);

 private:
  std::unordered_map<std::string, Ways> ways_;
  std::unordered_map<std::string, std::optional<Layout>> layouts_;
  std::unordered_map<std::string, Ways> moves_;
  std::unordered_map<std::string, std::shared_ptr<const Cost>> costs_;
};

}  // namespace shard::planning

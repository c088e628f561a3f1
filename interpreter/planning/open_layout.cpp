#include "interpreter/planning/open_layout.h"

#include "interpreter/planning/term_plan.h"
#include "interpreter/planning/written_copies.h"

namespace shard::planning {

namespace {

// Without a chip costs are formulas, which are weighed at the reference figures. Each axis is one ring.
Machine reference_machine(const Mesh& mesh) {
  Machine machine{.mesh = mesh};
  for (MeshAxis& axis : machine.mesh.axes) {
    const auto length = axis.length();
    axis.torus.clear();
    if (axis.kind == AxisKind::Ici && length && *length > 1) axis.torus.push_back({*length});
  }
  return machine;
}

}  // namespace

std::optional<Layout> open_layout(const Term& term, const Mesh& mesh,
                                  const std::vector<AxisId>& beside) {
  const auto ways = plan_term(from_written(term), std::nullopt, reference_machine(mesh), beside);
  return ways.empty() ? std::nullopt : std::optional(ways.front()->layout);
}

}  // namespace shard::planning

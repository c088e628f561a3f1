#include "interpreter/planning/open_layout.h"

#include "interpreter/planning/plan_term.h"

namespace shard::planning {

namespace {

void keep_written(Term& term) {
  match(
      term.node, [](Source& source) { source.layouts.resize(source.written); },
      [](Box<Product>& product) {
        keep_written(product->left);
        keep_written(product->right);
      },
      [](Box<Elementwise>& elements) {
        for (Term& operand : elements->operands) keep_written(operand);
      },
      [](Box<Reduction>& reduction) { keep_written(reduction->operand); },
      [](Box<Softmax>& softmax) { keep_written(softmax->operand); },
      [](Box<Selection>& selection) {
        for (Term& operand : selection->operands) keep_written(operand);
      });
}

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
  Term written = term;
  keep_written(written);
  const auto ways = plan_term(written, std::nullopt, reference_machine(mesh), beside);
  return ways.empty() ? std::nullopt : std::optional(ways.front()->layout);
}

}  // namespace shard::planning

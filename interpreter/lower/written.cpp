#include "interpreter/lower/written.h"

#include <algorithm>

#include "base/check.h"
#include "interpreter/planning/local_layout.h"
#include "interpreter/planning/search/route_search.h"
#include "interpreter/planning/softmax_expansion.h"
#include "runtime/network/block_moves.h"

namespace shard {

namespace {

using planning::Move;

// Axes that leave a dimension have to be its minor ones.
Layout in_order(const Layout& from, const Layout& to, const std::vector<AxisId>& leaving,
                CollectiveKind kind) {
  if (kind == CollectiveKind::CollectivePermute) return to;
  Layout ordered = from;
  for (auto& axes : ordered.dims.edit()) {
    std::stable_partition(axes.begin(), axes.end(), [&](AxisId axis) {
      return std::find(leaving.begin(), leaving.end(), axis) == leaving.end();
    });
  }
  return ordered;
}

// Puts blocks in another order, if they have to be.
CopyId reorder(CopyId operand, const Layout& ordered, const std::vector<std::string>& names,
               StepWriter& writer) {
  const Layout from = writer.copy(operand).layout;
  if (ordered == from) return operand;
  return writer.move({.kind = CollectiveKind::CollectivePermute,
                      .axes = axes_concerned(from, ordered),
                      .from = from,
                      .to = ordered},
                     operand, {}, names, false);
}

// What is held everywhere, kept at the device that sends it.
CopyId keep(CopyId operand, const Layout& kept, const std::vector<std::string>& names,
            StepWriter& writer) {
  const Layout from = writer.copy(operand).layout;
  if (from == kept) return operand;
  std::vector<AxisId> axes;
  for (const Placement& place : kept.placed) {
    if (!place_on(from, place.axis)) axes.push_back(place.axis);
  }
  return writer.move({.kind = {}, .axes = axes, .dimension = {}, .from = from, .to = kept}, operand,
                     {}, names, true);
}

CopyId lower_collective(const checked::Collective& collective, const checked::Operation& operation,
                        bool outermost, ResultNames& results, StepWriter& writer) {
  CopyId operand = lower_written(*collective.operand, false, results, writer);
  const std::vector<std::string> names = writer.scope().store.names_of(operation.labels);
  if (collective.sent_from) operand = keep(operand, *collective.sent_from, names, writer);
  const Layout from = writer.copy(operand).layout;
  const Layout to = writer.trimmed(collective.layout);
  std::vector<AxisId> axes;
  std::copy_if(collective.axes.begin(), collective.axes.end(), std::back_inserter(axes),
               [&](AxisId axis) { return uses(from, axis); });
  if (axes.empty()) return operand;
  if (makes_other_array(collective.kind)) {
    return writer.move_blocks(collective.kind, axes.front(), collective.shift, operand,
                              outermost ? results.target : results.next_intermediate(), names);
  }
  const CopyId ordered = reorder(operand, in_order(from, to, axes, collective.kind), names, writer);
  if (collective.kind == CollectiveKind::CollectivePermute) return ordered;
  Move move{.kind = collective.kind, .axes = axes, .from = writer.copy(ordered).layout, .to = to};
  return writer.move(move, ordered, outermost ? ArrayId{} : results.copies_of, names, false);
}

// An operand whose array the statement computes anew: the result may take its memory. In a function that is the parameter's,
// whatever the caller calls it.
CopyId taken_over(const checked::Operation& operation, const std::vector<CopyId>& operands,
                  const Layout& layout, const Naming& naming, ArrayId replaces,
                  const StepWriter& writer) {
  const auto parts = operands_of(operation);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Copy& copy = writer.copy(operands[i]);
    const auto* use = std::get_if<checked::Use>(&parts[i]->node);
    if (use != nullptr && (copy.name == naming.name || use->array == replaces) &&
        copy.dtype == naming.dtype && parts[i]->labels == operation.labels &&
        copy.layout == writer.trimmed(layout))
      return operands[i];
  }
  return {};
}

// Sums or takes the maximum of what a reduction leaves on the devices.
CopyId all_reduce(CopyId partial, const std::vector<std::string>& names, StepWriter& writer) {
  const Copy& copy = writer.copy(partial);
  Layout reduced = copy.layout;
  reduced.unreduced = {};
  const planning::Shape shape{.lengths = copy.shape, .dtype = copy.dtype};
  const auto route =
      planning::cheapest_route({copy.layout}, reduced, shape, writer.program().machine);
  SHARD_CHECK(route.has_value());
  CopyId result = partial;
  for (const Move& move : route->moves) result = writer.move(move, result, {}, names, true);
  return result;
}

CopyId write_softmax(const checked::Softmax& softmax, const checked::Operation& operation,
                     CopyId operand, const Layout& layout, bool outermost, ResultNames& names,
                     StepWriter& writer) {
  const std::vector<DimensionId>& labels = operation.labels;
  std::vector<DimensionId> rows = labels;
  std::erase_if(rows, [&](DimensionId label) {
    return std::find(softmax.along.begin(), softmax.along.end(), label) != softmax.along.end();
  });
  const std::vector<std::string> row_names = writer.scope().store.names_of(rows);
  const auto reduce = [&](ReductionKind kind, const ContractedOperand& factor, DType dtype) {
    const auto left = planning::local_reduction(kind, numbered(factor.labels),
                                                writer.copy(factor.copy).layout, numbered(rows));
    const CopyId partial =
        writer.reduce(kind, factor, rows, std::get<Layout>(left), names.next_intermediate(), dtype);
    return all_reduce(partial, row_names, writer);
  };
  const ContractedOperand x{operand, softmax.operand->labels};
  const CopyId largest = reduce(ReductionKind::Max, x, softmax.operand->dtype);
  const CopyId powers = writer.elements(planning::exp_of_difference(), {x, {largest, rows}}, labels,
                                        layout, names.next_intermediate(), operation.dtype);
  const CopyId total = reduce(ReductionKind::Sum, {powers, labels}, operation.dtype);
  const Naming naming = naming_of(operation, outermost, names);
  return writer.elements(planning::quotient(), {{powers, labels}, {total, rows}}, labels, layout,
                         naming.name, naming.dtype,
                         naming.dtype == operation.dtype ? powers : CopyId{});
}

}  // namespace

Naming naming_of(const checked::Operation& operation, bool outermost, ResultNames& names) {
  if (outermost) return {names.target, names.dtype};
  return {names.next_intermediate(), operation.dtype};
}

CopyId write_local(const checked::Operation& operation, const std::vector<CopyId>& operands,
                   const Layout& layout, bool outermost, ResultNames& names, StepWriter& writer) {
  if (const auto* softmax = std::get_if<checked::Softmax>(&operation.node))
    return write_softmax(*softmax, operation, operands[0], layout, outermost, names, writer);
  const Naming naming = naming_of(operation, outermost, names);
  std::vector<ContractedOperand> factors;
  const auto parts = operands_of(operation);
  for (std::size_t i = 0; i < parts.size(); ++i) factors.push_back({operands[i], parts[i]->labels});
  if (const auto* elements = std::get_if<checked::Elementwise>(&operation.node)) {
    const CopyId own = outermost
                           ? taken_over(operation, operands, layout, naming, names.replaces, writer)
                           : CopyId{};
    return writer.elements(elements->program, factors, operation.labels, layout, naming.name,
                           naming.dtype, own);
  }
  if (const auto* reduction = std::get_if<checked::Reduction>(&operation.node))
    return writer.reduce(reduction->kind, factors[0], operation.labels, layout, naming.name,
                         naming.dtype);
  if (const auto* selection = std::get_if<checked::Selection>(&operation.node)) {
    const bool update = outermost && selection->kind == SelectionKind::Update;
    const CopyId own =
        update ? taken_over(operation, operands, layout, naming, names.replaces, writer) : CopyId{};
    return writer.select(*selection, factors, operation.labels, layout, naming.name, naming.dtype,
                         own);
  }
  SHARD_CHECK(std::holds_alternative<checked::Product>(operation.node));
  return writer.contract(factors[0], factors[1], operation.labels, layout, naming.name,
                         naming.dtype);
}

CopyId lower_written(const checked::Operation& operation, bool outermost, ResultNames& names,
                     StepWriter& writer) {
  if (const auto* use = std::get_if<checked::Use>(&operation.node))
    return writer.live_copy(use->array, writer.trimmed(use->layout));
  if (const auto* collective = std::get_if<checked::Collective>(&operation.node))
    return lower_collective(*collective, operation, outermost, names, writer);
  SHARD_CHECK(operation.layout.has_value());
  std::vector<CopyId> operands;
  for (const checked::Operation* part : operands_of(operation))
    operands.push_back(lower_written(*part, false, names, writer));
  return write_local(operation, operands, *operation.layout, outermost, names, writer);
}

}  // namespace shard

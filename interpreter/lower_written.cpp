#include "interpreter/lower_written.h"

#include <algorithm>

#include "base/check.h"

namespace shard {

namespace {

using planning::Move;

// Axes that leave a dimension have to be its minor ones.
Layout in_order(const Layout& from, const Layout& to, const std::vector<AxisId>& leaving,
                CollectiveKind kind) {
  if (kind == CollectiveKind::CollectivePermute) return to;
  Layout ordered = from;
  for (auto& axes : ordered.dims) {
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
  std::vector<AxisId> axes;
  for (std::size_t i = 0; i < from.rank(); ++i) {
    if (from.dims[i] != ordered.dims[i])
      axes.insert(axes.end(), from.dims[i].begin(), from.dims[i].end());
  }
  return writer.move(
      {.kind = CollectiveKind::CollectivePermute, .axes = axes, .from = from, .to = ordered},
      operand, {}, names, false);
}

CopyId lower_collective(const checked::Collective& collective, const checked::Operation& operation,
                        bool outermost, ResultNames& results, StepWriter& writer) {
  const CopyId operand = lower_written(*collective.operand, false, results, writer);
  const std::vector<std::string> names = writer.scope().names_of(operation.labels);
  const Layout from = writer.copy(operand).layout;
  const Layout to = writer.trimmed(collective.layout);
  std::vector<AxisId> axes;
  std::copy_if(collective.axes.begin(), collective.axes.end(), std::back_inserter(axes),
               [&](AxisId axis) { return uses(from, axis); });
  if (axes.empty()) return operand;
  if (collective.kind == CollectiveKind::Shift) {
    return writer.shift(axes.front(), collective.shift, operand,
                        outermost ? results.target : results.next_intermediate(), names);
  }
  const CopyId ordered = reorder(operand, in_order(from, to, axes, collective.kind), names, writer);
  if (collective.kind == CollectiveKind::CollectivePermute) return ordered;
  Move move{.kind = collective.kind, .axes = axes, .from = writer.copy(ordered).layout, .to = to};
  const bool places = collective.kind == CollectiveKind::ReduceScatter ||
                      collective.kind == CollectiveKind::AllToAll;
  if (places) move.dimension = dimension_split_by(to, axes.front());
  return writer.move(move, ordered, outermost ? ArrayId{} : results.copies_of, names, false);
}

}  // namespace

CopyId lower_written(const checked::Operation& operation, bool outermost, ResultNames& names,
                     StepWriter& writer) {
  return match(
      operation.node,
      [&](const checked::Use& use) {
        return writer.live_copy(use.array, writer.trimmed(use.layout));
      },
      [&](const checked::Product& product) {
        SHARD_CHECK(operation.layout.has_value());
        const CopyId left = lower_written(*product.left, false, names, writer);
        const CopyId right = lower_written(*product.right, false, names, writer);
        return writer.contract({left, product.left->labels}, {right, product.right->labels},
                               operation.labels, *operation.layout,
                               outermost ? names.target : names.next_intermediate(),
                               outermost ? names.dtype : operation.dtype);
      },
      [&](const checked::Collective& collective) {
        return lower_collective(collective, operation, outermost, names, writer);
      });
}

}  // namespace shard

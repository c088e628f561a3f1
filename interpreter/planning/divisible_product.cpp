#include "interpreter/planning/divisible_product.h"

#include <algorithm>

#include "base/contains.h"

namespace shard::planning {

namespace {

// The dimension that the move gathers; nullopt if it is not an AllGather, or gathers several dimensions.
std::optional<std::size_t> gathered_dimension(const Move& move) {
  if (move.kind != CollectiveKind::AllGather) return std::nullopt;
  std::optional<std::size_t> gathered;
  for (std::size_t d = 0; d < move.from.rank(); ++d) {
    if (move.from.dims[d] == move.to.dims[d]) continue;
    if (gathered) return std::nullopt;
    gathered = d;
  }
  return gathered;
}

// If a contraction dimension is gathered, its parts arrive, and are summed, in a different order at each place along
// the axes. A result that is replicated along them would then differ in its last bits from copy to copy.
bool is_cut_by_gather(const Term& term, const Term& operand, const Made& product, const Made& made,
                      const std::vector<AxisId>& axes) {
  if (made.moves.empty() || !is_over(made.moves.back(), axes)) return false;
  const auto gathered = gathered_dimension(made.moves.back());
  if (!gathered) return false;
  return contains(term.labels, operand.labels[*gathered]) ||
         contains_all(axes_used(product.start), axes);
}

// The result comes in parts: a ReduceScatter makes them anyway, an AllReduce needs a dimension that divides evenly.
bool is_cut_by_reduction(const Term& term, const Made& product, const std::vector<AxisId>& axes,
                         const Mesh& mesh) {
  if (product.moves.empty() || !is_over(product.moves.front(), axes)) return false;
  const Move& move = product.moves.front();
  if (move.kind == CollectiveKind::ReduceScatter) return true;
  if (move.kind != CollectiveKind::AllReduce) return false;
  std::int64_t parts = 1;
  for (const AxisId axis : axes) parts *= mesh.axes[axis].length().value_or(1);
  const auto local = local_shape(term.shape.lengths, move.to, mesh);
  return std::any_of(local.begin(), local.end(), [&](const Amount& length) {
    const auto constant = length.constant();
    const auto number = constant ? constant->to_int64() : std::nullopt;
    return number && *number % parts == 0;
  });
}

}  // namespace

bool has_beside(const Term& term, const Made& made, const std::vector<AxisId>& axes,
                const Mesh& mesh) {
  const auto* from = std::get_if<MadeFrom>(&made.origin);
  if (from == nullptr) return false;
  const auto parts = operands_of(term);
  if (std::holds_alternative<Box<Product>>(term.node)) {
    if (is_cut_by_reduction(term, made, axes, mesh)) return true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (is_cut_by_gather(term, *parts[i], made, *from->operands[i], axes)) return true;
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (has_beside(*parts[i], *from->operands[i], axes, mesh)) return true;
  }
  return false;
}

}  // namespace shard::planning

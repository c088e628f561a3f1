// What turns one layout of an array into another, as text for diagnostics.
#include "interpreter/check/array.h"
#include "interpreter/planning/search/route_search.h"

namespace shard {

std::optional<Relayout> relayout(ArrayId array, const Layout& from, const Layout& to,
                                 const Scope& scope) {
  const ArrayInfo& info = scope.store.arrays[array];
  const planning::Shape shape{.lengths = scope.shape_of(info.dimensions), .dtype = info.dtype};
  const auto route =
      planning::cheapest_route({from}, to, shape, scope.hardware(), planning::MoveRule::Direct);
  if (!route) return std::nullopt;
  Relayout found{.operation = scope.describe(array, from), .result = scope.describe(array, to)};
  found.is_collective = route->moves.size() == 1 && route->moves.front().kind;
  if (found.is_collective) {
    found.operation = planning::name_of(route->moves.front(), scope.store.names_of(info.dimensions),
                                        scope.mesh()) +
                      " " + found.operation;
  }
  return found;
}

std::string line_of(const Relayout& relayout) {
  return relayout.operation + " → " + relayout.result;
}

std::optional<std::string> relayout_line(ArrayId array, const Layout& from, const Layout& to,
                                         const Scope& scope) {
  const auto found = relayout(array, from, to, scope);
  return found ? std::optional(line_of(*found)) : std::nullopt;
}

}  // namespace shard

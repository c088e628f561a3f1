#include "interpreter/planning/relayout.h"

#include <algorithm>
#include <map>

namespace shard::planning {

namespace {

// A layout that was reached, and how.
struct Reached {
  Weight weight;
  std::size_t source = 0;
  std::vector<Move> moves;
  bool settled = false;
};

// Dijkstra over layouts: weights of moves are never negative, so a layout that is lightest among the open ones is final.
std::optional<Route> search(const std::vector<Layout>& sources, const Layout& target,
                            const Shape& shape, const Machine& machine, MoveRule rule) {
  std::map<Layout, Reached> reached;
  for (std::size_t i = 0; i < sources.size(); ++i)
    reached.try_emplace(sources[i], Reached{.source = i});
  while (true) {
    auto best = reached.end();
    for (auto entry = reached.begin(); entry != reached.end(); ++entry) {
      if (entry->second.settled) continue;
      if (best == reached.end() || lighter(entry->second.weight, best->second.weight) ||
          (!lighter(best->second.weight, entry->second.weight) &&
           entry->second.source < best->second.source)) {
        best = entry;
      }
    }
    if (best == reached.end()) return std::nullopt;
    best->second.settled = true;
    const Reached here = best->second;
    if (best->first == target)
      return Route{.source = here.source, .moves = here.moves, .weight = here.weight};
    for (Move& move : moves_towards(best->first, target, shape, machine.mesh, rule)) {
      Weight weight = here.weight + weigh(cost_of(move, shape, machine));
      const auto [entry, is_new] = reached.try_emplace(move.to);
      if (!is_new && (entry->second.settled || !lighter(weight, entry->second.weight))) continue;
      entry->second = {.weight = weight, .source = here.source, .moves = here.moves};
      entry->second.moves.push_back(std::move(move));
    }
  }
}

}  // namespace

std::optional<Route> cheapest_route(const std::vector<Layout>& sources, const Layout& target,
                                    const Shape& shape, const Machine& machine, MoveRule rule) {
  const auto exact = std::find(sources.begin(), sources.end(), target);
  if (exact != sources.end()) {
    return Route{.source = static_cast<std::size_t>(exact - sources.begin())};
  }
  if (rule == MoveRule::Cases) {
    if (auto route = search(sources, target, shape, machine, MoveRule::Cases)) return route;
  }
  if (auto route = search(sources, target, shape, machine, MoveRule::Direct)) return route;
  return search(sources, target, shape, machine, MoveRule::Any);
}

std::vector<Route> routes_weighed(const Layout& source, const Layout& target, const Shape& shape,
                                  const Machine& machine) {
  std::vector<Route> routes;
  for (Move& move : moves_towards(source, target, shape, machine.mesh, MoveRule::Direct)) {
    auto rest = cheapest_route({move.to}, target, shape, machine);
    if (!rest) continue;
    Route route{.weight = weigh(cost_of(move, shape, machine)) + rest->weight};
    route.moves.push_back(std::move(move));
    route.moves.insert(route.moves.end(), rest->moves.begin(), rest->moves.end());
    routes.push_back(std::move(route));
  }
  std::stable_sort(routes.begin(), routes.end(),
                   [](const Route& a, const Route& b) { return lighter(a.weight, b.weight); });
  return routes;
}

Cost cost_of(const Route& route, const Shape& shape, const Machine& machine) {
  Cost total;
  for (const Move& move : route.moves) total += cost_of(move, shape, machine);
  return total;
}

}  // namespace shard::planning

#include "interpreter/planning/search/route_search.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/cancellation.h"
#include "base/contains.h"
#include "interpreter/planning/search/prices.h"
#include "interpreter/planning/search/relayout_search.h"
#include "interpreter/planning/search/runners_up.h"

namespace shard::planning {

namespace {

// A layout that was reached, and how.
struct Reached {
  Weight weight;
  std::size_t source = 0;
  std::vector<Move> moves;
  bool settled = false;
};

// A transpose at a layout. As the last move of a way it leaves the new array's element type, earlier the old one.
Move transpose_at(const Layout& layout, bool is_last, const Shape& shape,
                  const Transpose& transpose) {
  return {.kind = {},
          .axes = {},
          .dimension = {},
          .from = layout,
          .to = layout,
          .transpose = Transpose{transpose.order, is_last ? transpose.dtype : shape.dtype}};
}

// Whether the move is a collective over some of the axes but not over exactly these.
bool splits(const Move& move, const std::vector<AxisId>& whole) {
  const bool some = std::any_of(move.axes.begin(), move.axes.end(),
                                [&](AxisId axis) { return contains(whole, axis); });
  return move.kind && some && !is_over(move, whole);
}

// A layout, and whether the transpose is done (true if there is none).
using Place = std::pair<Layout, bool>;

std::vector<Move> moves_from(const Place& place, const Layout& target, const Shape& shape,
                             const Mesh& mesh, MoveRule rule,
                             const std::optional<Transpose>& transpose) {
  std::vector<Move> moves = moves_towards(place.first, target, shape, mesh, rule);
  if (!place.second)
    moves.push_back(transpose_at(place.first, place.first == target, shape, *transpose));
  return moves;
}

// To price a move exactly takes as long as to weigh so many in numbers.
constexpr std::size_t kMovesOfPricing = 100;

// Dijkstra over places: moves never weigh less than zero, so the lightest open place is final.
std::optional<Route> search(const std::vector<Layout>& sources, const Layout& target,
                            const Shape& shape, const Machine& machine, MoveRule rule,
                            const std::optional<Transpose>& transpose,
                            const std::vector<AxisId>& whole, std::size_t& most_moves) {
  // The number of layouts grows exponentially with the axes, and each step scans all that were reached and prices some
  // hundred moves. Past 500 the search gives up, so that meshes of many axes are answered in time; the caller then
  // tries the next wider rule and at last `plain_route`. With a transpose every layout exists twice, before it and
  // after it.
  const std::size_t most_reached = transpose ? 1000 : 500;
  std::map<Place, Reached> reached;
  for (std::size_t i = 0; i < sources.size(); ++i)
    reached.try_emplace({sources[i], !transpose}, Reached{.source = i});
  while (true) {
    throw_if_cancelled();
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
    if (reached.size() > most_reached) return std::nullopt;
    best->second.settled = true;
    const Reached here = best->second;
    if (best->first == Place(target, true))
      return Route{.source = here.source, .moves = here.moves, .weight = here.weight};
    for (Move& move : moves_from(best->first, target, shape, machine.mesh, rule, transpose)) {
      if (splits(move, whole)) continue;
      if (most_moves < kMovesOfPricing) return std::nullopt;
      most_moves -= kMovesOfPricing;
      Weight weight = here.weight + weigh(cost_of(move, shape, machine));
      const bool is_transpose = move.transpose.has_value();
      const auto [entry, is_new] =
          reached.try_emplace({move.to, best->first.second || is_transpose});
      const bool is_better = is_transpose ? !lighter(entry->second.weight, weight)
                                          : lighter(weight, entry->second.weight);
      if (!is_new && (entry->second.settled || !is_better)) continue;
      entry->second = {.weight = weight, .source = here.source, .moves = here.moves};
      entry->second.moves.push_back(std::move(move));
    }
  }
}

// Sums, gathers everything and slices. This always works, so it is the way out when the search gave up.
std::optional<Route> plain_route(const Layout& source, const Layout& target, const Shape& shape,
                                 const Machine& machine) {
  if (!target.unreduced.empty() && source.combination != target.combination) return std::nullopt;
  Route route;
  Layout at = source;
  const auto go = [&](std::optional<CollectiveKind> kind, std::vector<AxisId> axes, Layout to) {
    if (at == to) return;
    Move move{.kind = kind, .axes = std::move(axes), .from = at, .to = std::move(to)};
    route.weight += weigh(cost_of(move, shape, machine));
    at = move.to;
    route.moves.push_back(std::move(move));
  };
  Layout reduced = at;
  std::vector<AxisId> summed;
  for (const AxisId axis : at.unreduced) {
    const bool stays =
        std::find(target.unreduced.begin(), target.unreduced.end(), axis) != target.unreduced.end();
    if (!stays) summed.push_back(axis);
  }
  reduced.unreduced = target.unreduced;
  if (at.unreduced.size() - summed.size() != target.unreduced.size()) return std::nullopt;
  go(CollectiveKind::AllReduce, summed, reduced);
  std::vector<AxisId> gathered;
  for (const auto& axes : at.dims) gathered.insert(gathered.end(), axes.begin(), axes.end());
  Layout whole = at;
  for (auto& axes : whole.dims.edit()) axes.clear();
  go(CollectiveKind::AllGather, gathered, whole);
  Layout everywhere = at;
  std::erase_if(everywhere.placed.edit(), [&](const Placement& place) {
    return place_on(target, place.axis) != place.coordinate;
  });
  std::vector<AxisId> spread;
  for (const Placement& place : at.placed) {
    if (!place_on(everywhere, place.axis)) spread.push_back(place.axis);
  }
  go(CollectiveKind::Broadcast, spread, everywhere);
  std::vector<AxisId> sliced;
  for (const Placement& place : target.placed) {
    if (!place_on(at, place.axis)) sliced.push_back(place.axis);
  }
  for (const auto& axes : target.dims) sliced.insert(sliced.end(), axes.begin(), axes.end());
  go(std::nullopt, sliced, target);
  return route;
}

// Gathering and slicing again. For small arrays, where latency dominates, it may beat an exchange.
std::optional<Route> gathering_route(const std::vector<Layout>& sources, const Layout& target,
                                     const Shape& shape, const Machine& machine,
                                     const std::optional<Transpose>& transpose,
                                     const std::vector<AxisId>& whole, std::size_t most_moves,
                                     std::size_t& spent) {
  std::size_t left = most_moves;
  auto route = search(sources, target, shape, machine, MoveRule::Cases, transpose, whole, left);
  spent = most_moves - left;
  if (route) route->weighed = spent;
  return route;
}

// Hops between two places of the axis; nullopt where they say less than links do: some have failed or are slow, several links
// are an axis, or two ways round are equally long and share the bytes.
std::optional<std::int64_t> hops_between(std::int64_t a, std::int64_t b, const MeshAxis& axis) {
  if (a == b) return 0;
  if (axis.kind != AxisKind::Ici) return 1;
  if (axis.torus.size() != 1 || !axis.torus.front().cuts.empty() ||
      !axis.torus.front().slow.empty())
    return std::nullopt;
  const std::int64_t up = std::abs(a - b);
  const std::int64_t down = axis.torus.front().length - up;
  if (!axis.torus.front().is_ring()) return up;
  return up == down ? std::nullopt : std::optional(std::min(up, down));
}

// How far along which axis a copy is, that is the target but for its place on this one. nullopt for every other layout.
struct Distance {
  AxisId axis;
  std::int64_t hops = 0;
};

std::optional<Distance> distance_of(const Layout& source, const Layout& target, const Mesh& mesh) {
  if (source.placed.size() != target.placed.size()) return std::nullopt;
  Layout moved = source;
  std::optional<Distance> distance;
  for (Placement& place : moved.placed.edit()) {
    const auto there = place_on(target, place.axis);
    if (there == place.coordinate) continue;
    if (!there || distance) return std::nullopt;
    const auto hops = hops_between(place.coordinate, *there, mesh.axes[place.axis]);
    if (!hops) return std::nullopt;
    distance = Distance{place.axis, *hops};
    place.coordinate = *there;
  }
  return moved == target ? distance : std::nullopt;
}

// The sources without those that are farther along an axis than another one. Copies that are made one after the other at every
// place of an axis are many.
std::vector<std::size_t> nearest_sources(const std::vector<Layout>& sources, const Layout& target,
                                         const Mesh& mesh) {
  std::map<AxisId, std::pair<std::int64_t, std::size_t>> nearest;  // hops, and the source
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto distance = distance_of(sources[i], target, mesh);
    if (!distance) {
      kept.push_back(i);
      continue;
    }
    const auto [entry, is_new] = nearest.try_emplace(distance->axis, distance->hops, i);
    if (!is_new && distance->hops < entry->second.first) entry->second = {distance->hops, i};
  }
  for (const auto& [axis, near] : nearest) kept.push_back(near.second);
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace

Route weighed(FoundRoute found, const Shape& shape, const Machine& machine) {
  Route route{.source = found.source,
              .moves = std::move(found.moves),
              .bound = found.bound,
              .weighed = found.weighed};
  for (const Move& move : route.moves) route.weight += weigh(cost_of(move, shape, machine));
  return route;
}

std::vector<Move> moves_to(const std::vector<Stop>& stops, std::uint32_t stop,
                           const Relayout& problem, const Ground& ground) {
  const Prices prices(problem, ground);
  std::vector<Move> moves;
  for (; stops[stop].before != Stop::kNone; stop = stops[stop].before) {
    const Stop& to = stops[stop];
    moves.push_back(prices.move(stops[to.before].places, {to.by, to.axes, to.places}, false));
  }
  std::reverse(moves.begin(), moves.end());
  return joined_slices(std::move(moves));
}

bool is_over(const Move& move, const std::vector<AxisId>& axes) {
  return move.axes.size() == axes.size() && contains_all(move.axes, axes);
}

double unproven(const Route& route) {
  return route.bound ? route.weight.seconds - *route.bound : 0;
}

std::optional<Route> cheapest_route(const std::vector<Layout>& sources, const Layout& target,
                                    const Shape& shape, const Machine& machine, MoveRule rule,
                                    const std::optional<Transpose>& transpose,
                                    const std::vector<AxisId>& whole, std::size_t most_moves,
                                    const Aim& aim) {
  const auto exact = std::find(sources.begin(), sources.end(), target);
  if (exact != sources.end() && !transpose) {
    return Route{.source = static_cast<std::size_t>(exact - sources.begin())};
  }
  const std::vector<std::size_t> nearest = nearest_sources(sources, target, machine.mesh);
  if (nearest.size() < sources.size()) {
    std::vector<Layout> some;
    for (const std::size_t source : nearest) some.push_back(sources[source]);
    auto route =
        cheapest_route(some, target, shape, machine, rule, transpose, whole, most_moves, aim);
    if (route) route->source = nearest[route->source];
    return route;
  }
  std::size_t spent = 0;
  if (rule == MoveRule::Cases) {
    if (auto route =
            gathering_route(sources, target, shape, machine, transpose, whole, most_moves, spent))
      return route;
  }
  if (rule != MoveRule::Any) {
    const Relayout straight{sources, target, shape, machine, transpose, whole, true};
    if (auto found = find_route(straight)) {
      found->weighed += spent;
      return weighed(std::move(*found), shape, machine);
    }
  }
  Relayout problem{sources, target, shape, machine, transpose, whole, false, most_moves};
  problem.aim = aim;
  auto found = find_route(problem);
  // Axes with another one between them, `J_{ZYX}` of Z and X, are never those of one collective alone: they need not be then.
  if (!found && !whole.empty()) {
    problem.whole.clear();
    found = find_route(problem);
  }
  if (found) {
    // It is known in seconds alone.
    if (found->bound && aim.objective == Objective::Bytes) found->bound = 0;
    return weighed(std::move(*found), shape, machine);
  }
  if (aim.most_held < HUGE_VAL) return std::nullopt;
  auto plain = plain_route(sources.front(), target, shape, machine);
  // A search that came to nothing within its budget has excluded nothing.
  if (plain && Ground::of(problem)) plain->bound = 0;
  if (!plain || !transpose) return plain;
  return transposed(std::move(*plain), sources.front(), shape, machine, *transpose);
}

std::vector<Route> other_routes(const Layout& source, const Layout& target, const Shape& shape,
                                const Machine& machine, const std::vector<Move>& taken,
                                const std::optional<Transpose>& transpose) {
  const std::vector<Layout> sources = {source};
  std::vector<Route> routes;
  for (FoundRoute& other :
       runners_up({sources, target, shape, machine, transpose}, taken, kMostOthers))
    routes.push_back(weighed(std::move(other), shape, machine));
  return routes;
}

Route transposed(Route route, const Layout& source, const Shape& shape, const Machine& machine,
                 const Transpose& transpose) {
  const std::size_t end = route.moves.size();
  std::size_t place = 0;
  std::optional<Weight> lightest;
  Move chosen;
  for (std::size_t i = 0; i <= end; ++i) {
    const Layout& at = i == 0 ? source : route.moves[i - 1].to;
    Move move = transpose_at(at, i == end, shape, transpose);
    const Weight weight = weigh(cost_of(move, shape, machine));
    if (lightest && lighter(*lightest, weight)) continue;
    place = i;
    lightest = weight;
    chosen = std::move(move);
  }
  route.weight += *lightest;
  route.moves.insert(route.moves.begin() + static_cast<std::ptrdiff_t>(place), std::move(chosen));
  return route;
}

Cost cost_of(const Route& route, const Shape& shape, const Machine& machine) {
  Cost total;
  for (const Move& move : route.moves) total += cost_of(move, shape, machine);
  return total;
}

}  // namespace shard::planning

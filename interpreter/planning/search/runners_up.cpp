#include "interpreter/planning/search/runners_up.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/cancellation.h"
#include "interpreter/planning/search/distance_bound.h"
#include "interpreter/planning/search/neighbours.h"
#include "interpreter/planning/search/prices.h"
#include "interpreter/planning/search/weight.h"

namespace shard::planning {

namespace {

// The collective, whether it is a transpose, and the axes.
using Beginning = std::tuple<std::optional<CollectiveKind>, bool, std::vector<AxisId>>;

Beginning beginning_of(const Move& move) {
  const bool is_transpose = move.transpose.has_value();
  if (!move.kind || move.kind == CollectiveKind::CollectivePermute)
    return {move.kind, is_transpose, {}};
  std::vector<AxisId> axes = move.axes;
  std::sort(axes.begin(), axes.end());
  return {move.kind, is_transpose, std::move(axes)};
}

struct FirstHop {
  Hop hop;
  double seconds;  // that a route beginning with it takes at least
};

// Bounds what every first hop leads to.
class FirstHops final : public HopSink {
 public:
  FirstHops(const Ground& ground, Prices& prices, const Places& from)
      : prices_(prices), bound_(ground), local_(ground.local_bytes(from)) {}

  bool add(const Hop& hop) override {
    constexpr std::size_t kMost = 20'000;
    hops_.push_back({hop, prices_.quick(hop, local_).seconds + bound_.seconds(hop.to)});
    return hops_.size() < kMost;
  }
  std::vector<FirstHop> sorted() {
    std::stable_sort(hops_.begin(), hops_.end(),
                     [](const FirstHop& a, const FirstHop& b) { return a.seconds < b.seconds; });
    return std::move(hops_);
  }

 private:
  Prices& prices_;
  DistanceBound bound_;
  double local_;
  std::vector<FirstHop> hops_;
};

// Sorted by their weights, of each beginning one.
class Best {
 public:
  Best(const Relayout& problem, Beginning taken, std::size_t most)
      : problem_(problem), taken_(std::move(taken)), most_(most) {}

  void add(FoundRoute route) {
    Beginning beginning = beginning_of(route.moves.front());
    if (beginning == taken_) return;
    Weight weight;
    for (const Move& move : route.moves) {
      weight += weigh(cost_of(move, problem_.shape, problem_.machine));
      if (!move.transpose && move.to == route.moves.front().from)
        return;  // a detour and the same again
    }
    if (std::isinf(weight.seconds)) return;  // by links that have failed
    const auto [entry, is_new] = routes_.try_emplace(std::move(beginning));
    if (is_new || lighter(weight, entry->second.first)) entry->second = {weight, std::move(route)};
  }
  bool takes(const Move& first) const { return beginning_of(first) != taken_; }
  // Whether routes of so many seconds are no longer wanted.
  bool is_full(double seconds) const {
    const auto ahead = std::count_if(routes_.begin(), routes_.end(), [&](const auto& entry) {
      return entry.second.first.seconds <= seconds;
    });
    return static_cast<std::size_t>(ahead) >= most_;
  }
  std::vector<FoundRoute> routes() {
    std::vector<std::pair<Weight, FoundRoute>> all;
    for (auto& [beginning, route] : routes_) all.push_back(std::move(route));
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return lighter(a.first, b.first); });
    std::vector<FoundRoute> routes;
    for (auto& [weight, route] : all) {
      if (routes.size() < most_) routes.push_back(std::move(route));
    }
    return routes;
  }

 private:
  const Relayout& problem_;
  Beginning taken_;
  std::size_t most_;
  std::map<Beginning, std::pair<Weight, FoundRoute>> routes_;
};

}  // namespace

std::vector<FoundRoute> runners_up(const Relayout& problem, const std::vector<Move>& taken,
                                   std::size_t most) {
  const auto ground = Ground::of(problem);
  if (!ground || ground->sources().empty() || taken.empty()) return {};
  Prices prices(problem, *ground);
  const Places& from = ground->sources().front().places;
  FirstHops hops(*ground, prices, from);
  if (problem.transpose) hops.add({.kind = HopKind::Transpose, .axes = 0, .to = from});
  Neighbours neighbours(from, *ground, hops);
  if (neighbours.find_others()) neighbours.find_permutes();
  Best best(problem, beginning_of(taken.front()), most);
  // Most are better than the last ones kept or clearly worse, so few have to be followed to their ends.
  constexpr int kMostFollowed = 32;
  constexpr std::size_t kMovesOfEach = 50'000;
  int followed = 0;
  for (const FirstHop& first : hops.sorted()) {
    throw_if_cancelled();
    if (best.is_full(first.seconds) || followed == kMostFollowed) break;
    Move move = prices.move(from, first.hop, first.hop.to == ground->target());
    if (!best.takes(move)) continue;
    ++followed;
    const std::vector<Layout> there = {move.to};
    Relayout rest{there, problem.target, problem.shape, problem.machine};
    if (!move.transpose) rest.transpose = problem.transpose;
    rest.most_moves = kMovesOfEach;
    FoundRoute route;
    if (move.to != problem.target || rest.transpose) {
      auto tail = find_route(rest);
      if (!tail) continue;
      route = std::move(*tail);
    }
    route.moves.insert(route.moves.begin(), std::move(move));
    best.add(std::move(route));
  }
  return best.routes();
}

}  // namespace shard::planning

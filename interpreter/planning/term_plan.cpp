// Plans terms and re-layouts by the rule that a script has chosen.
#include "interpreter/planning/term_plan.h"

#include <algorithm>
#include <cmath>

#include "base/cancellation.h"
#include "interpreter/planning/cheapest.h"
#include "interpreter/planning/divisible_product.h"
#include "interpreter/planning/objective.h"
#include "interpreter/planning/planner.h"
#include "interpreter/planning/written_copies.h"

namespace shard::planning {

namespace {

// From the transpose on, layouts have their dimensions in the new order.
std::vector<Move> as_written(std::vector<Move> moves) {
  std::optional<Transpose> transpose;
  for (Move& move : moves) {
    if (transpose) {
      move.from = reordered(move.from, *transpose);
      const auto& order = transpose->order;
      if (move.dimension) {
        const auto place = std::find(order.begin(), order.end(), *move.dimension);
        move.dimension = static_cast<std::size_t>(place - order.begin());
      }
    }
    if (move.transpose) transpose = move.transpose;
    if (transpose) move.to = reordered(move.to, *transpose);
  }
  return moves;
}

// The ways from these copies if the lightest one has a collective over the axes next to a product; otherwise only the
// ways that have one.
std::vector<MadePtr> ways_beside(const Term& term, const std::optional<Layout>& target,
                                 const Machine& machine, const std::vector<AxisId>& beside) {
  std::vector<MadePtr> ways = Planner(machine).make(term, target);
  if (ways.empty() || has_beside(term, *ways.front(), beside, machine.mesh)) return ways;
  ways = Planner(machine, beside).make(term, target);
  std::erase_if(ways,
                [&](const MadePtr& way) { return !has_beside(term, *way, beside, machine.mesh); });
  return ways;
}

// Nothing but its operations says how much less another way could take.
MadePtr unproven(Made made, const Term& term, const Machine& machine) {
  made.unproven = std::max(made.weight.seconds - least_seconds(term, machine), 0.0);
  return std::make_shared<const Made>(std::move(made));
}

// What searches for a rule have found.
struct Found {
  std::vector<MadePtr> made;
  bool is_complete = true;

  // Whether there is one.
  bool add(const CheapestWay& way) {
    if (way.is_searched && !way.is_complete) is_complete = false;
    if (way.made) made.push_back(way.made);
    return way.made != nullptr;
  }
};

// Searches under one objective after the other, and under ever less memory.
class SearchForRule {
 public:
  SearchForRule(const Term& term, const std::optional<Layout>& target, const Machine& machine,
                Objective objective)
      : term_(term), target_(target), machine_(machine), objective_(objective) {}

  // `ways`: those of the cases, the lightest first.
  Found run(const std::vector<MadePtr>& ways) {
    switch (objective_) {
      case Objective::Timeline:
        // Its search takes links to be free: what is best when they are not is found by the sum of the times.
        search(Objective::Time, least(ways, Objective::Time));
        search(objective_, std::min(least(ways, objective_), least(found_.made, objective_)));
        break;
      case Objective::Memory:
        search_memory(ways);
        break;
      default:
        search(objective_, least(ways, objective_));
    }
    return std::move(found_);
  }

 private:
  double least(const std::vector<MadePtr>& ways, Objective objective) const {
    double least = HUGE_VAL;
    for (const MadePtr& way : ways)
      least = std::min(least, rank_of(term_, *way, machine_, objective).figure);
    return least;
  }
  bool search(Objective objective, double most) {
    CheapestLimits limits{.most_moves = std::max(most_moves_, kLeastMoves)};
    limits.useful = {.most = most, .aim = {objective, most_held_}};
    const CheapestWay way = cheapest_way(term_, target_, machine_, limits);
    most_moves_ -= std::min(most_moves_, way.weighed);
    return found_.add(way);
  }
  // The least time in the memory of the cases, and then in less than that took, until there is none.
  void search_memory(const std::vector<MadePtr>& ways) {
    constexpr double kLess = 1 - 1e-6;
    most_held_ = least(ways, objective_) * (1 + 1e-9);
    while (search(Objective::Time, HUGE_VAL) && most_moves_ > 0) {
      throw_if_cancelled();
      const double held = most_held(term_, *found_.made.back(), machine_);
      // What holds nothing is undercut by nothing.
      if (held <= 0) break;
      most_held_ = held * kLess;
    }
    if (most_moves_ == 0) found_.is_complete = false;
  }

  static constexpr std::size_t kLeastMoves = 10'000;
  const Term& term_;
  const std::optional<Layout>& target_;
  const Machine& machine_;
  Objective objective_;
  std::size_t most_moves_ = Relayout::kMostMoves;
  double most_held_ = HUGE_VAL;
  Found found_;
};

// Among equals those of the cases, which come first.
void put_best_first(std::vector<MadePtr>& ways, const Term& term,
                    const std::optional<Layout>& target, const Machine& machine, PlanRule rule) {
  if (std::holds_alternative<Source>(term.node)) return;
  const Objective objective = objective_of(rule);
  Found found = SearchForRule(term, target, machine, objective).run(ways);
  // The cases do not bring operands together that are unreduced over one axis.
  if (ways.empty() && found.made.empty()) return;
  const std::size_t by_cases = ways.size();
  ways.insert(ways.end(), found.made.begin(), found.made.end());
  std::size_t best = 0;
  Rank least = rank_of(term, *ways.front(), machine, objective);
  for (std::size_t i = 1; i < ways.size(); ++i) {
    const Rank rank = rank_of(term, *ways[i], machine, objective);
    if (!is_better(rank, least)) continue;
    best = i;
    least = rank;
  }
  MadePtr first = found.is_complete ? ways[best] : unproven(*ways[best], term, machine);
  if (best < by_cases) ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(best));
  ways.resize(best < by_cases ? by_cases - 1 : by_cases);
  ways.insert(ways.begin(), std::move(first));
}

}  // namespace

MadePtr cheaper_way(const Term& term, const std::optional<Layout>& target, const Machine& machine,
                    const Made& taken) {
  // Statements are many, and most of them are planned well. What can be gained by less than a hundredth is not worth a note.
  constexpr std::size_t kMostMoves = 20'000;
  constexpr double kWorthwhile = 0.99;
  if (std::holds_alternative<Source>(term.node) || std::isinf(taken.weight.seconds) ||
      needs_reference(taken.cost))
    return nullptr;
  const CheapestLimits limits{.most_moves = kMostMoves,
                              .useful = {.most = taken.weight.seconds * kWorthwhile}};
  const CheapestWay cheapest = cheapest_way(term, target, machine, limits);
  if (!cheapest.is_complete || cheapest.made == nullptr) return nullptr;
  return cheapest.made->weight.seconds < limits.useful.most ? cheapest.made : nullptr;
}

std::vector<MadePtr> plan_term(const Term& term, const std::optional<Layout>& target,
                               const Machine& machine, const std::vector<AxisId>& beside,
                               PlanRule rule) {
  if (beside.empty()) {
    Planner planner(machine);
    auto ways = planner.make(term, target);
    if (planner.is_cut_short() && !ways.empty())
      ways.front() = unproven(*ways.front(), term, machine);
    if (rule != PlanRule::Cases) put_best_first(ways, term, target, machine, rule);
    return ways;
  }
  // Whether there is such a collective must depend on written copies alone: an inferred copy could avoid the collective
  // or add one.
  auto written = ways_beside(from_written(term), target, machine, beside);
  if (written.empty()) return Planner(machine).make(from_written(term), target);
  auto ways = ways_beside(term, target, machine, beside);
  return ways.empty() ? written : ways;
}

namespace {

std::optional<Transpose> reordering_of(const std::optional<Transpose>& as_new) {
  return as_new && reorders(*as_new) ? as_new : std::nullopt;
}

MadePtr made_by(Route route, const Layout& from, const Layout& target, const Shape& shape,
                const Machine& machine) {
  const Cost cost = cost_of(route, shape, machine);
  return std::make_shared<const Made>(Made{.origin = route.source,
                                           .start = from,
                                           .moves = as_written(std::move(route.moves)),
                                           .layout = target,
                                           .weight = route.weight,
                                           .cost = cost,
                                           .time = cost.time(),
                                           .unproven = unproven(route)});
}

// The least time in the least memory that a move takes.
std::optional<Route> route_of_least_memory(const std::vector<Layout>& sources, const Layout& target,
                                           const Shape& shape, const Machine& machine,
                                           const std::optional<Transpose>& transpose) {
  constexpr double kLess = 1 - 1e-6;
  std::optional<Route> best;
  Aim aim;
  std::size_t left = Relayout::kMostMoves;
  while (left > 0) {
    throw_if_cancelled();
    auto route =
        cheapest_route(sources, target, shape, machine, MoveRule::Any, transpose, {}, left, aim);
    if (!route) return best;
    // An array that is there already takes no move, and nothing takes less memory.
    if (route->moves.empty()) return route;
    left -= std::min(left, route->weighed);
    aim.most_held = most_held(route->moves, shape, machine) * kLess;
    best = std::move(route);
  }
  best->bound = 0;
  return best;
}

}  // namespace

MadePtr plan_moves(const std::vector<Layout>& sources, const Layout& target, const Shape& shape,
                   const Machine& machine, const std::optional<Transpose>& as_new, PlanRule rule) {
  const auto transpose = reordering_of(as_new);
  const Aim aim{rule == PlanRule::Bytes ? Objective::Bytes : Objective::Time};
  auto chosen = rule == PlanRule::Memory
                    ? route_of_least_memory(sources, target, shape, machine, transpose)
                    : cheapest_route(sources, target, shape, machine, MoveRule::Any, transpose, {},
                                     Relayout::kMostMoves, aim);
  if (!chosen) return nullptr;
  const Layout& from = sources[chosen->source];
  if (chosen->moves.empty() && as_new)
    chosen = transposed(std::move(*chosen), from, shape, machine, *as_new);
  return made_by(std::move(*chosen), from, target, shape, machine);
}

std::vector<MadePtr> other_moves(const Made& taken, const Shape& shape, const Machine& machine,
                                 const std::optional<Transpose>& as_new) {
  std::vector<MadePtr> ways;
  if (taken.start == taken.layout && !reordering_of(as_new)) return ways;
  for (Route& route : other_routes(taken.start, taken.layout, shape, machine, taken.moves,
                                   reordering_of(as_new))) {
    route.source = std::get<std::size_t>(taken.origin);
    ways.push_back(made_by(std::move(route), taken.start, taken.layout, shape, machine));
  }
  return ways;
}

}  // namespace shard::planning

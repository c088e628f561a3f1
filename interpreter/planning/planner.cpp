#include "interpreter/planning/planner.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/cancellation.h"
#include "base/contains.h"
#include "interpreter/planning/cheapest.h"
#include "interpreter/planning/divisible_product.h"
#include "interpreter/planning/local_layout.h"
#include "interpreter/planning/written_copies.h"

namespace shard::planning {

namespace {

// Per operand. Every layout tried asks `best` for each operand again, so nested terms multiply
// this number level by level. Layouts past the four lightest are tried only if the target or another operand has them.
constexpr std::size_t kMostSeeds = 4;

// The ways to turn a result into an operand: sum what is unreduced, by AllReduce or by ReduceScatter onto any
// dimension.
std::vector<Layout> reduced_forms(const Layout& layout) {
  if (layout.unreduced.empty()) return {layout};
  Layout everywhere = layout;
  everywhere.unreduced = {};
  std::vector<Layout> forms = {everywhere};
  for (std::size_t dimension = 0; dimension < layout.rank(); ++dimension) {
    Layout scattered = everywhere;
    auto& axes = scattered.dims.edit()[dimension];
    axes.insert(axes.end(), layout.unreduced.begin(), layout.unreduced.end());
    forms.push_back(std::move(scattered));
  }
  return forms;
}

// Whether a device that has `have` also has `wanted`: the same blocks on more devices.
bool is_held_at(Layout have, const Layout& wanted) {
  if (add_places(wanted, have)) return false;
  return have == wanted;
}

bool is_same_route(const SourceRoute& a, const SourceRoute& b) {
  return a.array == b.array && a.start == b.start && a.moves == b.moves;
}

// Of a sum that has the part twice. What failed links make impossible stays so.
void take_back(const SourceRoute& part, Made& made) {
  if (part.cost.severed) return;
  made.weight -= part.weight;
  made.cost -= part.cost;
  made.time = made.time - part.time;
  made.unproven -= part.unproven;
}

// Takes over how an operand's sources are brought to their layouts; what another operand does as well counts once.
void share_routes(const Made& operand, Made& made) {
  for (const auto& route : operand.routes) {
    const bool known = std::any_of(made.routes.begin(), made.routes.end(), [&](const auto& other) {
      return is_same_route(*route, *other);
    });
    if (known)
      take_back(*route, made);
    else
      made.routes.push_back(route);
  }
}

void sort(std::vector<MadePtr>& ways) {
  std::stable_sort(ways.begin(), ways.end(), [](const MadePtr& a, const MadePtr& b) {
    return lighter(a->weight, b->weight);
  });
}

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

}  // namespace

MadePtr start_at(const Source& source, std::size_t index) {
  const Layout& layout = source.layouts[index];
  return std::make_shared<const Made>(
      Made{.origin = index, .start = layout, .layout = layout, .array = source.array});
}

Copy copy_of(const Shape& shape, const Layout& layout) {
  return {.shape = shape.lengths, .dtype = shape.dtype, .layout = layout};
}

Layout restricted(const Layout& layout, const Labels& labels, const Labels& some) {
  Layout result = unsplit(layout, some.size());
  for (std::size_t d = 0; d < some.size(); ++d) {
    if (const auto at = position_of(labels, some[d])) result.dims.edit()[d] = layout.dims[*at];
  }
  return result;
}

std::vector<const Term*> operands_of(const Term& term) {
  std::vector<const Term*> operands;
  const auto add = [&](const Term& operand) { operands.push_back(&operand); };
  match(
      term.node, [](const Source&) {},
      [&](const Box<Product>& product) {
        add(product->left);
        add(product->right);
      },
      [&](const Box<Elementwise>& elements) {
        std::for_each(elements->operands.begin(), elements->operands.end(), add);
      },
      [&](const Box<Reduction>& reduction) { add(reduction->operand); },
      [&](const Box<Softmax>& softmax) { add(softmax->operand); },
      [&](const Box<Selection>& selection) {
        std::for_each(selection->operands.begin(), selection->operands.end(), add);
      });
  return operands;
}

std::vector<MadePtr> Planner::make(const Term& term, const std::optional<Layout>& target) {
  const auto key = std::make_pair(&term, target);
  const auto known = made_.find(key);
  if (known != made_.end()) return known->second;
  const std::vector<MadePtr> locals = match(
      term.node, [](const Source&) { return std::vector<MadePtr>(); },
      [&](const Box<Product>& product) { return local_products_of(*product, term, target); },
      [&](const Box<Elementwise>& elements) { return local_elements_of(*elements, term, target); },
      [&](const Box<Reduction>& reduction) {
        return local_reductions_of(*reduction, term, target);
      },
      [&](const Box<Softmax>& softmax) { return local_softmaxes_of(*softmax, term, target); },
      [&](const Box<Selection>& selection) {
        return local_selections_of(*selection, term, target);
      });
  const bool is_product = std::holds_alternative<Box<Product>>(term.node);
  auto ways = moved(locals, term.shape, target, is_product ? MoveRule::Cases : MoveRule::Any);
  made_.emplace(key, ways);
  return ways;
}

bool Planner::divides(const Shape& shape, const Layout& layout) const {
  return !indivisible_dimension(shape.lengths, layout, machine_.mesh);
}

std::vector<MadePtr> Planner::moved(const std::vector<MadePtr>& locals, const Shape& shape,
                                    const std::optional<Layout>& target, MoveRule rule) {
  std::vector<MadePtr> ways;
  for (const MadePtr& local : locals) {
    throw_if_cancelled();
    if (ends_with(ways)) break;
    for (const Layout& goal : goals(local->layout, target, shape)) {
      if (const auto found = route({local->layout}, goal, shape, rule))
        ways.push_back(extend(local, *found, shape, machine_));
    }
  }
  sort(ways);
  return ways;
}

MadePtr Planner::best(const Term& term, const Layout& layout) {
  throw_if_cancelled();
  const auto* source = std::get_if<Source>(&term.node);
  if (source == nullptr) {
    const std::vector<MadePtr> ways = make(term, layout);
    return ways.empty() ? nullptr : ways.front();
  }
  const std::vector<Layout>& layouts = source->layouts;
  const auto held = std::find_if(layouts.begin(), layouts.end(),
                                 [&](const Layout& have) { return is_held_at(have, layout); });
  const auto found = held == layouts.end()
                         ? route(layouts, layout, term.shape, MoveRule::Any)
                         : Route{.source = static_cast<std::size_t>(held - layouts.begin())};
  if (!found) return nullptr;
  return extend(start_at(*source, found->source), *found, term.shape, machine_);
}

std::optional<Route> Planner::route(const std::vector<Layout>& sources, const Layout& target,
                                    const Shape& shape, MoveRule rule) {
  auto found = cheapest_route(sources, target, shape, machine_, rule, {}, whole_,
                              std::max(moves_left_, kLeastMoves));
  if (found) moves_left_ -= std::min(moves_left_, found->weighed);
  return found;
}

std::vector<Layout> Planner::seeds_of(const Term& term) {
  std::vector<Layout> seeds;
  for (const MadePtr& way : starts(term)) {
    if (seeds.size() < kMostSeeds) seeds.push_back(way->layout);
  }
  return seeds;
}

MadePtr combine(std::vector<MadePtr> operands, const Layout& layout, const Cost& cost,
                const Formula& time, const Weight& weight) {
  Made made{.start = layout, .layout = layout};
  for (const MadePtr& operand : operands) {
    made.weight += operand->weight;
    made.cost += operand->cost;
    made.time = made.time + operand->time;
    made.unproven += operand->unproven;
    share_routes(*operand, made);
  }
  made.weight += weight;
  made.cost += cost;
  made.time = made.time + time;
  made.origin = MadeFrom{std::move(operands)};
  return std::make_shared<const Made>(std::move(made));
}

MadePtr combine(std::vector<MadePtr> operands, const Layout& layout, const Cost& cost) {
  return combine(std::move(operands), layout, cost, cost.time(), weigh(cost));
}

std::vector<Layout> Planner::goals(const Layout& natural, const std::optional<Layout>& target,
                                   const Shape& shape) const {
  if (target) return {*target};
  std::vector<Layout> forms = reduced_forms(natural);
  std::erase_if(forms, [&](const Layout& form) { return !divides(shape, form); });
  return forms;
}

MadePtr extend(const MadePtr& made, const Route& route, const Shape& shape,
               const Machine& machine) {
  if (route.moves.empty()) return made;
  Made longer = *made;
  longer.moves.insert(longer.moves.end(), route.moves.begin(), route.moves.end());
  longer.layout = route.moves.back().to;
  longer.weight += route.weight;
  const Cost moved = cost_of(route, shape, machine);
  longer.cost += moved;
  longer.time = longer.time + moved.comms;
  longer.unproven += unproven(route);
  if (longer.array >= 0) {
    longer.routes = {std::make_shared<const SourceRoute>(
        SourceRoute{longer.array, longer.start, longer.moves, longer.weight, longer.cost,
                    longer.time, longer.unproven})};
  }
  return std::make_shared<const Made>(std::move(longer));
}

std::vector<MadePtr> Planner::starts(const Term& term) {
  std::vector<MadePtr> made;
  if (const auto* source = std::get_if<Source>(&term.node)) {
    for (std::size_t i = 0; i < source->layouts.size(); ++i) made.push_back(start_at(*source, i));
    return made;
  }
  std::set<Layout> seen;
  for (const MadePtr& way : make(term, std::nullopt)) {
    if (seen.insert(way->layout).second) made.push_back(way);
  }
  return made;
}

namespace {

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

// Nothing says how much less another way could take.
MadePtr unproven(Made made) {
  made.unproven = made.weight.seconds;
  return std::make_shared<const Made>(std::move(made));
}

// A script's own rule searches as far as re-layouts do.
void put_cheapest_first(std::vector<MadePtr>& ways, const Term& term,
                        const std::optional<Layout>& target, const Machine& machine) {
  if (std::holds_alternative<Source>(term.node)) return;
  // The cases do not bring operands together that are unreduced over one axis.
  CheapestLimits limits;
  if (!ways.empty()) limits.most_seconds = ways.front()->weight.seconds;
  CheapestWay cheapest = cheapest_way(term, target, machine, limits);
  const bool is_better =
      cheapest.made && (ways.empty() || lighter(cheapest.made->weight, ways.front()->weight));
  if (!is_better && ways.empty()) return;
  MadePtr first = is_better ? std::move(cheapest.made) : ways.front();
  if (!cheapest.is_complete && cheapest.is_searched) first = unproven(*first);
  if (is_better)
    ways.insert(ways.begin(), std::move(first));
  else
    ways.front() = std::move(first);
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
                              .most_seconds = taken.weight.seconds * kWorthwhile};
  const CheapestWay cheapest = cheapest_way(term, target, machine, limits);
  if (!cheapest.is_complete || cheapest.made == nullptr) return nullptr;
  return cheapest.made->weight.seconds < limits.most_seconds ? cheapest.made : nullptr;
}

std::vector<MadePtr> plan_term(const Term& term, const std::optional<Layout>& target,
                               const Machine& machine, const std::vector<AxisId>& beside,
                               Rule rule) {
  if (beside.empty()) {
    Planner planner(machine);
    auto ways = planner.make(term, target);
    if (planner.is_cut_short() && !ways.empty()) ways.front() = unproven(*ways.front());
    if (rule == Rule::Cheapest) put_cheapest_first(ways, term, target, machine);
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

}  // namespace

MadePtr plan_moves(const std::vector<Layout>& sources, const Layout& target, const Shape& shape,
                   const Machine& machine, const std::optional<Transpose>& as_new) {
  auto chosen =
      cheapest_route(sources, target, shape, machine, MoveRule::Any, reordering_of(as_new));
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

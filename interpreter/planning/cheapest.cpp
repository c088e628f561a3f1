#include "interpreter/planning/cheapest.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/cancellation.h"
#include "interpreter/planning/layout_table.h"
#include "interpreter/planning/planner.h"
#include "interpreter/planning/softmax_expansion.h"

namespace shard::planning {

namespace {

bool is_placed(const Term& term) {
  if (const auto* source = std::get_if<Source>(&term.node)) {
    return std::any_of(source->layouts.begin(), source->layouts.end(),
                       [](const Layout& layout) { return !layout.placed.empty(); });
  }
  const std::vector<const Term*> operands = operands_of(term);
  return std::any_of(operands.begin(), operands.end(),
                     [](const Term* operand) { return is_placed(*operand); });
}

class CheapestSearch {
 public:
  CheapestSearch(const Machine& machine, const CheapestLimits& limits)
      : machine_(machine), most_seconds_(limits.most_seconds), work_(limits.most_moves) {}

  MadePtr way(const Term& term, const std::optional<Layout>& target);
  bool is_complete() const { return is_complete_; }

 private:
  // Moves and pairs that each search may look at, however little of the budget is left.
  static constexpr std::size_t kLeastWork = 2'000;

  // `most_seconds`: what is of use.
  LayoutTable table_of(const Term& term, double most_seconds);
  void find_locals(LayoutTable& table, double most_seconds);
  void start(LayoutTable& table, const Source& source);
  void take_over(LayoutTable& table, std::vector<MadePtr> ways);
  void spread(LayoutTable& table, double most_seconds);
  Ground ground_of(const Term& term) const;
  Layout layout(const LayoutTable& table, const Places& places, const Ground& ground) const;
  std::vector<Layout> layouts_of_locals(const LayoutTable& table, const Ground& ground) const;
  MadePtr made(const LayoutTable& table, const Stop& stop);
  MadePtr made(const LayoutTable& table, std::size_t local);
  void spend(std::size_t work) { work_ -= std::min(work_, work); }
  std::size_t share() const { return std::max(work_, kLeastWork); }

  const Machine& machine_;
  double most_seconds_;
  std::size_t work_;
  bool is_complete_ = true;
};

Ground CheapestSearch::ground_of(const Term& term) const {
  const std::vector<Layout> none;
  const Layout target = replicated(term.labels.size());
  Relayout problem{none, target, term.shape, machine_};
  problem.everywhere = true;
  return *Ground::of(problem);
}

Layout CheapestSearch::layout(const LayoutTable& table, const Places& places,
                              const Ground& ground) const {
  Layout layout = ground.layout(places);
  layout.combination = table.combination;
  return layout;
}

std::vector<Layout> CheapestSearch::layouts_of_locals(const LayoutTable& table,
                                                      const Ground& ground) const {
  std::vector<Layout> layouts;
  for (const Local& local : table.locals) layouts.push_back(layout(table, local.places, ground));
  return layouts;
}

LayoutTable CheapestSearch::table_of(const Term& term, double most_seconds) {
  LayoutTable table{.term = &term};
  find_locals(table, most_seconds);
  spread(table, most_seconds);
  return table;
}

void CheapestSearch::start(LayoutTable& table, const Source& source) {
  table.combination = source.layouts.front().combination;
  for (const Layout& layout : source.layouts) {
    if (!layout.unreduced.empty()) table.combination = layout.combination;
  }
  const Layout target = replicated(table.term->labels.size());
  const auto ground = Ground::of({source.layouts, target, table.term->shape, machine_});
  for (const auto& [places, number] : ground->sources())
    table.locals.push_back({places, {}, {static_cast<std::uint32_t>(number)}});
}

// Those that are placed are left out, as placed arrays are.
void CheapestSearch::take_over(LayoutTable& table, std::vector<MadePtr> ways) {
  std::erase_if(ways, [](const MadePtr& way) { return !way->layout.placed.empty(); });
  std::vector<Layout> layouts;
  for (const MadePtr& way : ways) {
    if (!way->layout.unreduced.empty()) table.combination = way->layout.combination;
    layouts.push_back(way->layout);
  }
  const Layout target = replicated(table.term->labels.size());
  const auto ground = Ground::of({layouts, target, table.term->shape, machine_});
  for (const auto& [places, number] : ground->sources()) {
    table.locals.push_back({places, ways[number]->weight, {}});
    table.made.push_back(ways[number]);
  }
}

void CheapestSearch::find_locals(LayoutTable& table, double most_seconds) {
  const Term& term = *table.term;
  LocalPrice price(term, machine_);
  // Whatever the operands take, this comes on top.
  const double left = most_seconds - price.least_seconds();
  if (!std::holds_alternative<Box<Selection>>(term.node)) {
    for (const Term* operand : operands_of(term))
      table.operands.push_back(table_of(*operand, left));
  }
  std::size_t work = share();
  Meeting meeting(table, price, most_seconds, work);
  match(
      term.node, [&](const Source& source) { start(table, source); },
      [&](const Box<Reduction>& reduction) {
        table.combination = combination_of(reduction->kind);
        meeting.find(*reduction);
      },
      [&](const Box<Selection>&) { take_over(table, Planner(machine_).make(term, std::nullopt)); },
      [&](const auto& node) { meeting.find(*node); });
  spend(share() - work);
  if (work == 0) is_complete_ = false;
}

void CheapestSearch::spread(LayoutTable& table, double most_seconds) {
  if (table.locals.empty()) return;
  const Term& term = *table.term;
  const std::vector<Layout> sources = layouts_of_locals(table, ground_of(term));
  const Layout target = replicated(term.labels.size());
  Relayout problem{sources, target, term.shape, machine_};
  problem.everywhere = true;
  problem.most_seconds = most_seconds;
  problem.most_moves = share();
  for (const Local& local : table.locals) problem.begun.push_back(local.weight);
  Spread spread = spread_from(problem, *Ground::of(problem));
  spend(spread.weighed);
  if (!spread.is_complete) is_complete_ = false;
  table.stops = std::move(spread.stops);
}

MadePtr CheapestSearch::made(const LayoutTable& table, std::size_t number) {
  const Local& local = table.locals[number];
  if (!table.made.empty()) return table.made[number];
  const Term& term = *table.term;
  if (const auto* source = std::get_if<Source>(&term.node))
    return start_at(*source, local.parts.front());
  std::vector<MadePtr> operands;
  std::vector<Layout> layouts;
  for (std::size_t i = 0; i < table.operands.size(); ++i) {
    const LayoutTable& operand = table.operands[i];
    operands.push_back(made(operand, operand.stops[local.parts[i]]));
    if (operands.back() == nullptr) return nullptr;
    layouts.push_back(operands.back()->layout);
  }
  const Layout result = layout(table, local.places, ground_of(term));
  if (const auto* softmax = std::get_if<Box<Softmax>>(&term.node)) {
    const SoftmaxCost cost =
        cost_of_softmax(term.labels, (*softmax)->along, term.shape, result, machine_);
    return combine(std::move(operands), result, cost.cost, cost.time, cost.weight);
  }
  Cost cost;
  if (const auto* product = std::get_if<Box<Product>>(&term.node))
    cost = cost_of_product(**product, term, layouts[0], layouts[1], result, machine_);
  else if (const auto* elements = std::get_if<Box<Elementwise>>(&term.node))
    cost = cost_of_elementwise(**elements, term, layouts, result, machine_);
  else if (const auto* reduction = std::get_if<Box<Reduction>>(&term.node))
    cost = cost_of_reduction(copy_of((*reduction)->operand.shape, layouts[0]),
                             copy_of(term.shape, result), machine_);
  return combine(std::move(operands), result, cost);
}

MadePtr CheapestSearch::made(const LayoutTable& table, const Stop& stop) {
  const MadePtr local = made(table, stop.source);
  if (local == nullptr) return nullptr;
  const Term& term = *table.term;
  const Layout wanted = layout(table, stop.places, ground_of(term));
  const auto route =
      cheapest_route({local->layout}, wanted, term.shape, machine_, MoveRule::Any, {}, {}, share());
  if (!route) return nullptr;
  spend(route->weighed);
  return extend(local, *route, term.shape, machine_);
}

MadePtr CheapestSearch::way(const Term& term, const std::optional<Layout>& target) {
  LayoutTable table{.term = &term};
  find_locals(table, most_seconds_);
  if (table.locals.empty()) return nullptr;
  if (!target) {
    spread(table, most_seconds_);
    const auto reduced = std::find_if(table.stops.begin(), table.stops.end(), [](const Stop& stop) {
      return used_axes(stop.places) == splitting_axes(stop.places);
    });
    return reduced == table.stops.end() ? nullptr : made(table, *reduced);
  }
  const std::vector<Layout> sources = layouts_of_locals(table, ground_of(term));
  Relayout problem{sources, *target, term.shape, machine_};
  problem.most_seconds = most_seconds_;
  problem.most_moves = share();
  for (const Local& local : table.locals) problem.begun.push_back(local.weight);
  auto found = find_route(problem);
  if (!found) return nullptr;
  if (found->bound) is_complete_ = false;
  const MadePtr local = made(table, found->source);
  if (local == nullptr) return nullptr;
  return extend(local, weighed(std::move(*found), term.shape, machine_), term.shape, machine_);
}

}  // namespace

CheapestWay cheapest_way(const Term& term, const std::optional<Layout>& target,
                         const Machine& machine, const CheapestLimits& limits) {
  const std::size_t axes = static_cast<std::size_t>(
      std::count_if(machine.mesh.axes.begin(), machine.mesh.axes.end(),
                    [](const MeshAxis& axis) { return axis.length() != 1; }));
  if (axes > kMostAxes || is_placed(term) || (target && !target->placed.empty())) return {};
  CheapestSearch search(machine, limits);
  CheapestWay way{.made = nullptr, .is_searched = true};
  way.made = search.way(term, target);
  way.is_complete = search.is_complete();
  return way;
}

}  // namespace shard::planning

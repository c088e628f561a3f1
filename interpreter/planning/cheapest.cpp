#include "interpreter/planning/cheapest.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/cancellation.h"
#include "interpreter/planning/chain.h"
#include "interpreter/planning/chain_bounds.h"
#include "interpreter/planning/layout_table.h"
#include "interpreter/planning/objective.h"
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

// The product as it is made: of parts that may be products of their own.
std::shared_ptr<const Term> with_operands(const Term& product, const Term& left,
                                          const Made& made_left, const Term& right,
                                          const Made& made_right) {
  Term whole{.node = Source{}, .labels = product.labels, .shape = product.shape};
  whole.node = Box<Product>(Product{made_left.term != nullptr ? *made_left.term : left,
                                    made_right.term != nullptr ? *made_right.term : right});
  return std::make_shared<const Term>(std::move(whole));
}

class CheapestSearch {
 public:
  // `associates`: chains otherwise than written as well. `shares`: no part of the search may use up what the others need, so that the
  // last one, which leads to the target, has as much as the first.
  CheapestSearch(const Machine& machine, const CheapestLimits& limits, bool associates,
                 bool shares = false)
      : machine_(machine),
        useful_(limits.useful),
        work_(limits.most_moves),
        associates_(associates),
        shares_(shares) {}

  MadePtr way(const Term& term, const std::optional<Layout>& target);
  bool is_complete() const { return is_complete_; }
  std::size_t work_done() const { return done_; }

 private:
  // Moves and pairs that each search may look at, however little of the budget is left.
  static constexpr std::size_t kLeastWork = 2'000;

  using TablePtr = std::shared_ptr<const LayoutTable>;
  // `most`: what is of use, by the aim's objective.
  TablePtr table_of(const Term& term, double most);
  void find_locals(LayoutTable& table, double most);
  void find_locals_of_chain(LayoutTable& table, const Chain& chain, double most);
  void meet(LayoutTable& table, const std::vector<ChainBounds::Product>& products, double most);
  void start(LayoutTable& table, const Source& source);
  void take_over(LayoutTable& table, std::vector<MadePtr> ways);
  void spread(LayoutTable& table, double most);
  Ground ground_of(const Term& term) const;
  Layout layout(const LayoutTable& table, const Places& places, const Ground& ground) const;
  std::vector<Layout> layouts_of_locals(const LayoutTable& table, const Ground& ground) const;
  MadePtr made_at(const LayoutTable& table, std::uint32_t number) const;
  MadePtr made(const LayoutTable& table, std::size_t local) const;
  MadePtr combined(const Term& term, std::vector<MadePtr> operands, const Layout& result) const;
  void spend(std::size_t work) {
    done_ += work;
    work_ -= std::min(work_, work);
  }
  std::size_t share() const { return std::max(shares_ ? work_ / 3 : work_, kLeastWork); }

  const Machine& machine_;
  Usefulness useful_;
  std::size_t work_;
  bool associates_;
  bool shares_;
  std::size_t done_ = 0;
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

CheapestSearch::TablePtr CheapestSearch::table_of(const Term& term, double most) {
  auto table = std::make_shared<LayoutTable>(LayoutTable{.term = &term});
  find_locals(*table, most);
  spread(*table, most);
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
    const Weight weight = ordered(ways[number]->weight, useful_.aim.objective);
    if (most_held(*table.term, *ways[number], machine_) > useful_.aim.most_held) continue;
    table.locals.push_back({places, weight, {}});
    table.made.push_back(ways[number]);
  }
}

void CheapestSearch::find_locals(LayoutTable& table, double most) {
  const Term& term = *table.term;
  if (const auto* source = std::get_if<Source>(&term.node)) return start(table, *source);
  if (std::holds_alternative<Box<Selection>>(term.node))
    return take_over(table, Planner(machine_).make(term, std::nullopt));
  const auto chain = associates_ ? Chain::of(term) : std::nullopt;
  if (chain && chain->size() <= kMostFactors) return find_locals_of_chain(table, *chain, most);
  LocalPrice price(term, machine_, useful_.aim);
  // Whatever the operands take, this comes on top.
  const double left = most - price.least_seconds();
  table.cuts.push_back({&term, {}});
  for (const Term* operand : operands_of(term))
    table.cuts[0].operands.push_back(table_of(*operand, left));
  std::size_t work = share();
  Meeting meeting(table, {most, useful_.aim}, work);
  match(
      term.node, [](const Source&) {}, [](const Box<Selection>&) {},
      [&](const Box<Reduction>& reduction) {
        table.combination = combination_of(reduction->kind);
        meeting.find(*reduction, 0, price);
      },
      [&](const auto& node) { meeting.find(*node, 0, price); });
  spend(share() - work);
  if (work == 0) is_complete_ = false;
}

void CheapestSearch::meet(LayoutTable& table, const std::vector<ChainBounds::Product>& products,
                          double most) {
  std::size_t work = share();
  Meeting meeting(table, {most, useful_.aim}, work);
  for (std::size_t cut = 0; cut < products.size(); ++cut) {
    const Term& term = *products[cut].term;
    table.own_terms.push_back(products[cut].term);
    table.cuts[cut].term = &term;
    meeting.find(*std::get<Box<Product>>(term.node), cut, *products[cut].price);
  }
  spend(share() - work);
  if (work == 0) is_complete_ = false;
}

// Parts of two factors, of three, and so on up to the whole.
void CheapestSearch::find_locals_of_chain(LayoutTable& table, const Chain& chain, double most) {
  const std::size_t count = chain.size();
  const ChainBounds bounds(chain, machine_, useful_.aim);
  std::map<std::pair<std::size_t, std::size_t>, TablePtr> parts;
  for (std::size_t i = 0; i < count; ++i)
    parts[{i, i + 1}] = table_of(chain.factor(i), most - bounds.outside(i, i + 1));
  for (std::size_t length = 2; length <= count; ++length) {
    for (std::size_t first = 0; first + length <= count; ++first) {
      const std::size_t last = first + length;
      const double left = most - bounds.outside(first, last);
      const auto& products = bounds.products(first, last);
      auto part = std::make_shared<LayoutTable>(LayoutTable{.term = products.front().term.get()});
      LayoutTable& own = length == count ? table : *part;
      for (const ChainBounds::Product& product : products)
        own.cuts.push_back({nullptr, {parts[{first, product.cut}], parts[{product.cut, last}]}});
      meet(own, products, left);
      if (length == count) return;
      spread(own, left);
      parts[{first, last}] = std::move(part);
    }
  }
}

void CheapestSearch::spread(LayoutTable& table, double most) {
  if (table.locals.empty()) return;
  const Term& term = *table.term;
  const std::vector<Layout> sources = layouts_of_locals(table, ground_of(term));
  const Layout target = replicated(term.labels.size());
  Relayout problem{sources, target, term.shape, machine_};
  problem.everywhere = true;
  problem.aim = useful_.aim;
  problem.most_seconds = most;
  problem.most_moves = share();
  for (const Local& local : table.locals) problem.begun.push_back(local.weight);
  Spread spread = spread_from(problem, *Ground::of(problem));
  spend(spread.weighed);
  if (!spread.is_complete) is_complete_ = false;
  table.stops = std::move(spread.stops);
}

MadePtr CheapestSearch::combined(const Term& term, std::vector<MadePtr> operands,
                                 const Layout& result) const {
  std::vector<Layout> layouts;
  for (const MadePtr& operand : operands) layouts.push_back(operand->layout);
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

MadePtr CheapestSearch::made(const LayoutTable& table, std::size_t number) const {
  const Local& local = table.locals[number];
  if (!table.made.empty()) return table.made[number];
  const Term& term = *table.term;
  if (const auto* source = std::get_if<Source>(&term.node))
    return start_at(*source, local.parts.front());
  const LayoutTable::Cut& cut = table.cuts[local.cut];
  std::vector<MadePtr> operands;
  for (std::size_t i = 0; i < cut.operands.size(); ++i) {
    const LayoutTable& operand = *cut.operands[i];
    operands.push_back(made_at(operand, local.parts[i]));
  }
  const Layout result = layout(table, local.places, ground_of(term));
  const bool is_of_chain = !table.own_terms.empty();
  std::shared_ptr<const Term> as_made =
      is_of_chain ? with_operands(*cut.term, *cut.operands[0]->term, *operands[0],
                                  *cut.operands[1]->term, *operands[1])
                  : nullptr;
  MadePtr way = combined(*cut.term, std::move(operands), result);
  if (!is_of_chain) return way;
  Made chained = *way;
  chained.term = std::move(as_made);
  return std::make_shared<const Made>(std::move(chained));
}

MadePtr CheapestSearch::made_at(const LayoutTable& table, std::uint32_t number) const {
  const Stop& stop = table.stops[number];
  const MadePtr local = made(table, stop.source);
  const Term& term = *table.term;
  const Layout wanted = layout(table, stop.places, ground_of(term));
  const std::vector<Layout> sources = {local->layout};
  const Relayout problem{sources, wanted, term.shape, machine_};
  FoundRoute found{.moves = moves_to(table.stops, number, problem, *Ground::of(problem))};
  return extend(local, weighed(std::move(found), term.shape, machine_), term.shape, machine_);
}

MadePtr CheapestSearch::way(const Term& term, const std::optional<Layout>& target) {
  LayoutTable table{.term = &term};
  find_locals(table, useful_.most);
  if (table.locals.empty()) return nullptr;
  if (!target) {
    spread(table, useful_.most);
    const auto reduced = std::find_if(table.stops.begin(), table.stops.end(), [](const Stop& stop) {
      return used_axes(stop.places) == splitting_axes(stop.places);
    });
    if (reduced == table.stops.end()) return nullptr;
    return made_at(table, static_cast<std::uint32_t>(reduced - table.stops.begin()));
  }
  const std::vector<Layout> sources = layouts_of_locals(table, ground_of(term));
  Relayout problem{sources, *target, term.shape, machine_};
  problem.most_seconds = useful_.most;
  problem.aim = useful_.aim;
  problem.most_moves = share();
  for (const Local& local : table.locals) problem.begun.push_back(local.weight);
  auto found = find_route(problem);
  if (!found) return nullptr;
  spend(found->weighed);
  if (found->bound) is_complete_ = false;
  const MadePtr local = made(table, found->source);
  return extend(local, weighed(std::move(*found), term.shape, machine_), term.shape, machine_);
}

// One more search, bounded by what the way takes, whose own is taken if it is lighter.
CheapestSearch search_again(const Term& term, const std::optional<Layout>& target,
                            const Machine& machine, CheapestLimits limits, bool associates,
                            bool shares, CheapestWay& way) {
  const Objective objective = limits.useful.aim.objective;
  const auto rank = [&](const MadePtr& made) { return rank_of(term, *made, machine, objective); };
  if (way.made) limits.useful.most = std::min(limits.useful.most, rank(way.made).figure);
  CheapestSearch search(machine, limits, associates, shares);
  MadePtr other = search.way(term, target);
  if (other && (way.made == nullptr || is_better(rank(other), rank(way.made))))
    way.made = std::move(other);
  return search;
}

// Where the budget has ended the search, by far the most of it went into its first part. A second one that gives each part its share
// mostly finds a lighter way.
void search_evenly(const Term& term, const std::optional<Layout>& target, const Machine& machine,
                   CheapestLimits limits, CheapestWay& way) {
  limits.most_moves /= 3;
  search_again(term, target, machine, limits, false, true, way);
}

// Takes another association, if that is lighter.
void associate(const Term& term, const std::optional<Layout>& target, const Machine& machine,
               CheapestLimits limits, CheapestWay& way) {
  limits.most_moves -= std::min(limits.most_moves, way.weighed);
  const CheapestSearch search = search_again(term, target, machine, limits, true, false, way);
  way.weighed += search.work_done();
  way.is_complete = way.is_complete && search.is_complete();
}

}  // namespace

double least_seconds(const Term& term, const Machine& machine) {
  if (std::holds_alternative<Source>(term.node) ||
      std::holds_alternative<Box<Selection>>(term.node))
    return 0;
  double seconds = 0;
  const auto chain = Chain::of(term);
  if (chain && chain->size() <= kMostFactors) {
    for (std::size_t i = 0; i < chain->size(); ++i)
      seconds += least_seconds(chain->factor(i), machine);
    return seconds + ChainBounds(*chain, machine, {}).inside(0, chain->size());
  }
  for (const Term* operand : operands_of(term)) seconds += least_seconds(*operand, machine);
  return seconds + LocalPrice(term, machine, {}).least_seconds();
}

CheapestWay cheapest_way(const Term& term, const std::optional<Layout>& target,
                         const Machine& machine, const CheapestLimits& limits) {
  const std::size_t axes = static_cast<std::size_t>(
      std::count_if(machine.mesh.axes.begin(), machine.mesh.axes.end(),
                    [](const MeshAxis& axis) { return axis.length() != 1; }));
  if (axes > kMostAxes || is_placed(term) || (target && !target->placed.empty())) return {};
  CheapestSearch search(machine, limits, false);
  CheapestWay way{.made = search.way(term, target), .is_searched = true};
  way.is_complete = search.is_complete();
  way.weighed = search.work_done();
  constexpr std::size_t kWorthwhile = 300'000;  // moves: of small searches little is expected
  if (!way.is_complete && limits.most_moves >= kWorthwhile)
    search_evenly(term, target, machine, limits, way);
  if (limits.associates && has_chain(term)) associate(term, target, machine, limits, way);
  return way;
}

}  // namespace shard::planning

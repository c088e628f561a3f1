#include "interpreter/planning/planner.h"

#include <algorithm>
#include <set>

#include "base/cancellation.h"
#include "base/contains.h"
#include "interpreter/planning/local_layout.h"

namespace shard::planning {

namespace {

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

// A product, or computed element by element of some.
bool is_of_products(const Term& term) {
  const auto* elements = std::get_if<Box<Elementwise>>(&term.node);
  if (elements == nullptr) return std::holds_alternative<Box<Product>>(term.node);
  return std::any_of((*elements)->operands.begin(), (*elements)->operands.end(), is_of_products);
}

// How what was computed locally is moved: sums of products as a product is.
MoveRule rule_of_moves(const Term& term, const Layout& local) {
  const bool is_product = std::holds_alternative<Box<Product>>(term.node);
  const bool is_sum = !local.unreduced.empty() && is_of_products(term);
  return is_product || is_sum ? MoveRule::Cases : MoveRule::Any;
}

void sort(std::vector<MadePtr>& ways) {
  std::stable_sort(ways.begin(), ways.end(), [](const MadePtr& a, const MadePtr& b) {
    return lighter(a->weight, b->weight);
  });
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
  auto ways = moved(locals, term, target);
  made_.emplace(key, ways);
  return ways;
}

bool Planner::divides(const Shape& shape, const Layout& layout) const {
  return !indivisible_dimension(shape.lengths, layout, machine_.mesh);
}

std::vector<MadePtr> Planner::moved(const std::vector<MadePtr>& locals, const Term& term,
                                    const std::optional<Layout>& target) {
  const Shape& shape = term.shape;
  std::vector<MadePtr> ways;
  for (const MadePtr& local : locals) {
    throw_if_cancelled();
    if (ends_with(ways)) break;
    const MoveRule rule = rule_of_moves(term, local->layout);
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
  made.own_seconds = weight.seconds;
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

}  // namespace shard::planning

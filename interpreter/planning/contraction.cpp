#include "interpreter/planning/contraction.h"

#include <algorithm>
#include <map>
#include <set>

#include "interpreter/planning/cases.h"

namespace shard::planning {

namespace {

using MadePtr = std::shared_ptr<const Made>;

// Sums what is unreduced, by AllReduce or by ReduceScatter onto any dimension: the ways to use a result as an operand.
std::vector<Layout> reduced_forms(const Layout& layout) {
  if (layout.unreduced.empty()) return {layout};
  Layout everywhere = layout;
  everywhere.unreduced.clear();
  std::vector<Layout> forms = {everywhere};
  for (std::size_t dimension = 0; dimension < layout.rank(); ++dimension) {
    Layout scattered = everywhere;
    auto& axes = scattered.dims[dimension];
    axes.insert(axes.end(), layout.unreduced.begin(), layout.unreduced.end());
    forms.push_back(std::move(scattered));
  }
  return forms;
}

class Planner {
 public:
  explicit Planner(const Machine& machine) : machine_(machine) {}

  // Every way to make the product in `target`, or (without one) the lightest way to each reduced layout.
  std::vector<MadePtr> make(const Product& product, const Labels& labels, const Shape& shape,
                            const std::optional<Layout>& target) {
    std::vector<MadePtr> ways;
    for (const MadePtr& local : local_products(product, labels, shape, target)) {
      for (const Layout& goal : goals(local->layout, target, shape)) {
        if (auto route = route_to(local->layout, goal, shape))
          ways.push_back(extend(local, *route, shape));
      }
    }
    sort(ways);
    return ways;
  }

 private:
  std::optional<Route> route_to(const Layout& from, const Layout& to, const Shape& shape) const {
    return cheapest_route({from}, to, shape, machine_, MoveRule::Cases);
  }

  static void sort(std::vector<MadePtr>& ways) {
    std::stable_sort(ways.begin(), ways.end(), [](const MadePtr& a, const MadePtr& b) {
      return lighter(a->weight, b->weight);
    });
  }

  std::vector<Layout> goals(const Layout& natural, const std::optional<Layout>& target,
                            const Shape& shape) const {
    if (target) return {*target};
    std::vector<Layout> forms = reduced_forms(natural);
    std::erase_if(forms, [&](const Layout& form) {
      return indivisible_dimension(shape.lengths, form, machine_.mesh).has_value();
    });
    return forms;
  }

  MadePtr extend(const MadePtr& made, const Route& route, const Shape& shape) const {
    if (route.moves.empty()) return made;
    Made longer = *made;
    longer.moves.insert(longer.moves.end(), route.moves.begin(), route.moves.end());
    longer.layout = route.moves.back().to;
    longer.weight += route.weight;
    const Cost moved = cost_of(route, shape, machine_);
    longer.cost += moved;
    longer.time = longer.time + moved.comms;
    return std::make_shared<const Made>(std::move(longer));
  }

  // The layouts a term can start from, each with its price.
  std::vector<MadePtr> starts(const Term& term) {
    return match(
        term.node,
        [&](const Source& source) {
          std::vector<MadePtr> made;
          for (std::size_t i = 0; i < source.layouts.size(); ++i) {
            made.push_back(std::make_shared<const Made>(
                Made{.origin = i, .start = source.layouts[i], .layout = source.layouts[i]}));
          }
          return made;
        },
        [&](const Box<Product>& inner) {
          std::vector<MadePtr> lightest;
          std::set<Layout> seen;
          for (const MadePtr& way : make(*inner, term.labels, term.shape, std::nullopt)) {
            if (seen.insert(way->layout).second) lightest.push_back(way);
          }
          return lightest;
        });
  }

  // The lightest way from any start to a layout.
  MadePtr reach(const std::vector<MadePtr>& from, const Layout& layout, const Shape& shape) const {
    MadePtr best;
    for (const MadePtr& start : from) {
      if (const auto route = route_to(start->layout, layout, shape)) {
        MadePtr way = extend(start, *route, shape);
        if (!best || lighter(way->weight, best->weight)) best = way;
      }
    }
    return best;
  }

  // The layouts that decide which case it is: of an array the one that the script wrote, of a
  // product every one that it can have.
  static std::size_t deciding(const Term& term, const std::vector<MadePtr>& made) {
    return std::holds_alternative<Source>(term.node) ? 1 : made.size();
  }

  static std::vector<std::pair<Layout, Layout>> meeting_layouts(
      const Product& product, const std::vector<MadePtr>& lefts, const std::vector<MadePtr>& rights,
      const Labels& labels, const std::optional<Layout>& target) {
    std::set<std::pair<Layout, Layout>> seen;
    std::vector<std::pair<Layout, Layout>> candidates;
    for (std::size_t i = 0; i < deciding(product.left, lefts); ++i) {
      for (std::size_t j = 0; j < deciding(product.right, rights); ++j) {
        for (auto& pair :
             candidate_layouts({product.left.labels, lefts[i]->layout},
                               {product.right.labels, rights[j]->layout}, labels, target)) {
          if (seen.insert(pair).second) candidates.push_back(std::move(pair));
        }
      }
    }
    return candidates;
  }

  std::vector<MadePtr> local_products(const Product& product, const Labels& labels,
                                      const Shape& shape, const std::optional<Layout>& target) {
    const std::vector<MadePtr> lefts = starts(product.left);
    const std::vector<MadePtr> rights = starts(product.right);
    const auto candidates = meeting_layouts(product, lefts, rights, labels, target);
    std::vector<MadePtr> products;
    std::map<Layout, MadePtr> left_reached;
    std::map<Layout, MadePtr> right_reached;
    const auto cached = [&](std::map<Layout, MadePtr>& cache, const std::vector<MadePtr>& from,
                            const Layout& layout, const Shape& operand) -> const MadePtr& {
      const auto [entry, is_new] = cache.try_emplace(layout);
      if (is_new && !indivisible_dimension(operand.lengths, layout, machine_.mesh))
        entry->second = reach(from, layout, operand);
      return entry->second;
    };
    for (const auto& [left_layout, right_layout] : candidates) {
      const MadePtr& left = cached(left_reached, lefts, left_layout, product.left.shape);
      const MadePtr& right = cached(right_reached, rights, right_layout, product.right.shape);
      if (left && right) add_local(product, labels, shape, left, right, products);
    }
    return products;
  }

  void add_local(const Product& product, const Labels& labels, const Shape& shape,
                 const MadePtr& left, const MadePtr& right, std::vector<MadePtr>& products) const {
    auto natural = local_product(product.left.labels, left->layout, product.right.labels,
                                 right->layout, labels);
    const Layout* layout = std::get_if<Layout>(&natural);
    if (layout == nullptr || indivisible_dimension(shape.lengths, *layout, machine_.mesh)) return;
    const ContractStep step{.left_labels = product.left.labels,
                            .right_labels = product.right.labels,
                            .result_labels = labels};
    const Copy left_copy{.shape = product.left.shape.lengths,
                         .dtype = product.left.shape.dtype,
                         .layout = left->layout};
    const Copy right_copy{.shape = product.right.shape.lengths,
                          .dtype = product.right.shape.dtype,
                          .layout = right->layout};
    const Copy result{.shape = shape.lengths, .dtype = shape.dtype, .layout = *layout};
    const Cost cost = cost_of_contraction(step, left_copy, right_copy, result, machine_);
    Made made{.origin = MadeProduct{left, right}, .start = *layout, .layout = *layout};
    made.weight = left->weight + right->weight + weigh(cost);
    made.cost = left->cost;
    made.cost += right->cost;
    made.cost += cost;
    made.time = left->time + right->time + cost.time();
    products.push_back(std::make_shared<const Made>(std::move(made)));
  }

  const Machine& machine_;
};

}  // namespace

std::vector<std::shared_ptr<const Made>> plan_product(const Product& product,
                                                      const Labels& result_labels,
                                                      const Shape& result_shape,
                                                      const std::optional<Layout>& target,
                                                      const Machine& machine) {
  return Planner(machine).make(product, result_labels, result_shape, target);
}

}  // namespace shard::planning

// Products: the layouts in which the two operands meet, by the documents' four cases.
#include <map>
#include <set>

#include "interpreter/planning/local_layout.h"
#include "interpreter/planning/local_price.h"
#include "interpreter/planning/planner.h"
#include "interpreter/planning/product_cases.h"

namespace shard::planning {

namespace {

// How many layouts decide the case. For an array it is the one that the script wrote, for a computed operand every
// layout it can have.
std::size_t deciding(const Term& term, const std::vector<MadePtr>& made) {
  return std::holds_alternative<Source>(term.node) ? 1 : made.size();
}

std::vector<std::pair<Layout, Layout>> meeting_layouts(const Product& product,
                                                       const std::vector<MadePtr>& lefts,
                                                       const std::vector<MadePtr>& rights,
                                                       const Labels& labels,
                                                       const std::optional<Layout>& target) {
  std::set<std::pair<Layout, Layout>> seen;
  std::vector<std::pair<Layout, Layout>> candidates;
  for (std::size_t i = 0; i < deciding(product.left, lefts); ++i) {
    for (std::size_t j = 0; j < deciding(product.right, rights); ++j) {
      for (auto& pair :
           candidate_layouts({product.left.labels, lefts[i]->layout},
                             {product.right.labels, rights[j]->layout}, labels, target)) {
        if (seen.insert(pair).second) candidates.push_back(std::move(pair));
      }
      if (candidates.size() >= kMostPairs) return candidates;
    }
  }
  return candidates;
}

}  // namespace

MadePtr Planner::reach(const std::vector<MadePtr>& from, const Layout& layout, const Shape& shape) {
  MadePtr best;
  for (const MadePtr& start : from) {
    if (const auto found = route({start->layout}, layout, shape, MoveRule::Cases)) {
      MadePtr way = extend(start, *found, shape, machine_);
      if (!best || lighter(way->weight, best->weight)) best = way;
    }
  }
  return best;
}

std::vector<MadePtr> Planner::local_products_of(const Product& product, const Term& term,
                                                const std::optional<Layout>& target) {
  const std::vector<MadePtr> lefts = starts(product.left);
  const std::vector<MadePtr> rights = starts(product.right);
  const auto candidates = meeting_layouts(product, lefts, rights, term.labels, target);
  if (candidates.size() >= kMostPairs) is_cut_short_ = true;
  std::vector<MadePtr> products;
  std::map<Layout, MadePtr> left_reached;
  std::map<Layout, MadePtr> right_reached;
  const auto cached = [&](std::map<Layout, MadePtr>& cache, const std::vector<MadePtr>& from,
                          const Layout& layout, const Shape& operand) -> const MadePtr& {
    const auto [entry, is_new] = cache.try_emplace(layout);
    if (is_new && divides(operand, layout)) entry->second = reach(from, layout, operand);
    return entry->second;
  };
  for (const auto& [left_layout, right_layout] : candidates) {
    if (ends_with(products)) break;
    const MadePtr& left = cached(left_reached, lefts, left_layout, product.left.shape);
    const MadePtr& right = cached(right_reached, rights, right_layout, product.right.shape);
    if (left && right) add_product(product, term, left, right, products);
  }
  return products;
}

void Planner::add_product(const Product& product, const Term& term, const MadePtr& left,
                          const MadePtr& right, std::vector<MadePtr>& locals) const {
  const auto natural = local_product(product.left.labels, left->layout, product.right.labels,
                                     right->layout, term.labels);
  const Layout* layout = std::get_if<Layout>(&natural);
  if (layout == nullptr || !divides(term.shape, *layout)) return;
  const Cost cost = cost_of_product(product, term, left->layout, right->layout, *layout, machine_);
  locals.push_back(combine({left, right}, *layout, cost));
}

}  // namespace shard::planning

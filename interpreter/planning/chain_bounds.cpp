#include "interpreter/planning/chain_bounds.h"

#include <algorithm>
#include <cmath>

#include "base/cancellation.h"

namespace shard::planning {

namespace {

Term without_operands(const Term& term) {
  return {.node = Source{}, .labels = term.labels, .shape = term.shape};
}

}  // namespace

ChainBounds::ChainBounds(const Chain& chain, const Machine& machine, const Aim& aim)
    : chain_(chain), aim_(aim) {
  for (std::size_t i = 0; i < chain.size(); ++i)
    parts_.emplace(std::pair(i, i + 1), Part{.term = without_operands(chain.factor(i))});
  for (std::size_t length = 2; length <= chain.size(); ++length) {
    for (std::size_t first = 0; first + length <= chain.size(); ++first)
      add_part(first, first + length, machine);
  }
  for (auto& [range, part] : parts_) part.outside = HUGE_VAL;
  parts_.at({0, chain.size()}).outside = 0;
  for (std::size_t length = chain.size(); length >= 2; --length) {
    for (std::size_t first = 0; first + length <= chain.size(); ++first)
      add_outside(first, first + length);
  }
}

void ChainBounds::add_part(std::size_t first, std::size_t last, const Machine& machine) {
  throw_if_cancelled();
  std::vector<std::size_t> cuts;
  const auto written = chain_.written_cut(first, last);
  if (written) cuts.push_back(*written);
  for (std::size_t cut = first + 1; cut < last; ++cut) {
    if (cut != written) cuts.push_back(cut);
  }
  Part part{.term = {}, .inside = HUGE_VAL};
  for (const std::size_t cut : cuts) {
    const Part& left = parts_.at({first, cut});
    const Part& right = parts_.at({cut, last});
    auto term = std::make_shared<const Term>(chain_.product(left.term, right.term, first, last));
    auto price = std::make_unique<LocalPrice>(*term, machine, aim_);
    const double operands = aim_.objective == Objective::Timeline
                                ? std::max(left.inside, right.inside)
                                : left.inside + right.inside;
    part.inside = std::min(part.inside, operands + price->least_seconds());
    part.products.push_back({cut, std::move(term), std::move(price)});
  }
  part.term = without_operands(*part.products.front().term);
  parts_.emplace(std::pair(first, last), std::move(part));
}

void ChainBounds::add_outside(std::size_t first, std::size_t last) {
  const Part& whole = parts_.at({first, last});
  for (const Product& product : whole.products) {
    Part& left = parts_.at({first, product.cut});
    Part& right = parts_.at({product.cut, last});
    const double own = whole.outside + product.price->least_seconds();
    const bool is_beside = aim_.objective == Objective::Timeline;
    left.outside = std::min(left.outside, own + (is_beside ? 0 : right.inside));
    right.outside = std::min(right.outside, own + (is_beside ? 0 : left.inside));
  }
}

}  // namespace shard::planning

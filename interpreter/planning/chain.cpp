#include "interpreter/planning/chain.h"

#include <algorithm>

#include "base/contains.h"
#include "interpreter/planning/term_plan.h"

namespace shard::planning {

std::optional<Chain> Chain::of(const Term& term) {
  Chain chain(term);
  chain.add(term);
  if (chain.size() < 3 || !chain.is_associative()) return std::nullopt;
  return chain;
}

void Chain::add(const Term& term) {
  const auto* product = std::get_if<Box<Product>>(&term.node);
  if (product == nullptr) {
    factors_.push_back(&term);
    return;
  }
  const std::size_t first = factors_.size();
  add((*product)->left);
  const std::size_t at = factors_.size();
  add((*product)->right);
  cuts_.push_back({first, at, factors_.size()});
  products_.push_back(&term);
}

// Sums may change places if each dimension is summed over once, where all that has it is together: none that the script sums over
// in a part may stand outside of that part.
bool Chain::is_associative() const {
  const DType dtype = factors_.front()->shape.dtype;
  const auto has_type = [&](const Term* term) { return term->shape.dtype == dtype; };
  if (!std::all_of(factors_.begin(), factors_.end(), has_type)) return false;
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const auto [first, at, last] = cuts_[i];
    if (products_[i] != whole_ && !has_type(products_[i])) return false;
    for (std::size_t f = first; f < last; ++f) {
      for (const int label : factors_[f]->labels) {
        if (contains(products_[i]->labels, label)) continue;
        if (is_needed_outside(label, first, last)) return false;
      }
    }
  }
  return true;
}

bool Chain::is_needed_outside(int label, std::size_t first, std::size_t last) const {
  if (contains(whole_->labels, label)) return true;
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    if ((f < first || f >= last) && contains(factors_[f]->labels, label)) return true;
  }
  return false;
}

std::optional<std::size_t> Chain::written_cut(std::size_t first, std::size_t last) const {
  const auto cut = std::find_if(cuts_.begin(), cuts_.end(), [&](const Cut& one) {
    return one.first == first && one.last == last;
  });
  if (cut == cuts_.end()) return std::nullopt;
  return cut->at;
}

Term Chain::product(Term left, Term right, std::size_t first, std::size_t last) const {
  Term product{.node = Source{}, .labels = {}, .shape = {.lengths = {}, .dtype = left.shape.dtype}};
  if (first == 0 && last == size()) {
    product.labels = whole_->labels;
    product.shape = whole_->shape;
  } else {
    for (const Term* operand : {&left, &right}) {
      for (std::size_t d = 0; d < operand->labels.size(); ++d) {
        const int label = operand->labels[d];
        if (contains(product.labels, label) || !is_needed_outside(label, first, last)) continue;
        product.labels.push_back(label);
        product.shape.lengths.push_back(operand->shape.lengths[d]);
      }
    }
  }
  product.node = Box<Product>(Product{std::move(left), std::move(right)});
  return product;
}

namespace {

void add_factors(const Term& term, const Made& made, std::vector<const Made*>& factors) {
  const auto* product = std::get_if<Box<Product>>(&term.node);
  if (product == nullptr) return factors.push_back(&made);
  const auto& operands = std::get<MadeFrom>(made.origin).operands;
  add_factors((*product)->left, *operands[0], factors);
  add_factors((*product)->right, *operands[1], factors);
}

}  // namespace

std::vector<const Made*> factors_of(const Made& chain) {
  std::vector<const Made*> factors;
  add_factors(*chain.term, chain, factors);
  return factors;
}

bool has_chain(const Term& term) {
  if (Chain::of(term)) return true;
  const std::vector<const Term*> operands = operands_of(term);
  return std::any_of(operands.begin(), operands.end(),
                     [](const Term* operand) { return has_chain(*operand); });
}

}  // namespace shard::planning

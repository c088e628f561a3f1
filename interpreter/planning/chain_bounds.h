// What multiplying the parts of a chain takes at least. Private to the search for the cheapest way.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "interpreter/planning/chain.h"
#include "interpreter/planning/local_price.h"

namespace shard::planning {

class ChainBounds {
 public:
  // The factors from `first` up to before `cut`, times those up to before `last`. The operands of the term are without theirs.
  struct Product {
    std::size_t cut;
    std::shared_ptr<const Term> term;
    std::unique_ptr<LocalPrice> price;
  };
  ChainBounds(const Chain& chain, const Machine& machine, const Aim& aim);

  // All places where the part can be cut, that of the script first. REQUIRES: two factors or more.
  const std::vector<Product>& products(std::size_t first, std::size_t last) const {
    return parts_.at({first, last}).products;
  }
  // What the part takes at least, its factors apart.
  double inside(std::size_t first, std::size_t last) const {
    return parts_.at({first, last}).inside;
  }
  // What comes on top of the part until the whole is made.
  double outside(std::size_t first, std::size_t last) const {
    return parts_.at({first, last}).outside;
  }

 private:
  struct Part {
    Term term;  // without operands
    std::vector<Product> products = {};
    double inside = 0;
    double outside = 0;
  };
  void add_part(std::size_t first, std::size_t last, const Machine& machine);
  void add_outside(std::size_t first, std::size_t last);

  const Chain& chain_;
  Aim aim_;
  std::map<std::pair<std::size_t, std::size_t>, Part> parts_;
};

}  // namespace shard::planning

// Chains of products: what they are made of, however they are associated.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "interpreter/planning/term.h"

namespace shard::planning {

// A · B · C …, from left to right. Any part between two factors may be multiplied on its own.
class Chain {
 public:
  // nullopt if the term is no product of three or more factors, or if another association would give something else: elements
  // of other types on the way, or a dimension that is summed over twice.
  static std::optional<Chain> of(const Term& term);

  std::size_t size() const { return factors_.size(); }
  const Term& factor(std::size_t i) const { return *factors_[i]; }
  // Where the script cuts the part from the first factor up to before the last one; nullopt if it is no part of the script's.
  std::optional<std::size_t> written_cut(std::size_t first, std::size_t last) const;
  // The product of left and right, which are the factors from `first` up to before `last`.
  Term product(Term left, Term right, std::size_t first, std::size_t last) const;

 private:
  explicit Chain(const Term& whole) : whole_(&whole) {}
  void add(const Term& term);
  bool is_associative() const;
  // What the part has to keep, as others need it.
  bool is_needed_outside(int label, std::size_t first, std::size_t last) const;

  struct Cut {
    std::size_t first;
    std::size_t at;
    std::size_t last;
  };
  const Term* whole_;
  std::vector<const Term*> factors_;
  std::vector<Cut> cuts_;              // of the script
  std::vector<const Term*> products_;  // of the script
};

// Whether the term has a chain in it.
bool has_chain(const Term& term);

}  // namespace shard::planning

// Formulas of one size, piece by piece: maxima and minima change their argument at single sizes, and between these a formula is
// smooth.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "interpreter/ir/value.h"
#include "interpreter/solve/polynomial.h"
#include "runtime/algebra/formula.h"

namespace shard {

// From `begin` to `end` the formula is `form`, which has no maximum and no minimum.
struct FormPiece {
  Root begin;
  double end = std::numeric_limits<double>::infinity();
  Formula form;
};
// For all positive sizes, in order. Empty if they are too many, or if it rounds, which no size does smoothly. REQUIRES: no other
// symbol.
std::vector<FormPiece> pieces_of(const Formula& formula, const std::string& symbol);

// Where the formula is zero, and its sign between these sizes: signs has one more entry than roots. A sign of 0 is a range.
struct SignRow {
  std::vector<Root> roots;
  std::vector<int> signs;
};
// nullopt where `pieces_of` has none.
std::optional<SignRow> signs_of(const Formula& formula, const std::string& symbol);
// Of left - right; where they are tied (interpreter/evaluate/compare.h) it is 0.
std::optional<SignRow> signs_of(const Quantity& left, const Quantity& right,
                                const std::string& symbol);

// Where the formula is least among positive sizes; nullopt if it is so only at its ends, 0 or infinity.
std::optional<Root> least_at(const Formula& formula, const std::string& symbol);

}  // namespace shard

// Where what is priced is least as one size grows, whatever is planned at each size.
#pragma once

#include <optional>

#include "interpreter/solve/least.h"
#include "interpreter/solve/pieces.h"
#include "interpreter/solve/size_plans.h"

namespace shard {

struct LeastPriced {
  Least::Kind kind = Least::Kind::At;  // At, Falls, Rises or Flat
  Root at;                             // of At
  Quantity value;                      // the least, or that at the end where it is so
};

// Of several plans the least of all, each within the sizes that are planned so; with links, which formulas do not know, of whole
// sizes. nullopt where one formula holds for all sizes or other sizes are open, and where there are too many plans. `asked.right` is
// zero.
std::optional<LeastPriced> least_priced(const SizeComparison& asked, EvaluationContext& context);

// Of whole sizes that are priced, multiples of the number of devices: powers of two, both sides of each place where what is
// priced is planned with other steps, and ever closer to the least of these. nullopt where fewer than three have a price.
// `asked.sides` are not read.
std::optional<LeastPriced> least_of_prices(const SizeComparison& asked, EvaluationContext& context);

}  // namespace shard

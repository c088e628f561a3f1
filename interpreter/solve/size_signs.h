// Where two sides change places as one size grows, whatever is planned at each size.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/solve/pieces.h"
#include "interpreter/solve/size_plans.h"

namespace shard {

// Where the sign of left - right changes, or touches zero.
struct SignChange {
  Root root;  // where both are equal; of a jump the first whole size that has the sign after it
  int before = 0;
  int after = 0;
  bool jumps = false;  // not where both are equal at one multiple alone
};

struct SizeSigns {
  int first = 0;                    // before the first change
  std::vector<SignChange> changes;  // ascending
  std::optional<std::int64_t> step =
      {};                 // sizes that are priced are multiples of it; none: nothing is priced
  bool searched = false;  // by prices alone: every change is a jump
  // Nearly every size has a plan of its own, or there were more to be priced than a search does: what changes and changes back
  // between two sizes that were priced is not seen.
  bool is_sampled = false;
  bool depends = true;  // the size is in one of the formulas
  // Both sides as formulas where there is one plan; else with the values at a size.
  Sides sides;
  std::optional<Rational> size = {};

  // Of the size, which may be between changes or at one.
  int sign_at(double at) const;
};

// Zeros of the formulas, each within the sizes that are planned so, and jumps between them. They are held against prices at whole
// sizes: at the multiples around each change, at the ends of each plan and at every power of two; where there are several plans, or
// with links, which formulas do not know, at sizes between two of these as well. Where these differ, only multiples
// of the number of devices are looked at, which the mesh cuts in every way; where they still do, prices alone are searched, and between sizes that are planned otherwise those at which the steps change.
// Sides that are written alike are equal without any search. nullopt if nothing could be priced, and where a formula rounds.
std::optional<SizeSigns> signs_of_sizes(const SizeComparison& asked, EvaluationContext& context);

// The multiple next to the root: at it or on that side of it; `strict`: not at it.
Rational multiple_below(const Root& root, std::int64_t step, bool strict);
Rational multiple_above(const Root& root, std::int64_t step, bool strict);

}  // namespace shard

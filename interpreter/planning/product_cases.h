// The documents' four cases as a choice of layouts: in which layouts the two operands of a contraction may meet.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "interpreter/planning/term.h"

namespace shard::planning {

struct Operand {
  const Labels& labels;
  const Layout& layout;
};

// Pairs of layouts that multiply locally, in the order in which the documents name them (sharded matrices, "Case 1" to
// "Case 4"), dimension by dimension:
//   contracted and split alike: as it is (case 3); else gathered on both sides, or split on both sides as one of them
//   is, the other one slicing (case 2);
//   kept by both (batch): as one of them is, or as the target is;
//   kept by one: as it is, as the target is (gather before the product; slice before it), or without the axes that the
//   other operand keeps on its own dimensions (case 4).
// Pairs in which an axis would be used twice are left out. Unreduced axes are carried through the product.
std::vector<std::pair<Layout, Layout>> candidate_layouts(const Operand& left, const Operand& right,
                                                         const Labels& result_labels,
                                                         const std::optional<Layout>& target);

}  // namespace shard::planning

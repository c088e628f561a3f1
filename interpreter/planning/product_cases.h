// The documents' four cases as a choice of layouts: in which layouts the two operands of a contraction can meet.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/planning/term.h"

namespace shard::planning {

struct Operand {
  const Labels& labels;
  const Layout& layout;
};

// Pairs of layouts that multiply locally, in the documents' order (sharded matrices, "Case 1" to "Case 4"), dimension
// by dimension:
//   contracted and split alike: as it is (case 3); otherwise gathered on both sides, or split on both sides as one of
//   them is, with the other one slicing (case 2);
//   kept by both (batch): as in either operand, or as in the target;
//   kept by one: as it is, as in the target (a gather or a slice before the product), or without the axes that the
//   other operand keeps on its own dimensions (case 4).
// Pairs that would use an axis twice are left out. Unreduced axes are carried through the product. At most kMostPairs, the
// first ones.
inline constexpr std::size_t kMostPairs = 1000;
std::vector<std::pair<Layout, Layout>> candidate_layouts(const Operand& left, const Operand& right,
                                                         const Labels& result_labels,
                                                         const std::optional<Layout>& target);

}  // namespace shard::planning

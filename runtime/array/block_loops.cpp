#include "runtime/array/block_loops.h"

#include <algorithm>

namespace shard {

std::optional<std::vector<BlockLoop>> loops_over(const Extents& extents, const Extents& source,
                                                 const Extents& target) {
  std::vector<BlockLoop> loops;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == 0) return std::nullopt;
    if (extents[d] > 1) loops.push_back({extents[d], source[d], target[d]});
  }
  std::stable_sort(loops.begin(), loops.end(),
                   [](const BlockLoop& a, const BlockLoop& b) { return a.target > b.target; });
  std::vector<BlockLoop> merged;
  for (const BlockLoop& inner : loops) {
    if (!merged.empty() && merged.back().source == inner.source * inner.extent &&
        merged.back().target == inner.target * inner.extent) {
      merged.back() = {merged.back().extent * inner.extent, inner.source, inner.target};
    } else {
      merged.push_back(inner);
    }
  }
  return merged;
}

}  // namespace shard

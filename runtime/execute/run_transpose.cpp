#include "runtime/execute/run_transpose.h"

#include <algorithm>
#include <atomic>

#include "base/check.h"
#include "runtime/array/block_copy.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

// Some milliseconds of work, between which Ctrl-C is noticed.
constexpr std::int64_t kElementsOfTask = std::int64_t{1} << 21;
// Fewer would read only parts of the operand's cache lines.
constexpr std::int64_t kLeastRowsAtOnce = 128;

}  // namespace

std::uint64_t transpose(const DeviceArray& operand, const std::vector<std::size_t>& order,
                        const Executor& executor, DeviceArray& result) {
  SHARD_CHECK(operand.shard_axes == result.shard_axes);
  const Extents operand_strides = row_major_strides(operand.local_shape);
  Extents strides;
  for (std::size_t d = 0; d < order.size(); ++d) {
    SHARD_CHECK(result.local_shape[d] == operand.local_shape[order[d]]);
    strides.push_back(operand_strides[order[d]]);
  }
  allocate_missing(result);
  // Large shards go some rows at a time: threads share them, and Ctrl-C is noticed in between.
  const Extents result_strides = row_major_strides(result.local_shape);
  const std::int64_t rows = result.local_shape.empty() ? 1 : result.local_shape.front();
  const std::int64_t row = element_count(result.local_shape) / rows;
  const std::int64_t rows_at_once = std::max(kLeastRowsAtOnce, kElementsOfTask / row);
  const auto parts = static_cast<std::size_t>((rows + rows_at_once - 1) / rows_at_once);
  std::atomic<std::uint64_t> saturated{0};
  executor.parallel_for_each_shard(result.shards.size() * parts, [&](std::size_t task) {
    const std::size_t s = task / parts;
    const std::int64_t begin = static_cast<std::int64_t>(task % parts) * rows_at_once;
    Extents extents = result.local_shape;
    if (!extents.empty()) extents.front() = std::min(rows_at_once, rows - begin);
    const auto from = static_cast<std::size_t>(strides.empty() ? 0 : begin * strides.front());
    const auto to = static_cast<std::size_t>(begin * row);
    saturated += copy_block(extents,
                            {operand.shards[s]->data() + from * element_size(operand.storage),
                             operand.storage, strides},
                            {result.shards[s]->data() + to * element_size(result.storage),
                             result.storage, result_strides});
  });
  return saturated;
}

}  // namespace shard

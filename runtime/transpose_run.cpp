#include "runtime/transpose_run.h"

#include <atomic>

#include "base/check.h"
#include "runtime/block.h"

namespace shard {

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
  std::atomic<std::uint64_t> saturated{0};
  executor.parallel_for_each_shard(result.shards.size(), [&](std::size_t s) {
    saturated += copy_block(
        result.local_shape, {operand.shards[s]->data(), operand.storage, strides},
        {result.shards[s]->data(), result.storage, row_major_strides(result.local_shape)});
  });
  return saturated;
}

}  // namespace shard

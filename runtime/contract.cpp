#include "runtime/contract.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/find.h"

namespace shard {
namespace {

// What the product takes of an operand, by shard: the shards themselves, or packed copies.
using Blocks = std::vector<std::shared_ptr<Buffer>>;

Blocks pack_shards(const DeviceArray& operand, Side side, const LocalContraction& contraction,
                   const Executor& executor) {
  const std::size_t bytes = contraction.packed_bytes(side);
  if (bytes == 0) return operand.shards;
  Blocks blocks(operand.shards.size());
  for (auto& block : blocks) block = std::make_shared<Buffer>(bytes);
  executor.parallel_for_each_shard(blocks.size(), [&](std::size_t s) {
    contraction.pack(side, operand.shards[s]->data(), blocks[s]->data());
  });
  return blocks;
}

ContractionProblem problem_of(const DeviceArray& left, const DeviceArray& right,
                              const ContractionLabels& labels, const DeviceArray& result) {
  return {labels.left,       labels.right, labels.result, left.local_shape,
          right.local_shape, left.storage, right.storage, result.storage};
}

}  // namespace

std::shared_ptr<const LocalContraction> Kernels::contraction(const ContractionProblem& problem) {
  auto& prepared = prepared_[problem];
  if (prepared == nullptr) prepared = std::make_shared<const LocalContraction>(problem, support_);
  return prepared;
}

void Kernels::reserve_scratch(std::size_t count, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(scratch_, [bytes](const auto& scratch) { return scratch->size() < bytes; });
  while (scratch_.size() < count) scratch_.push_back(std::make_unique<Buffer>(bytes));
}

std::unique_ptr<Buffer> Kernels::borrow_scratch() {
  const std::scoped_lock lock(mutex_);
  SHARD_CHECK(!scratch_.empty());
  auto scratch = std::move(scratch_.back());
  scratch_.pop_back();
  return scratch;
}

void Kernels::return_scratch(std::unique_ptr<Buffer> scratch) {
  const std::scoped_lock lock(mutex_);
  scratch_.push_back(std::move(scratch));
}

std::uint64_t contract(const DeviceArray& left, const DeviceArray& right,
                       const ContractionLabels& labels, const Mesh& mesh, const Executor& executor,
                       Kernels& kernels, DeviceArray& result) {
  SHARD_CHECK(contains_all(result.shard_axes, left.shard_axes) &&
              contains_all(result.shard_axes, right.shard_axes));
  const auto contraction = kernels.contraction(problem_of(left, right, labels, result));
  const Blocks left_blocks = pack_shards(left, Side::Left, *contraction, executor);
  const Blocks right_blocks = pack_shards(right, Side::Right, *contraction, executor);
  allocate_missing(result);
  const auto panels = static_cast<std::size_t>(contraction->panels());
  const std::size_t tasks = result.shards.size() * panels;
  kernels.reserve_scratch(static_cast<std::size_t>(executor.threads()),
                          contraction->scratch_bytes());
  std::vector<std::uint64_t> clamped(tasks, 0);
  executor.parallel_for_each_shard(tasks, [&](std::size_t t) {
    const std::size_t s = t / panels;
    const auto holder = holder_of(result, s, mesh);
    auto scratch = kernels.borrow_scratch();
    clamped[t] = contraction->run(static_cast<std::int64_t>(t % panels),
                                  left_blocks[shard_of(left, holder, mesh)]->data(),
                                  right_blocks[shard_of(right, holder, mesh)]->data(),
                                  result.shards[s]->data(), scratch->data());
    kernels.return_scratch(std::move(scratch));
  });
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

}  // namespace shard

#include "runtime/execute/contract.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/check.h"

namespace shard {
namespace {

// A task takes several products, which share the setup of a kernel call; as many as this still balance the load.
constexpr std::size_t kMostProductTasks = 128;

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

Kernels::Scratch::Scratch(Kernels& kernels) : kernels_(kernels) {
  const std::scoped_lock lock(kernels.mutex_);
  SHARD_CHECK(!kernels.scratch_.empty());
  buffer_ = std::move(kernels.scratch_.back());
  kernels.scratch_.pop_back();
}

Kernels::Scratch::~Scratch() {
  const std::scoped_lock lock(kernels_.mutex_);
  kernels_.scratch_.push_back(std::move(buffer_));  // cannot allocate: the buffer came from here
}

ContractionProblem problem_of(const DeviceArray& left, const DeviceArray& right,
                              const ContractionLabels& labels, const DeviceArray& result) {
  return {labels.left,       labels.right, labels.result, left.local_shape,
          right.local_shape, left.storage, right.storage, result.storage};
}

BlockProducts::BlockProducts(const DeviceArray& left, const DeviceArray& right,
                             const ContractionLabels& labels, const DeviceArray& result,
                             const Mesh& mesh, const Executor& executor, Kernels& kernels) {
  SHARD_CHECK(finds_shards_of(left, result) && finds_shards_of(right, result));
  contraction_ = kernels.contraction(problem_of(left, right, labels, result));
  left_ = blocks_of(left, Side::Left, shards_beside(result, left, mesh), executor);
  right_ = blocks_of(right, Side::Right, shards_beside(result, right, mesh), executor);
  kernels.reserve_scratch(static_cast<std::size_t>(executor.threads()),
                          contraction_->scratch_bytes());
}

std::vector<const std::byte*> BlockProducts::blocks_of(const DeviceArray& operand, Side side,
                                                       const std::vector<std::int64_t>& shards,
                                                       const Executor& executor) {
  const std::size_t bytes = contraction_->packed_bytes(side);
  std::vector<std::shared_ptr<Buffer>> packed;
  if (bytes != 0) {
    packed = take_buffers(operand.shards.size(), bytes, operand.pool);
    executor.parallel_for_each_shard(
        packed.size(),
        [&](std::size_t s) {
          contraction_->pack(side, operand.shards[s]->data(), packed[s]->data());
        },
        bytes * packed.size());
    packed_.insert(packed_.end(), packed.begin(), packed.end());
  }
  const auto& buffers = bytes == 0 ? operand.shards : packed;
  std::vector<const std::byte*> blocks;
  blocks.reserve(shards.size());
  for (const std::int64_t shard : shards)
    blocks.push_back(buffers[static_cast<std::size_t>(shard)]->data());
  return blocks;
}

bool BlockProducts::shares_panels() const {
  const auto& blocks = contraction_->panelled() == Side::Left ? left_ : right_;
  const std::set<const std::byte*> distinct(blocks.begin(), blocks.end());
  return distinct.size() < blocks.size();
}

double bytes_packed(const DeviceArray& left, const DeviceArray& right,
                    const ContractionLabels& labels, const DeviceArray& result, Kernels& kernels) {
  const auto contraction = kernels.contraction(problem_of(left, right, labels, result));
  const auto bytes = [&](const DeviceArray& operand, Side side) {
    return static_cast<double>(contraction->packed_bytes(side)) *
           static_cast<double>(operand.shards.size());
  };
  return bytes(left, Side::Left) + bytes(right, Side::Right);
}

std::uint64_t contract(const DeviceArray& left, const DeviceArray& right,
                       const ContractionLabels& labels, const Mesh& mesh, const Executor& executor,
                       Kernels& kernels, DeviceArray& result) {
  const BlockProducts products(left, right, labels, result, mesh, executor, kernels);
  const LocalContraction& contraction = products.contraction();
  allocate_missing(result);
  const auto panels = static_cast<std::size_t>(contraction.panels());
  const std::size_t shards = result.shards.size();
  const std::size_t all = shards * panels;
  const bool by_panels = panels > 1 && products.shares_panels();
  const std::size_t in_task = (all + kMostProductTasks - 1) / kMostProductTasks;
  const std::size_t tasks = (all + in_task - 1) / in_task;
  std::vector<std::uint64_t> clamped(tasks, 0);
  executor.parallel_for_each_shard(
      tasks,
      [&](std::size_t t) {
        Kernels::Scratch scratch(kernels);
        LocalCall call(contraction, scratch.data());
        for (std::size_t i = t * in_task; i < std::min((t + 1) * in_task, all); ++i) {
          const std::size_t s = by_panels ? i % shards : i / panels;
          const std::size_t panel = by_panels ? i / shards : i % panels;
          clamped[t] += call.run(static_cast<std::int64_t>(panel), products.left(s),
                                 products.right(s), result.shards[s]->data());
        }
      },
      static_cast<std::size_t>(contraction.work()) * all);
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

}  // namespace shard

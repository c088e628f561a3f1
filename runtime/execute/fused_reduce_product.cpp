#include "runtime/execute/fused_reduce_product.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "base/check.h"
#include "base/contains.h"
#include "runtime/array/block_copy.h"
#include "runtime/collective/reduce.h"
#include "runtime/execute/fused_tiles.h"

namespace shard {
namespace {

// Sorts rows in which all result blocks are side by side into those of one block after those of another.
BlockCopy sorting(const DeviceArray& partial, const DeviceArray& result, std::size_t scattered,
                  std::int64_t rows) {
  Extents block = result.local_shape;
  block[leading_dimension(partial)] = rows;
  Extents whole = partial.local_shape;
  whole[leading_dimension(partial)] = rows;
  const Extents strides = row_major_strides(whole);
  Extents extents{whole[scattered] / block[scattered]};
  Extents from{block[scattered] * strides[scattered]};
  extents.insert(extents.end(), block.begin(), block.end());
  from.insert(from.end(), strides.begin(), strides.end());
  return {extents, partial.storage, from, partial.storage, row_major_strides(extents)};
}

// One thread's buffers: one panel of the products of shards that are summed with one another, to be summed.
class Panels {
 public:
  Panels(const BlockProducts& products, const SumInOrder& sum, const DeviceArray& partial,
         const DeviceArray& result, Kernels& kernels)
      : products_(products),
        sum_(sum),
        kernels_(kernels),
        rows_(leading_extent(partial) / products.contraction().panels()),
        data_(partial.shards.size(), nullptr) {
    const std::size_t bytes =
        shard_bytes(partial) / static_cast<std::size_t>(products.contraction().panels());
    const auto scattered = scattered_dimension(partial, result);
    if (scattered && *scattered != leading_dimension(partial))
      sort_.emplace(sorting(partial, result, *scattered, rows_));
    const std::size_t shards = sum.groups().front().size();
    memory_ = take_buffers(shards + (sort_ ? 1 : 0), bytes, partial.pool);
  }

  std::uint64_t run(std::int64_t panel, std::size_t group) {
    make_products(panel, group);
    const std::int64_t begin = panel * rows_;
    return sort_ ? sum_.add_sorted_rows(group, data_, begin, begin + rows_)
                 : sum_.add_rows(group, data_, begin, begin + rows_);
  }

 private:
  void make_products(std::int64_t panel, std::size_t group) {
    Kernels::Scratch scratch(kernels_);
    LocalCall call(products_.contraction(), scratch.data());
    std::size_t next = 0;
    for (const std::size_t s : sum_.groups()[group]) {
      std::byte* rows = memory_[next++]->data();
      std::byte* product = sort_ ? memory_.back()->data() : rows;
      call.run_panel(panel, products_.left(s), products_.right(s), product);
      if (sort_) sort_->run(product, rows);
      data_[s] = rows;
    }
  }

  const BlockProducts& products_;
  const SumInOrder& sum_;
  Kernels& kernels_;
  std::int64_t rows_;  // of a panel
  // One per shard of a group, and one for rows before sorting.
  std::vector<std::shared_ptr<Buffer>> memory_;
  std::vector<const std::byte*> data_;  // by shard: those of the group
  std::optional<BlockCopy> sort_;
};

// The Panels not in use by any thread.
class Idle {
 public:
  explicit Idle(std::vector<Panels>& all) {
    for (Panels& one : all) idle_.push_back(&one);
  }

  // Borrows one while it lives. REQUIRES: there are as many as threads.
  class Lease {
   public:
    explicit Lease(Idle& idle) : idle_(idle) {
      const std::scoped_lock lock(idle.mutex_);
      SHARD_CHECK(!idle.idle_.empty());
      panels_ = idle.idle_.back();
      idle.idle_.pop_back();
    }
    ~Lease() {
      const std::scoped_lock lock(idle_.mutex_);
      idle_.idle_.push_back(panels_);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Panels* operator->() const { return panels_; }

   private:
    Idle& idle_;
    Panels* panels_ = nullptr;
  };

 private:
  std::mutex mutex_;
  std::vector<Panels*> idle_;
};

std::uint64_t add_panels(const BlockProducts& products, const SumInOrder& sum,
                         const Executor& executor, Kernels& kernels, const DeviceArray& partial,
                         const DeviceArray& result) {
  const auto panels = static_cast<std::size_t>(products.contraction().panels());
  const std::size_t tasks = panels * sum.groups().size();
  const std::size_t threads = std::min(static_cast<std::size_t>(executor.threads()), tasks);
  std::vector<Panels> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back(products, sum, partial, result, kernels);
  Idle idle(workers);
  std::vector<std::uint64_t> clamped(tasks, 0);
  executor.parallel_for_each_shard(tasks, [&](std::size_t task) {
    const Idle::Lease worker(idle);
    clamped[task] = worker->run(static_cast<std::int64_t>(task % panels), task / panels);
  });
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

bool is_free(const Step& step) { return std::holds_alternative<FreeStep>(step.action); }

// Fewer partial sums than this stay in a cache, where it is faster to store them.
constexpr std::size_t kManyPartialBytes = std::size_t{1} << 22;
bool fits_tiles(const ShortProduct& product, const DeviceArray& partial) {
  // Fewer rows or columns would leave most of a tile empty.
  constexpr std::size_t kLeast = kTileColumns;
  return product.first.lines.size() >= kLeast && product.second.lines.size() >= kLeast &&
         static_cast<std::int64_t>(product.first.terms.size()) <= kShortExtent &&
         shard_bytes(partial) * partial.shards.size() >= kManyPartialBytes;
}

// By shard of the result: its device's block of an operand.
std::vector<const std::byte*> blocks_beside(const DeviceArray& result, const DeviceArray& operand,
                                            const Mesh& mesh) {
  std::vector<const std::byte*> blocks;
  for (const std::int64_t shard : shards_beside(result, operand, mesh))
    blocks.push_back(operand.shards[static_cast<std::size_t>(shard)]->data());
  return blocks;
}

bool reduces(const Step& step, CopyId copy) {
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  return collective != nullptr && collective->operand == copy &&
         (collective->kind == CollectiveKind::ReduceScatter ||
          collective->kind == CollectiveKind::AllReduce);
}

}  // namespace

std::vector<bool> products_to_reduce(const Plan& plan) {
  std::vector<bool> result(plan.steps.size(), false);
  for (auto step = plan.steps.begin(); step != plan.steps.end(); ++step) {
    const auto* contract = std::get_if<ContractStep>(&step->action);
    if (contract == nullptr || contract->piece) continue;
    const CopyId partial = contract->result;
    const auto next = std::find_if_not(step + 1, plan.steps.end(), is_free);
    if (next == plan.steps.end() || !reduces(*next, partial)) continue;
    const auto use = std::find_if(next + 1, plan.steps.end(), [partial](const Step& other) {
      const auto* free = std::get_if<FreeStep>(&other.action);
      return free != nullptr ? free->copy == partial : contains(operands_of(other), partial);
    });
    result[static_cast<std::size_t>(step - plan.steps.begin())] =
        use == plan.steps.end() || is_free(*use);
  }
  return result;
}

bool can_reduce_product(const DeviceArray& left, const DeviceArray& right,
                        const ContractionLabels& labels, const DeviceArray& partial,
                        const DeviceArray& result, Kernels& kernels) {
  const auto scattered = scattered_dimension(partial, result);
  if (scattered &&
      !std::equal(result.local_shape.begin() + static_cast<std::ptrdiff_t>(*scattered) + 1,
                  result.local_shape.end(),
                  partial.local_shape.begin() + static_cast<std::ptrdiff_t>(*scattered) + 1))
    return false;
  const auto contraction = kernels.contraction(problem_of(left, right, labels, partial));
  if (const ShortProduct* product = contraction->short_product())
    return fits_tiles(*product, partial);
  const bool adds_up = partial.storage == DType::Fp32 || partial.storage == DType::Fp64;
  return adds_up && contraction->panels() > 1 && contraction->panels_are_rows() &&
         leading_extent(partial) % contraction->panels() == 0;
}

std::uint64_t reduce_product(const DeviceArray& left, const DeviceArray& right,
                             const ContractionLabels& labels, const CollectiveStep& step,
                             const Machine& machine, const Executor& executor, Kernels& kernels,
                             ReducePlans& plans, const DeviceArray& partial, DeviceArray& result) {
  SumInOrder sum(partial, step, machine, plans, result);
  if (sum.groups().empty()) return 0;
  const auto contraction = kernels.contraction(problem_of(left, right, labels, partial));
  const ShortProduct* product = contraction->short_product();
  if (product == nullptr) {
    const BlockProducts products(left, right, labels, partial, machine.mesh, executor, kernels);
    return add_panels(products, sum, executor, kernels, partial, result);
  }
  const bool left_first = contraction->row_side() == Side::Left;
  SumOfProducts tiles(*product, blocks_beside(partial, left_first ? left : right, machine.mesh),
                      blocks_beside(partial, left_first ? right : left, machine.mesh), sum, partial,
                      result);
  if (tiles.is_worthwhile()) return tiles.run(executor);
  DeviceArray stored = partial;
  contract(left, right, labels, machine.mesh, executor, kernels, stored);
  return reduce_in_order(stored, step, machine, executor, plans, result);
}

}  // namespace shard

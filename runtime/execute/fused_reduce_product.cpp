#include "runtime/execute/fused_reduce_product.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "base/contains.h"
#include "runtime/array/block_copy.h"
#include "runtime/array/block_sum.h"
#include "runtime/collective/reduce.h"
#include "runtime/element/number.h"
#include "runtime/platform/stream_copy.h"

namespace shard {
namespace {

constexpr std::size_t kCacheLine = 64;
// Rows of short sums that are made at once. A strip of columns, which has the terms of all devices, is then read from
// memory once in as many rows.
constexpr std::int64_t kRowsOfShortSums = 64;
// Fewer partial sums than this stay in a cache, where it is faster to store them.
constexpr std::size_t kManyPartialBytes = std::size_t{1} << 22;

// The first dimension of a device's block that is longer than 1, else the last one. Its rows are contiguous.
std::size_t leading_dimension(const DeviceArray& array) {
  std::size_t d = 0;
  while (d + 1 < array.local_shape.size() && array.local_shape[d] == 1) ++d;
  return d;
}
std::int64_t leading_extent(const DeviceArray& array) {
  return array.local_shape.empty() ? 1 : array.local_shape[leading_dimension(array)];
}

// The sums of a group, made for some rows of their leading dimension at a time, on threads that take different rows.
class SumOfRows {
 public:
  SumOfRows(const DeviceSums& sums, const DeviceArray& partial, DeviceArray& result)
      : sums_(sums),
        partial_(partial),
        result_(result),
        lead_(leading_dimension(partial)),
        strides_(row_major_strides(partial.local_shape)),
        result_strides_(row_major_strides(result.local_shape)),
        streamed_(shard_bytes(result) * result.shards.size() >= kStreamedBytes) {}

  // `make(group, begin, end, rows, scratch)` fills `rows` with the sums of a group's rows from `begin` to `end`;
  // `scratch` has room for `scratch_bytes`. Each call gets `step` rows, the last one what is left.
  template <class Make>
  std::uint64_t run(std::int64_t step, std::size_t scratch_bytes, const Executor& executor,
                    Kernels& kernels, const Make& make) {
    const std::int64_t rows = partial_.local_shape[lead_];
    const std::size_t row_bytes = shard_bytes(partial_) / static_cast<std::size_t>(rows);
    const std::size_t bytes =
        (static_cast<std::size_t>(step) * row_bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
    kernels.reserve_scratch(static_cast<std::size_t>(executor.threads()), bytes + scratch_bytes);
    const auto panels = static_cast<std::size_t>((rows + step - 1) / step);
    std::vector<std::uint64_t> clamped(panels * sums_.groups().size(), 0);
    executor.parallel_for_each_shard(clamped.size(), [&](std::size_t task) {
      const std::size_t group = task / panels;
      const std::int64_t begin = static_cast<std::int64_t>(task % panels) * step;
      const std::int64_t end = std::min(begin + step, rows);
      Kernels::Scratch scratch(kernels);
      make(group, begin, end, scratch.data(), scratch.data() + bytes);
      clamped[task] = store(sums_.groups()[group], begin, end, scratch.data());
    });
    return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
  }

 private:
  // Rounds the rows into the blocks of the result that they belong to.
  std::uint64_t store(const DeviceSums::Group& group, std::int64_t begin, std::int64_t end,
                      const std::byte* rows) {
    const auto from_size = static_cast<std::int64_t>(element_size(partial_.storage));
    const auto to_size = static_cast<std::int64_t>(element_size(result_.storage));
    const std::int64_t stride = strides_[lead_];
    std::uint64_t clamped = 0;
    for (const std::size_t shard : group.results) {
      const std::int64_t offset = sums_.offset(shard);
      const std::int64_t first = offset / stride;
      Extents extents = result_.local_shape;
      const std::int64_t from = std::max(begin, first);
      extents[lead_] = std::min(end, first + extents[lead_]) - from;
      if (extents[lead_] <= 0) continue;
      const BlockCopy copy(extents, partial_.storage, strides_, result_.storage, result_strides_,
                           streamed_);
      clamped += copy.run(
          rows + ((from - begin) * stride + offset % stride) * from_size,
          result_.shards[shard]->data() + (from - first) * result_strides_[lead_] * to_size);
    }
    if (streamed_) end_streaming();
    return clamped;
  }

  const DeviceSums& sums_;
  const DeviceArray& partial_;
  DeviceArray& result_;
  std::size_t lead_;
  Extents strides_;
  Extents result_strides_;
  bool streamed_;
};

// Panel after panel: one device's product is added to the sum of those before it, both of which stay in a cache.
std::uint64_t add_panels(const BlockProducts& products, const DeviceSums& sums,
                         const Executor& executor, Kernels& kernels, const DeviceArray& partial,
                         DeviceArray& result) {
  const LocalContraction& contraction = products.contraction();
  const std::int64_t step = leading_extent(partial) / contraction.panels();
  const std::int64_t elements = element_count(partial.local_shape) / contraction.panels();
  const BlockSum add({elements}, partial.storage, {1}, partial.storage, {1});
  const std::size_t bytes =
      (static_cast<std::size_t>(elements) * element_size(partial.storage) + kCacheLine - 1) /
      kCacheLine * kCacheLine;
  return SumOfRows(sums, partial, result)
      .run(step, bytes + contraction.scratch_bytes(), executor, kernels,
           [&](std::size_t group, std::int64_t begin, std::int64_t, std::byte* rows,
               std::byte* scratch) {
             LocalCall call(contraction, scratch + bytes);
             bool is_first = true;
             for (const std::size_t part : sums.groups()[group].parts) {
               std::byte* to = is_first ? rows : scratch;
               call.run_panel(begin / step, products.left(part), products.right(part), to);
               if (!is_first) add.run({rows, scratch}, rows);
               is_first = false;
             }
           });
}

// The blocks of an operand on the devices of each group, cut into strips that have the terms of all devices, one device
// after the other. Groups may share blocks.
class StackedStrips {
 public:
  // `blocks`: the operand's, by shard of the partial sums.
  StackedStrips(const StripOperand& operand, std::int64_t width, const DeviceSums& sums,
                const std::vector<const std::byte*>& blocks,
                const std::shared_ptr<BufferPool>& pool, const Executor& executor) {
    std::map<std::vector<const std::byte*>, std::size_t> known;
    std::vector<const std::byte*> all;  // by set and device
    for (const DeviceSums::Group& group : sums.groups()) {
      std::vector<const std::byte*> own;
      for (const std::size_t part : group.parts) own.push_back(blocks[part]);
      const auto [found, is_new] = known.try_emplace(own, known.size());
      if (is_new) all.insert(all.end(), own.begin(), own.end());
      sets_.push_back(found->second);
    }
    const std::size_t devices = sums.groups().front().parts.size();
    floats_of_line_ = static_cast<std::int64_t>(devices) * operand.steps();
    const std::int64_t strips = operand.strips(width);
    floats_of_set_ = strips * width * floats_of_line_;
    const std::size_t bytes =
        static_cast<std::size_t>(floats_of_set_) * known.size() * sizeof(float);
    memory_ = take_buffers(1, bytes, pool).front();
    executor.parallel_for_each_shard(
        all.size(),
        [&](std::size_t block) {
          const auto device = static_cast<std::int64_t>(block % devices);
          float* to = set(block / devices) + device * operand.floats_of_strip(width);
          for (std::int64_t strip = 0; strip < strips; ++strip)
            operand.cut(all[block], strip, width, to + strip * width * floats_of_line_);
        },
        bytes);
  }

  // The strips from a line on, which must be the first one of a strip.
  const float* at(std::size_t group, std::int64_t line) const {
    return set(sets_[group]) + line * floats_of_line_;
  }

 private:
  float* set(std::size_t number) const {
    return reinterpret_cast<float*>(memory_->data()) +
           static_cast<std::int64_t>(number) * floats_of_set_;
  }

  std::vector<std::size_t> sets_;  // by group: its set of blocks
  std::int64_t floats_of_line_ = 0;
  std::int64_t floats_of_set_ = 0;
  std::shared_ptr<Buffer> memory_;  // by set, strip, device
};

// By shard of the partial sums: its device's block of an operand.
std::vector<const std::byte*> blocks_beside(const DeviceArray& partial, const DeviceArray& operand,
                                            const Mesh& mesh) {
  std::vector<const std::byte*> blocks;
  for (const std::int64_t shard : shards_beside(partial, operand, mesh))
    blocks.push_back(operand.shards[static_cast<std::size_t>(shard)]->data());
  return blocks;
}

// Of short sums: one product of the stacked strips, in which each device's terms are summed before they are added to
// those of the devices before it. No partial sum is ever in memory.
std::uint64_t add_strips(const ShortProduct& product, const DeviceArray& first,
                         const DeviceArray& second, const DeviceSums& sums, const Mesh& mesh,
                         const Executor& executor, Kernels& kernels, const DeviceArray& partial,
                         DeviceArray& result) {
  const auto strips_of = [&](const StripOperand& operand, bool is_first) {
    return StackedStrips(operand, product.width(is_first), sums,
                         blocks_beside(partial, is_first ? first : second, mesh), partial.pool,
                         executor);
  };
  const StackedStrips rows = strips_of(product.first, true);
  const StackedStrips columns = strips_of(product.second, false);
  const std::int64_t lines =
      static_cast<std::int64_t>(product.first.lines.size()) / leading_extent(partial);
  const std::int64_t least =
      std::lcm(lines, std::lcm(kRowsOfShortSums, product.width(true))) / lines;
  const std::int64_t step = std::min(least, leading_extent(partial));
  const auto devices = static_cast<std::int64_t>(sums.groups().front().parts.size());
  const std::int64_t steps = product.first.steps();
  MatmulShape shape;
  shape.sum = devices * steps;
  shape.columns = static_cast<std::int64_t>(product.second.lines.size());
  shape.result_strides = {shape.columns, 1};
  return SumOfRows(sums, partial, result)
      .run(step, 0, executor, kernels,
           [&](std::size_t group, std::int64_t begin, std::int64_t end, std::byte* to,
               std::byte* /*scratch*/) {
             MatmulShape own = shape;
             own.rows = (end - begin) * lines;
             short_matmul(own, product.turned, product.kernel, rows.at(group, begin * lines),
                          columns.at(group, 0), reinterpret_cast<float*>(to), steps);
           });
}

bool fits_strips(const ShortProduct& product, const DeviceArray& partial) {
  // Fewer rows or columns would leave most of a tile empty.
  constexpr std::size_t kLeast = kTileColumns;
  return product.first.lines.size() >= kLeast && product.second.lines.size() >= kLeast &&
         static_cast<std::int64_t>(product.first.terms.size()) <= kShortExtent &&
         shard_bytes(partial) * partial.shards.size() >= kManyPartialBytes;
}

bool is_free(const Step& step) { return std::holds_alternative<FreeStep>(step.action); }

bool reduces(const Step& step, CopyId copy) {
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  return collective != nullptr && collective->operand == copy && adds_up(collective->kind);
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
                        Kernels& kernels) {
  const auto contraction = kernels.contraction(problem_of(left, right, labels, partial));
  if (const ShortProduct* product = contraction->short_product())
    return fits_strips(*product, partial);
  const bool adds_up = partial.storage == DType::Fp32 || partial.storage == DType::Fp64;
  return adds_up && contraction->panels() > 1 && contraction->panels_are_rows() &&
         leading_extent(partial) % contraction->panels() == 0;
}

std::uint64_t reduce_product(const DeviceArray& left, const DeviceArray& right,
                             const ContractionLabels& labels, const CollectiveStep& step,
                             const Mesh& mesh, const Executor& executor, Kernels& kernels,
                             const DeviceArray& partial, DeviceArray& result) {
  const DeviceSums sums(partial, step.axes, mesh, result);
  allocate_missing(result);
  if (sums.groups().empty()) return 0;
  const auto contraction = kernels.contraction(problem_of(left, right, labels, partial));
  if (const ShortProduct* product = contraction->short_product()) {
    const bool left_first = contraction->row_side() == Side::Left;
    return add_strips(*product, left_first ? left : right, left_first ? right : left, sums, mesh,
                      executor, kernels, partial, result);
  }
  const BlockProducts products(left, right, labels, partial, mesh, executor, kernels);
  return add_panels(products, sums, executor, kernels, partial, result);
}

}  // namespace shard

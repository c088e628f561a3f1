#include "runtime/execute/run_reduction.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "base/check.h"
#include "runtime/array/block_copy.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

// A running sum in fp32 stalls after 2^24 equal terms, so sums are taken over blocks of terms, which are then added.
constexpr std::int64_t kTermsOfBlock = 4096;
constexpr std::int64_t kMostSums = 512;  // side by side, so that they stay in the cache
constexpr std::int64_t kTermsOfTask =
    std::int64_t{1} << 16;  // at least, if there are as many: enough that handing a
                            // task out costs little

// A dimension of the operand, or several contiguous ones as one.
struct ReducedLoop {
  std::int64_t extent;
  std::int64_t source;
  std::int64_t target;  // 0 for a summed dimension
};

std::int64_t count_of(const std::vector<ReducedLoop>& loops) {
  std::int64_t count = 1;
  for (const ReducedLoop& loop : loops) count *= loop.extent;
  return count;
}

// The layout of a shard's elements: rows to be summed, each a line of sums of `inner` contiguous terms.
struct ReducedShape {
  std::vector<ReducedLoop> kept;
  std::vector<ReducedLoop> rows;
  ReducedLoop line{1, 1, 1};
  std::int64_t inner = 1;

  std::int64_t sums_at_once() const {
    return std::clamp<std::int64_t>(kTermsOfTask / inner, 1, kMostSums);
  }
  std::int64_t tiles_of_line() const { return (line.extent + sums_at_once() - 1) / sums_at_once(); }
};

// `targets`: the result's strides along the operand's dimensions, 0 along those it lacks.
ReducedShape reduced_shape(const Extents& shape, const Extents& targets) {
  const Extents sources = row_major_strides(shape);
  std::vector<ReducedLoop> loops;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    ReducedLoop loop{shape[d], sources[d], targets[d]};
    if (!loops.empty() && loops.back().target == loop.target * loop.extent) {
      loop.extent *= loops.back().extent;
      loops.pop_back();
    }
    loops.push_back(loop);
  }
  ReducedShape reduced;
  if (!loops.empty() && loops.back().target == 0) {
    reduced.inner = loops.back().extent;
    loops.pop_back();
  }
  if (!loops.empty()) {
    reduced.line = loops.back();
    loops.pop_back();
  }
  for (const ReducedLoop& loop : loops)
    (loop.target == 0 ? reduced.rows : reduced.kept).push_back(loop);
  return reduced;
}

// The value that changes no number it is combined with.
template <class Sum>
Sum neutral(Combination combination) {
  constexpr Sum kInfinity = std::numeric_limits<Sum>::infinity();
  return combination == Combination::Sum   ? Sum(-0.0)
         : combination == Combination::Max ? -kInfinity
                                           : kInfinity;
}

template <class Sum>
using LineSums = std::array<Sum, static_cast<std::size_t>(kMostSums)>;

// Adds one row of terms to the sums of a block. If the row itself is longer than a block, full blocks are added to the
// totals.
template <Combination kCombination, class From, class Sum>
void add_terms(const From* row, std::int64_t inner, std::size_t count, LineSums<Sum>& block,
               LineSums<Sum>& totals) {
  std::uint64_t clamped = 0;
  if (inner == 1) {
    for (std::size_t i = 0; i < count; ++i)
      block[i] = combined(kCombination, block[i], convert<Sum>(row[i], clamped));
    return;
  }
  for (std::size_t i = 0; i < count; ++i, row += inner) {
    Sum sum = block[i];
    for (std::int64_t begin = 0; begin < inner; begin += kTermsOfBlock) {
      if (begin > 0) {
        totals[i] = combined(kCombination, totals[i], sum);
        sum = neutral<Sum>(kCombination);
      }
      const std::int64_t end = std::min(begin + kTermsOfBlock, inner);
      for (std::int64_t k = begin; k < end; ++k)
        sum = combined(kCombination, sum, convert<Sum>(row[k], clamped));
    }
    block[i] = sum;
  }
}

// `count` adjacent sums over all rows.
template <Combination kCombination, class From, class Sum>
void add_tile(const ReducedShape& shape, const From* from, std::size_t count,
              LineSums<Sum>& totals) {
  LineSums<Sum> block;
  block.fill(neutral<Sum>(kCombination));
  totals.fill(neutral<Sum>(kCombination));
  const std::int64_t rows = count_of(shape.rows);
  const std::int64_t rows_of_block = std::max<std::int64_t>(kTermsOfBlock / shape.inner, 1);
  std::vector<std::int64_t> index(shape.rows.size(), 0);
  for (std::int64_t row = 1; row <= rows; ++row) {
    add_terms<kCombination>(from, shape.inner, count, block, totals);
    for (std::size_t d = index.size(); d-- > 0;) {
      from += shape.rows[d].source;
      if (++index[d] < shape.rows[d].extent) break;
      from -= shape.rows[d].source * shape.rows[d].extent;
      index[d] = 0;
    }
    if (row % rows_of_block != 0 && row != rows) continue;
    for (std::size_t i = 0; i < count; ++i) {
      totals[i] = combined(kCombination, totals[i], block[i]);
      block[i] = neutral<Sum>(kCombination);
    }
  }
}

template <class From, class Sum>
void add_tile(Combination combination, const ReducedShape& shape, const From* from,
              std::size_t count, LineSums<Sum>& totals) {
  switch (combination) {
    case Combination::Sum:
      return add_tile<Combination::Sum>(shape, from, count, totals);
    case Combination::Max:
      return add_tile<Combination::Max>(shape, from, count, totals);
    case Combination::Min:
      return add_tile<Combination::Min>(shape, from, count, totals);
  }
}

// The reduction of one shard in tiles: each is some sums of a line.
class ShardReduction {
 public:
  ShardReduction(const ReducedShape& shape, Combination combination, double share)
      : shape_(shape), combination_(combination), share_(share) {}

  std::uint64_t run(std::int64_t tile, DType source_type, DType sum_type, const std::byte* source,
                    DType target_type, std::byte* target) const {
    const std::int64_t begin = tile % shape_.tiles_of_line() * shape_.sums_at_once();
    const std::int64_t end = std::min(begin + shape_.sums_at_once(), shape_.line.extent);
    std::int64_t from = begin * shape_.line.source;
    std::int64_t to = begin * shape_.line.target;
    std::int64_t rest = tile / shape_.tiles_of_line();
    for (auto loop = shape_.kept.rbegin(); loop != shape_.kept.rend(); ++loop) {
      from += rest % loop->extent * loop->source;
      to += rest % loop->extent * loop->target;
      rest /= loop->extent;
    }
    const auto count = static_cast<std::size_t>(end - begin);
    return with_sum_type(sum_type, [&](auto zero) {
      LineSums<decltype(zero)> sums;
      with_element_type(source_type, [&](auto element) {
        add_tile(combination_, shape_, reinterpret_cast<const decltype(element)*>(source) + from,
                 count, sums);
      });
      return store(sums, count, target_type, target, to);
    });
  }

 private:
  template <class Sum>
  std::uint64_t store(const LineSums<Sum>& sums, std::size_t count, DType type, std::byte* target,
                      std::int64_t at) const {
    std::uint64_t clamped = 0;
    with_element_type(type, [&](auto element) {
      auto* to = reinterpret_cast<decltype(element)*>(target) + at;
      for (std::size_t i = 0; i < count; ++i, to += shape_.line.target)
        *to = convert<decltype(element)>(sums[i] / static_cast<Sum>(share_), clamped);
    });
    return clamped;
  }

  const ReducedShape& shape_;
  Combination combination_;
  double share_;  // by which a sum is divided
};

// The result's strides along the operand's dimensions.
Extents strides_of_sums(const ReductionStep& step, const DeviceArray& result) {
  const Extents own = row_major_strides(result.local_shape);
  Extents strides(step.operand_labels.size(), 0);
  for (std::size_t d = 0; d < step.result_labels.size(); ++d) {
    const auto at =
        std::find(step.operand_labels.begin(), step.operand_labels.end(), step.result_labels[d]);
    SHARD_CHECK(at != step.operand_labels.end());
    strides[static_cast<std::size_t>(at - step.operand_labels.begin())] = own[d];
  }
  return strides;
}

}  // namespace

std::uint64_t reduce_elements(const DeviceArray& operand, const ReductionStep& step,
                              const Mesh& mesh, const Executor& executor, DeviceArray& result) {
  const double terms = static_cast<double>(element_count(operand.shape)) /
                       static_cast<double>(std::max<std::int64_t>(element_count(result.shape), 1));
  allocate_missing(result);
  const ReducedShape shape = reduced_shape(operand.local_shape, strides_of_sums(step, result));
  const ShardReduction reduction(shape, combination_of(step.kind),
                                 step.kind == ReductionKind::Mean ? terms : 1);
  const std::int64_t tiles = count_of(shape.kept) * shape.tiles_of_line();
  const std::int64_t elements = element_count(operand.local_shape);
  const std::int64_t group =
      std::max<std::int64_t>(kTermsOfTask * tiles / std::max<std::int64_t>(elements, 1), 1);
  const std::int64_t tasks = (tiles + group - 1) / group;  // per shard
  const auto sources = shards_beside(result, operand, mesh);
  std::atomic<std::uint64_t> clamped{0};
  executor.parallel_for_each_shard(
      result.shards.size() * static_cast<std::size_t>(tasks),
      [&](std::size_t t) {
        const std::size_t s = t / static_cast<std::size_t>(tasks);
        const auto task = static_cast<std::int64_t>(t % static_cast<std::size_t>(tasks));
        for (std::int64_t tile = task * group; tile < std::min((task + 1) * group, tiles); ++tile)
          clamped += reduction.run(tile, operand.storage, accumulation_type(operand.dtype),
                                   operand.shards[static_cast<std::size_t>(sources[s])]->data(),
                                   result.storage, result.shards[s]->data());
      },
      result.shards.size() * static_cast<std::size_t>(elements) * sizeof(float));
  return clamped;
}

}  // namespace shard

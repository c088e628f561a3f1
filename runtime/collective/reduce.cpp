#include "runtime/collective/reduce.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "runtime/array/block_copy.h"
#include "runtime/array/block_sum.h"
#include "runtime/element/number.h"
#include "runtime/platform/stream_copy.h"

namespace shard {
namespace {

// The most elements of a task, and about how many bytes it reads: enough that handing it out costs little in comparison.
constexpr std::int64_t kSumTask = std::int64_t{1} << 16;
constexpr std::int64_t kSumTaskBytes = std::int64_t{1} << 19;
// What a sum costs besides its bytes, in bytes; a rough figure, which only decides whether threads share the work.
constexpr std::size_t kSumWork = 256;
// Small sums are grouped, but into no fewer tasks than about this, for threads to balance the load.
constexpr std::size_t kMostGroups = 32;
// Pieces of a row begin at multiples of this, as far as they are longer: a line of the cache.
constexpr std::int64_t kLineElements = 16;

// By result shard: where its block begins in its device's block of the operand, in elements.
std::vector<std::int64_t> offsets_in(const DeviceArray& operand, const DeviceArray& result,
                                     const Mesh& mesh) {
  const Extents strides = row_major_strides(operand.local_shape);
  std::vector<std::int64_t> offsets(result.shards.size(), 0);
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (operand.local_shape[d] == result.local_shape[d]) continue;
    const auto own = indices_along(result.layout.dims[d], result, mesh);
    const auto whole = indices_along(operand.layout.dims[d], result, mesh);
    for (std::size_t s = 0; s < offsets.size(); ++s)
      offsets[s] +=
          (own[s] * result.local_shape[d] - whole[s] * operand.local_shape[d]) * strides[d];
  }
  return offsets;
}

// A result's block within an operand's. Dimensions that lie one after the other in both are one.
struct SumBox {
  Extents extents;
  Extents strides;  // in the operand
};

SumBox box_of(const DeviceArray& operand, const DeviceArray& result) {
  SumBox box{{1}, {1}};
  const Extents strides = row_major_strides(operand.local_shape);
  bool is_first = true;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    const std::int64_t extent = result.local_shape[d];
    if (is_first || extent == operand.local_shape[d]) {
      box.extents.back() *= extent;
      box.strides.back() = strides[d];
    } else {
      box.extents.push_back(extent);
      box.strides.push_back(strides[d]);
    }
    is_first = false;
  }
  return box;
}

// Sums of blocks, each cut along its longest dimension into pieces of a task's size.
class SumPieces {
 public:
  // REQUIRES: the result has elements.
  SumPieces(const DeviceArray& operand, std::int64_t parts, const DeviceArray& result)
      : operand_(operand),
        result_(result),
        box_(box_of(operand, result)),
        target_strides_(row_major_strides(box_.extents)),
        longest_(static_cast<std::size_t>(
            std::max_element(box_.extents.begin(), box_.extents.end()) - box_.extents.begin())) {
    const auto bytes = static_cast<std::int64_t>(element_size(operand.storage)) * parts;
    const std::int64_t length = box_.extents[longest_];
    const std::int64_t others = element_count(box_.extents) / length;
    step_ = std::clamp<std::int64_t>(std::min(kSumTaskBytes / bytes, kSumTask) / others, 1, length);
    if (step_ > kLineElements) step_ -= step_ % kLineElements;
    count_ = length / step_ + (length % step_ != 0 ? 1 : 0);
    const bool streamed = shard_bytes(result) * result.shards.size() >= kStreamedBytes;
    whole_.emplace(sum(step_, streamed));
    last_.emplace(sum(length - (count_ - 1) * step_, streamed));
  }

  std::int64_t count() const { return count_; }

  // `sources` begin with the first element of the result's block.
  std::uint64_t run(std::int64_t piece, std::vector<const std::byte*>& sources,
                    std::byte* target) const {
    const std::int64_t begin = piece * step_;
    const std::int64_t from = begin * box_.strides[longest_] * size_of(operand_.storage);
    for (const std::byte*& source : sources) source += from;
    return (piece + 1 < count_ ? *whole_ : *last_)
        .run(sources, target + begin * target_strides_[longest_] * size_of(result_.storage));
  }

  static std::int64_t size_of(DType type) { return static_cast<std::int64_t>(element_size(type)); }

 private:
  BlockSum sum(std::int64_t length, bool streamed) const {
    Extents extents = box_.extents;
    extents[longest_] = length;
    return {extents,         operand_.storage, box_.strides,
            result_.storage, target_strides_,  operand_.layout.combination,
            streamed};
  }

  const DeviceArray& operand_;
  const DeviceArray& result_;
  SumBox box_;
  Extents target_strides_;
  std::size_t longest_;  // dimension
  std::int64_t step_ = 1;
  std::int64_t count_ = 0;
  std::optional<BlockSum> whole_;
  std::optional<BlockSum> last_;
};

}  // namespace

DeviceSums::DeviceSums(const DeviceArray& operand, const std::vector<AxisId>& axes,
                       const Mesh& mesh, const DeviceArray& result)
    : offsets_(offsets_in(operand, result, mesh)) {
  std::vector<AxisId> in_order = axes;
  std::sort(in_order.begin(), in_order.end());
  const auto distances = shard_parts_along(in_order, operand, mesh);
  const auto places = indices_along(in_order, result, mesh);
  const auto own = shards_beside(result, operand, mesh);
  // By the first device's shard.
  std::vector<std::size_t> numbers(operand.shards.size(), operand.shards.size());
  for (std::size_t s = 0; s < own.size(); ++s) {
    const std::size_t first =
        static_cast<std::size_t>(own[s]) - distances[static_cast<std::size_t>(places[s])];
    if (numbers[first] == operand.shards.size()) {
      numbers[first] = groups_.size();
      groups_.push_back({distances, {}});
      for (std::size_t& part : groups_.back().parts) part += first;
    }
    groups_[numbers[first]].results.push_back(s);
  }
}

std::uint64_t reduce(const DeviceArray& operand, const CollectiveStep& step, const Mesh& mesh,
                     const Executor& executor, DeviceArray& result) {
  const DeviceSums sums(operand, step.axes, mesh, result);
  allocate_missing(result);
  const auto elements = static_cast<std::size_t>(element_count(result.local_shape));
  if (sums.groups().empty() || elements == 0) return 0;
  const std::size_t parts = sums.groups().front().parts.size();
  const SumPieces pieces(operand, static_cast<std::int64_t>(parts), result);
  const auto in_shard = static_cast<std::size_t>(pieces.count());
  std::vector<std::pair<const DeviceSums::Group*, std::size_t>> shards;
  for (const DeviceSums::Group& group : sums.groups()) {
    for (const std::size_t shard : group.results) shards.emplace_back(&group, shard);
  }
  const std::size_t all = shards.size() * in_shard;
  const std::size_t work =
      shards.size() * elements * parts * element_size(operand.storage) + all * kSumWork;
  const std::size_t in_task =
      std::clamp<std::size_t>(static_cast<std::size_t>(kSumTaskBytes) / (work / all + 1), 1,
                              (all + kMostGroups - 1) / kMostGroups);
  const std::size_t tasks = (all + in_task - 1) / in_task;
  std::vector<std::uint64_t> clamped(tasks, 0);
  executor.parallel_for_each_shard(
      tasks,
      [&](std::size_t t) {
        std::vector<const std::byte*> sources(parts);
        for (std::size_t i = t * in_task; i < std::min((t + 1) * in_task, all); ++i) {
          const auto [group, shard] = shards[i / in_shard];
          const std::int64_t offset = sums.offset(shard) * SumPieces::size_of(operand.storage);
          for (std::size_t p = 0; p < parts; ++p)
            sources[p] = operand.shards[group->parts[p]]->data() + offset;
          clamped[t] += pieces.run(static_cast<std::int64_t>(i % in_shard), sources,
                                   result.shards[shard]->data());
        }
        end_streaming();
      },
      work);
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

}  // namespace shard

#include "runtime/collective/reduce.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "runtime/element/number.h"
#include "runtime/platform/stream_copy.h"

namespace shard {
namespace {

// The most elements of a task, and the least bytes it reads: enough that handing it out costs little in comparison.
constexpr std::int64_t kSumTask = std::int64_t{1} << 16;
constexpr std::int64_t kSumTaskBytes = std::int64_t{1} << 19;
// What a task costs besides its bytes, in bytes; a rough figure, which only decides whether threads share the work.
constexpr std::size_t kCutWork = 256;
// Tasks that read less are grouped, but into no fewer groups than about this, for threads to balance the load.
constexpr std::size_t kMostGroups = 32;

// Segments of a variant, up to a limit of elements.
struct Cut {
  const Variant* variant;
  std::vector<Segment> segments;
};

// Of the segments, the elements from `begin` to `end`.
std::vector<Cut> cuts_of(const std::vector<Variant>& variants, std::int64_t elements,
                         std::int64_t begin, std::int64_t end) {
  std::vector<Cut> cuts;
  for (const Variant& variant : variants) {
    std::int64_t room = 0;
    for (Segment rest : variant.segments) {
      rest.begin = std::max(rest.begin, begin);
      rest.end = std::min(rest.end, end);
      while (rest.begin < rest.end) {
        if (room == 0) {
          cuts.push_back({&variant, {}});
          room = elements;
        }
        const std::int64_t count = std::min(room, rest.end - rest.begin);
        cuts.back().segments.push_back({rest.begin, rest.begin + count, rest.place});
        rest.begin += count;
        room -= count;
      }
    }
  }
  return cuts;
}

// By result shard: where its block begins in its device's block of the operand, in elements.
std::vector<std::int64_t> offsets_in(const DeviceArray& operand, const DeviceArray& result,
                                     const Mesh& mesh) {
  const Extents strides = row_major_strides(operand.local_shape);
  std::vector<std::int64_t> offsets(result.shards.size(), 0);
  for (std::size_t d = 0; d < strides.size(); ++d) {
    const auto own = indices_along(result.layout.dims[d], result, mesh);
    const auto whole = indices_along(operand.layout.dims[d], result, mesh);
    for (std::size_t s = 0; s < offsets.size(); ++s)
      offsets[s] +=
          (own[s] * result.local_shape[d] - whole[s] * operand.local_shape[d]) * strides[d];
  }
  return offsets;
}

struct Task {
  std::size_t shard;
  const Cut* cut;
};

}  // namespace

SumInOrder::SumInOrder(const DeviceArray& operand, const CollectiveStep& step,
                       const Machine& machine, ReducePlans& plans, DeviceArray& result)
    : operand_(operand), result_(result), elements_(element_count(result.local_shape)) {
  ReducePlan& plan = plans.plan(step.axes, machine);
  const Mesh& mesh = machine.mesh;
  number_of_places_ = plan.places();
  shards_ = plan.shards(operand, mesh);
  places_ = plan.places_of(result, mesh);
  beside_ = shards_beside(result, operand, mesh);
  offsets_ = offsets_in(operand, result, mesh);
  const bool scatters = step.kind == CollectiveKind::ReduceScatter;
  const std::int64_t block =
      scatters ? elements_ : (elements_ + number_of_places_ - 1) / number_of_places_;
  const Rational held = bytes_of(operand.dtype) * Rational(element_count(operand.local_shape));
  // An AllReduce sums all blocks on every device.
  for (const std::int64_t place : places_) {
    const std::int64_t first = scatters ? place : 0;
    variants_.try_emplace(place, &plan.variants(first, block, elements_, held));
  }
  find_groups();
  allocate_missing(result);
}

void SumInOrder::find_groups() {
  std::map<std::size_t, std::size_t> numbers;  // by the first place's shard
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const std::size_t first = first_beside(s);
    const auto [found, is_new] = numbers.try_emplace(first, groups_.size());
    group_of_.push_back(found->second);
    if (!is_new) continue;
    groups_.push_back(shards_);
    for (std::size_t& shard : groups_.back()) shard += first;
  }
}

std::int64_t SumInOrder::bytes_of_sum() const {
  return number_of_places_ * static_cast<std::int64_t>(element_size(operand_.storage));
}

std::vector<SumInOrder::Alike> SumInOrder::all_alike() const {
  std::vector<Alike> all;
  for (std::size_t s = 0; s < places_.size(); ++s) {
    for (const Variant& variant : *variants_.at(places_[s])) {
      for (const Segment& segment : variant.segments)
        all.push_back({s, group_of_[s], &variant, segment, offsets_[s]});
    }
  }
  return all;
}

std::uint64_t SumInOrder::add(const Executor& executor) {
  std::vector<const std::byte*> data;
  for (const auto& shard : operand_.shards) data.push_back(shard->data());
  std::vector<Part> parts;
  for (const std::int64_t offset : offsets_) parts.push_back({0, elements_, offset});
  return add_parts(data, Rows(result_.local_shape, operand_.local_shape), parts, &executor);
}

std::uint64_t SumInOrder::add_rows(std::size_t group, const std::vector<const std::byte*>& data,
                                   std::int64_t begin, std::int64_t end) const {
  const std::int64_t row = element_count(operand_.local_shape) / leading_extent(operand_);
  std::vector<Part> parts(offsets_.size(), Part{0, 0, 0});
  for (std::size_t s = 0; s < parts.size(); ++s) {
    if (group_of_[s] != group) continue;
    const std::int64_t offset = offsets_[s];
    parts[s] = {std::clamp(begin * row - offset, std::int64_t{0}, elements_),
                std::clamp(end * row - offset, std::int64_t{0}, elements_), offset - begin * row};
  }
  return add_parts(data, Rows(result_.local_shape, result_.local_shape), parts, nullptr);
}

std::uint64_t SumInOrder::add_sorted_rows(std::size_t group,
                                          const std::vector<const std::byte*>& data,
                                          std::int64_t begin, std::int64_t end) const {
  const auto d = scattered_dimension(operand_, result_);
  SHARD_CHECK(d.has_value());
  const std::int64_t row = elements_ / leading_extent(result_);
  const std::int64_t apart = result_.local_shape[*d] * row_major_strides(operand_.local_shape)[*d];
  std::vector<Part> parts(offsets_.size(), Part{0, 0, 0});
  for (std::size_t s = 0; s < parts.size(); ++s) {
    if (group_of_[s] != group) continue;
    parts[s] = {begin * row, end * row, (offsets_[s] / apart * (end - begin) - begin) * row};
  }
  return add_parts(data, Rows(result_.local_shape, result_.local_shape), parts, nullptr);
}

std::uint64_t SumInOrder::add_parts(const std::vector<const std::byte*>& data, const Rows& rows,
                                    const std::vector<Part>& parts,
                                    const Executor* executor) const {
  const std::int64_t in_task =
      std::clamp(kSumTaskBytes / bytes_of_sum(), std::int64_t{1}, kSumTask);
  std::map<std::array<std::int64_t, 3>, std::vector<Cut>> cuts;  // by variants and part
  std::vector<Task> tasks;
  std::int64_t summed = 0;
  for (std::size_t s = 0; s < parts.size(); ++s) {
    const auto [place, begin, end] = std::array{places_[s], parts[s].begin, parts[s].end};
    if (begin == end) continue;
    const auto [found, is_new] = cuts.try_emplace({place, begin, end});
    if (is_new) found->second = cuts_of(*variants_.at(place), in_task, begin, end);
    for (const Cut& cut : found->second) tasks.push_back({s, &cut});
    summed += end - begin;
  }
  if (tasks.empty()) return 0;
  const bool streamed = shard_bytes(result_) * result_.shards.size() >= kStreamedBytes;
  const auto work = static_cast<std::size_t>(summed * bytes_of_sum()) + tasks.size() * kCutWork;
  // Small blocks are grouped, to share the buffers of a BlockSum.
  const std::size_t group =
      executor == nullptr ? tasks.size()
                          : std::clamp<std::size_t>(
                                static_cast<std::size_t>(kSumTaskBytes) / (work / tasks.size() + 1),
                                1, (tasks.size() + kMostGroups - 1) / kMostGroups);
  std::vector<std::uint64_t> clamped(tasks.size(), 0);
  const auto add_group = [&](std::size_t g) {
    with_sum_type(operand_.storage, [&](auto zero) {
      BlockSum<decltype(zero)> sum(operand_.layout.combination, rows, result_.storage, streamed);
      for (std::size_t t = g * group; t < std::min((g + 1) * group, tasks.size()); ++t) {
        const auto [s, cut] = tasks[t];
        const Sources sources{data.data() + first_beside(s), shards_, parts[s].offset};
        clamped[t] = sum.run(sources, result_.shards[s]->data(), *cut->variant, cut->segments);
      }
    });
  };
  const std::size_t groups = (tasks.size() + group - 1) / group;
  if (executor != nullptr) {
    executor->parallel_for_each_shard(groups, add_group, work);
  } else {
    for (std::size_t g = 0; g < groups; ++g) add_group(g);
  }
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

std::optional<std::size_t> scattered_dimension(const DeviceArray& operand,
                                               const DeviceArray& result) {
  const auto differs = std::mismatch(result.local_shape.begin(), result.local_shape.end(),
                                     operand.local_shape.begin());
  if (differs.first == result.local_shape.end()) return std::nullopt;
  return static_cast<std::size_t>(differs.first - result.local_shape.begin());
}

std::size_t leading_dimension(const DeviceArray& array) {
  std::size_t d = 0;
  while (d + 1 < array.local_shape.size() && array.local_shape[d] == 1) ++d;
  return d;
}

std::uint64_t reduce_in_order(const DeviceArray& operand, const CollectiveStep& step,
                              const Machine& machine, const Executor& executor, ReducePlans& plans,
                              DeviceArray& result) {
  return SumInOrder(operand, step, machine, plans, result).add(executor);
}

}  // namespace shard

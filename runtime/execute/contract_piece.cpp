#include "runtime/execute/contract_piece.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "base/contains.h"
#include "runtime/array/block_sum.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

// Where the parts of the label are in an array.
class Parts {
 public:
  Parts(const Piece& piece, const Mesh& mesh)
      : piece_(piece), mesh_(mesh), count_(length_of(piece.axes, mesh)) {}

  // The dimension to take a part from; nullopt if the array lacks the label, or holds just one part.
  std::optional<std::size_t> cut(const DeviceArray& array, const std::vector<int>& labels) const {
    const auto place = std::find(labels.begin(), labels.end(), piece_.along);
    if (place == labels.end()) return std::nullopt;
    const auto d = static_cast<std::size_t>(place - labels.begin());
    if (contains_all(array.layout.dims[d], piece_.axes)) return std::nullopt;
    return d;
  }

  // The outline of what all devices take from an array: one part, a different one at each place.
  DeviceArray outline_of_part(const DeviceArray& whole, std::optional<std::size_t> d) const {
    DeviceArray part = whole;
    if (d) part.local_shape[*d] /= count_;
    for (const AxisId axis : piece_.axes) {
      if (!contains(part.shard_axes, axis)) part.shard_axes.push_back(axis);
    }
    std::sort(part.shard_axes.begin(), part.shard_axes.end());
    part.shards.assign(static_cast<std::size_t>(length_of(part.shard_axes, mesh_)), nullptr);
    return part;
  }

  // Where a device's part begins in its block of the whole, in elements.
  std::int64_t offset(const DeviceArray& whole, std::size_t d,
                      const std::vector<std::int64_t>& device) const {
    const std::int64_t part = (index_along(piece_.axes, device, mesh_) + piece_.turn) % count_;
    return part * (whole.local_shape[d] / count_) * row_major_strides(whole.local_shape)[d];
  }

  const Mesh& mesh() const { return mesh_; }

 private:
  const Piece& piece_;
  const Mesh& mesh_;
  std::int64_t count_;
};

double bytes_of(const DeviceArray& array) {
  return static_cast<double>(shard_bytes(array)) * static_cast<double>(array.shards.size());
}

DeviceArray part_of(const DeviceArray& whole, std::size_t d, const Parts& parts,
                    const Executor& executor) {
  DeviceArray part = parts.outline_of_part(whole, d);
  allocate_missing(part);
  const auto bytes = static_cast<std::int64_t>(element_size(whole.storage));
  executor.parallel_for_each_shard(part.shards.size(), [&](std::size_t s) {
    const auto device = holder_of(part, s, parts.mesh());
    const std::byte* from = whole.shards[shard_of(whole, device, parts.mesh())]->data() +
                            parts.offset(whole, d, device) * bytes;
    copy_block(part.local_shape, {from, whole.storage, row_major_strides(whole.local_shape)},
               {part.shards[s]->data(), part.storage, row_major_strides(part.local_shape)});
  });
  return part;
}

// Copies the part that each device has made to its position in the device's block.
void put(const DeviceArray& made, std::size_t d, const Parts& parts, const Executor& executor,
         DeviceArray* onto, DeviceArray& result) {
  if (onto != nullptr) result.shards = std::move(onto->shards);
  if (onto != nullptr) onto->shards.assign(result.shards.size(), nullptr);
  allocate_missing(result);
  const auto bytes = static_cast<std::int64_t>(element_size(result.storage));
  executor.parallel_for_each_shard(result.shards.size(), [&](std::size_t s) {
    const auto device = holder_of(result, s, parts.mesh());
    copy_block(made.local_shape,
               {made.shards[shard_of(made, device, parts.mesh())]->data(), made.storage,
                row_major_strides(made.local_shape)},
               {result.shards[s]->data() + parts.offset(result, d, device) * bytes, result.storage,
                row_major_strides(result.local_shape)});
  });
}

std::uint64_t add(const DeviceArray& made, const DeviceArray& onto, const Executor& executor,
                  DeviceArray& result) {
  SHARD_CHECK(made.shard_axes == result.shard_axes && onto.shard_axes == result.shard_axes);
  SHARD_CHECK(made.storage == onto.storage);
  allocate_missing(result);
  const BlockSum sum({element_count(result.local_shape)}, made.storage, {1}, result.storage, {1});
  std::vector<std::uint64_t> clamped(result.shards.size(), 0);
  executor.parallel_for_each_shard(result.shards.size(), [&](std::size_t s) {
    clamped[s] =
        sum.run({onto.shards[s]->data(), made.shards[s]->data()}, result.shards[s]->data());
  });
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

}  // namespace

std::uint64_t contract_piece(const DeviceArray& left, const DeviceArray& right,
                             const ContractionLabels& labels, const Piece& piece, DeviceArray* onto,
                             const Mesh& mesh, const Executor& executor, Kernels& kernels,
                             DeviceArray& result) {
  const Parts parts(piece, mesh);
  const auto in_left = parts.cut(left, labels.left);
  const auto in_right = parts.cut(right, labels.right);
  const auto in_result = parts.cut(result, labels.result);
  std::optional<DeviceArray> left_part;
  std::optional<DeviceArray> right_part;
  if (in_left) left_part = part_of(left, *in_left, parts, executor);
  if (in_right) right_part = part_of(right, *in_right, parts, executor);
  const DeviceArray& first = left_part ? *left_part : left;
  const DeviceArray& second = right_part ? *right_part : right;
  const bool adds = onto != nullptr && !in_result;
  if (!in_result && !adds) return contract(first, second, labels, mesh, executor, kernels, result);
  DeviceArray made = parts.outline_of_part(result, in_result);
  if (adds) made.storage = onto->storage;
  const std::uint64_t clamped = contract(first, second, labels, mesh, executor, kernels, made);
  if (adds) return clamped + add(made, *onto, executor, result);
  put(made, *in_result, parts, executor, onto, result);
  return clamped;
}

std::int64_t times_made(const ContractStep& step, const DeviceArray& result, const Mesh& mesh) {
  if (!step.piece) return 1;
  const auto in_result = Parts(*step.piece, mesh).cut(result, step.result_labels);
  std::int64_t times = 1;
  for (const AxisId axis : step.piece->axes) {
    if (in_result && !contains(result.shard_axes, axis)) times *= length_of(axis, mesh);
  }
  return times;
}

double bytes_beside(const ContractStep& step, const DeviceArray& left, const DeviceArray& right,
                    const DeviceArray* onto, const Mesh& mesh, Kernels& kernels,
                    const DeviceArray& result) {
  const ContractionLabels labels{step.left_labels, step.right_labels, step.result_labels};
  if (!step.piece) return bytes_packed(left, right, labels, result, kernels);
  const Parts parts(*step.piece, mesh);
  const auto in_left = parts.cut(left, labels.left);
  const auto in_right = parts.cut(right, labels.right);
  const auto in_result = parts.cut(result, labels.result);
  const DeviceArray first = in_left ? parts.outline_of_part(left, in_left) : left;
  const DeviceArray second = in_right ? parts.outline_of_part(right, in_right) : right;
  const bool adds = onto != nullptr && !in_result;
  DeviceArray made = parts.outline_of_part(result, in_result);
  if (adds) made.storage = onto->storage;
  double bytes = bytes_packed(first, second, labels, made, kernels);
  if (in_left) bytes += bytes_of(first);
  if (in_right) bytes += bytes_of(second);
  if (in_result || adds) bytes += bytes_of(made);
  return bytes;
}

}  // namespace shard

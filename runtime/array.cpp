#include "runtime/array.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>

#include "base/check.h"
#include "runtime/block.h"
#include "runtime/number.h"

namespace shard {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// A fresh large buffer costs a fault per page, so it takes huge pages where the system has them.
std::byte* allocate(std::size_t bytes) {
  const std::size_t unit = bytes >= 2 * kHugePage ? kHugePage : kCacheLine;
  const std::size_t rounded = round_up(std::max(bytes, kCacheLine), unit);
  void* data = rounded < bytes ? nullptr : std::aligned_alloc(unit, rounded);
  if (data == nullptr) throw std::bad_alloc();
  if (unit == kHugePage) madvise(data, rounded, MADV_HUGEPAGE);
  return static_cast<std::byte*>(data);
}

}  // namespace

Buffer::Buffer(std::size_t bytes) : data_(allocate(bytes)), size_(bytes) {}
void Buffer::Release::operator()(std::byte* data) const { std::free(data); }

DeviceArray outline(std::vector<std::int64_t> shape, DType dtype, DType storage,
                    const Layout& layout, const Mesh& mesh) {
  DeviceArray array;
  array.dtype = dtype;
  array.storage = storage;
  array.layout = without_trivial_axes(layout, mesh);
  array.shard_axes = axes_used(array.layout);
  SHARD_CHECK(shape.size() == layout.rank());
  SHARD_CHECK(!reused_axis(array.layout));
  array.shape = std::move(shape);
  array.local_shape = array.shape;
  for (std::size_t d = 0; d < array.shape.size(); ++d) {
    const std::int64_t parts = length_of(array.layout.dims[d], mesh);
    SHARD_CHECK(array.shape[d] % parts == 0);
    array.local_shape[d] /= parts;
  }
  array.shards.resize(static_cast<std::size_t>(length_of(array.shard_axes, mesh)));
  return array;
}

void allocate_missing(DeviceArray& array) {
  const std::size_t bytes = shard_bytes(array);
  for (auto& shard : array.shards) {
    if (shard == nullptr) shard = std::make_shared<Buffer>(bytes);
  }
}

std::size_t shard_bytes(const DeviceArray& array) {
  return static_cast<std::size_t>(element_count(array.local_shape)) * element_size(array.storage);
}

std::int64_t length_of(AxisId axis, const Mesh& mesh) {
  const auto length = mesh.axes[axis].length();
  SHARD_CHECK(length.has_value());
  return *length;
}

std::int64_t length_of(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::int64_t product = 1;
  for (AxisId axis : axes) product *= length_of(axis, mesh);
  return product;
}

std::int64_t index_along(const std::vector<AxisId>& axes,
                         const std::vector<std::int64_t>& coordinates, const Mesh& mesh) {
  std::int64_t index = 0;
  for (AxisId axis : axes)
    index = index * length_of(axis, mesh) + coordinates[static_cast<std::size_t>(axis.value)];
  return index;
}

void place_along(const std::vector<AxisId>& axes, std::int64_t index,
                 std::vector<std::int64_t>& coordinates, const Mesh& mesh) {
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    const std::int64_t length = length_of(*axis, mesh);
    coordinates[static_cast<std::size_t>(axis->value)] = index % length;
    index /= length;
  }
}

std::vector<std::int64_t> holder_of(const DeviceArray& array, std::size_t shard, const Mesh& mesh) {
  std::vector<std::int64_t> coordinates(mesh.axes.size(), 0);
  for (const Placement& place : array.layout.placed)
    coordinates[static_cast<std::size_t>(place.axis.value)] = place.coordinate;
  place_along(array.shard_axes, static_cast<std::int64_t>(shard), coordinates, mesh);
  return coordinates;
}

std::vector<std::int64_t> block_origin(const DeviceArray& array,
                                       const std::vector<std::int64_t>& device_coordinates,
                                       const Mesh& mesh) {
  std::vector<std::int64_t> origin(array.local_shape.size());
  for (std::size_t d = 0; d < origin.size(); ++d) {
    origin[d] = index_along(array.layout.dims[d], device_coordinates, mesh) * array.local_shape[d];
  }
  return origin;
}

std::size_t shard_of(const DeviceArray& array, const std::vector<std::int64_t>& device_coordinates,
                     const Mesh& mesh) {
  return static_cast<std::size_t>(index_along(array.shard_axes, device_coordinates, mesh));
}

GlobalArray assemble(const DeviceArray& array, const Mesh& mesh) {
  GlobalArray global{array.shape, {}};
  const Combination combination =
      array.layout.unreduced.empty() ? Combination::Sum : array.layout.combination;
  double start = 0;
  if (combination == Combination::Max) start = -std::numeric_limits<double>::infinity();
  if (combination == Combination::Min) start = std::numeric_limits<double>::infinity();
  global.values.assign(static_cast<std::size_t>(element_count(array.shape)), start);
  const Extents strides = row_major_strides(array.shape);
  const auto count = static_cast<std::size_t>(element_count(array.local_shape));
  for (std::size_t s = 0; s < array.shards.size(); ++s) {
    const auto origin = block_origin(array, holder_of(array, s, mesh), mesh);
    for (std::size_t i = 0; i < count; ++i) {
      std::int64_t rest = static_cast<std::int64_t>(i);
      std::int64_t position = 0;
      for (std::size_t d = origin.size(); d-- > 0;) {
        position += (origin[d] + rest % array.local_shape[d]) * strides[d];
        rest /= array.local_shape[d];
      }
      // Blocks of partial sums have the same origin, all others meet a zero.
      double& value = global.values[static_cast<std::size_t>(position)];
      value = combined(combination, value, read_element(array.shards[s]->data(), array.storage, i));
    }
  }
  return global;
}

}  // namespace shard

#include "runtime/array/device_array.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/contains.h"
#include "runtime/array/block_copy.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

// The axes whose coordinates distinguish shards.
std::vector<AxisId> telling_apart(const Layout& layout, const Mesh& mesh, Sharing sharing) {
  if (sharing == Sharing::Replicas) return axes_used(layout);
  std::vector<AxisId> axes;
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
    const AxisId axis{static_cast<std::int32_t>(a)};
    const bool placed = std::any_of(layout.placed.begin(), layout.placed.end(),
                                    [&](const Placement& place) { return place.axis == axis; });
    if (!placed && length_of(axis, mesh) > 1) axes.push_back(axis);
  }
  return axes;
}

// Whether this is the first of the shards with the same content.
bool is_first_replica(const DeviceArray& array, const std::vector<AxisId>& used,
                      const std::vector<std::int64_t>& holder) {
  return std::all_of(array.shard_axes.begin(), array.shard_axes.end(), [&](AxisId axis) {
    return holder[static_cast<std::size_t>(axis.value)] == 0 || contains(used, axis);
  });
}

}  // namespace

DeviceArray outline(std::vector<std::int64_t> shape, DType dtype, DType storage,
                    const Layout& layout, const Mesh& mesh, Sharing sharing) {
  DeviceArray array;
  array.dtype = dtype;
  array.storage = storage;
  array.layout = without_trivial_axes(layout, mesh);
  array.shard_axes = telling_apart(array.layout, mesh, sharing);
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
  const auto missing =
      static_cast<std::size_t>(std::count(array.shards.begin(), array.shards.end(), nullptr));
  auto buffers = take_buffers(missing, shard_bytes(array), array.pool);
  auto next = buffers.begin();
  for (auto& shard : array.shards) {
    if (shard == nullptr) shard = std::move(*next++);
  }
}

std::size_t shard_bytes(const DeviceArray& array) {
  return static_cast<std::size_t>(element_count(array.local_shape)) * element_size(array.storage);
}

std::int64_t replicas(const DeviceArray& array, const Mesh& mesh) {
  return length_of(array.shard_axes, mesh) / length_of(axes_used(array.layout), mesh);
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

Overlap overlap(const DeviceArray& source, const std::vector<std::int64_t>& source_device,
                const DeviceArray& target, const std::vector<std::int64_t>& target_device,
                const Mesh& mesh) {
  const Extents source_origin = block_origin(source, source_device, mesh);
  const Extents target_origin = block_origin(target, target_device, mesh);
  const Extents source_strides = row_major_strides(source.local_shape);
  const Extents target_strides = row_major_strides(target.local_shape);
  Overlap common;
  for (std::size_t d = 0; d < source_origin.size(); ++d) {
    const std::int64_t begin = std::max(source_origin[d], target_origin[d]);
    const std::int64_t end = std::min(source_origin[d] + source.local_shape[d],
                                      target_origin[d] + target.local_shape[d]);
    common.extents.push_back(std::max<std::int64_t>(end - begin, 0));
    common.source_offset += (begin - source_origin[d]) * source_strides[d];
    common.target_offset += (begin - target_origin[d]) * target_strides[d];
  }
  return common;
}

std::size_t shard_of(const DeviceArray& array, const std::vector<std::int64_t>& device_coordinates,
                     const Mesh& mesh) {
  return static_cast<std::size_t>(index_along(array.shard_axes, device_coordinates, mesh));
}

bool fixes_coordinate(const DeviceArray& array, AxisId axis) {
  const auto& placed = array.layout.placed;
  return contains(array.shard_axes, axis) ||
         std::any_of(placed.begin(), placed.end(),
                     [&](const Placement& place) { return place.axis == axis; });
}

bool finds_shards_of(const DeviceArray& operand, const DeviceArray& array) {
  return std::all_of(operand.shard_axes.begin(), operand.shard_axes.end(),
                     [&](AxisId axis) { return fixes_coordinate(array, axis); });
}

std::vector<std::int64_t> indices_along(const std::vector<AxisId>& axes, const DeviceArray& array,
                                        const Mesh& mesh) {
  if (array.shards.empty()) return {};
  std::vector<std::int64_t> indices = {index_along(axes, holder_of(array, 0, mesh), mesh)};
  // An axis adds the same to the index wherever the other axes are.
  std::vector<std::int64_t> device(mesh.axes.size(), 0);
  for (const AxisId axis : array.shard_axes) {
    auto& coordinate = device[static_cast<std::size_t>(axis.value)];
    coordinate = 1;
    const std::int64_t stride = index_along(axes, device, mesh);
    coordinate = 0;
    const std::int64_t length = length_of(axis, mesh);
    std::vector<std::int64_t> longer;
    longer.reserve(indices.size() * static_cast<std::size_t>(length));
    for (const std::int64_t index : indices) {
      for (std::int64_t c = 0; c < length; ++c) longer.push_back(index + c * stride);
    }
    indices = std::move(longer);
  }
  return indices;
}

std::vector<std::int64_t> shards_beside(const DeviceArray& by, const DeviceArray& of,
                                        const Mesh& mesh) {
  return indices_along(of.shard_axes, by, mesh);
}

std::size_t shard_stride(const DeviceArray& array, AxisId axis, const Mesh& mesh) {
  std::int64_t stride = 1;
  for (auto other = array.shard_axes.rbegin(); other != array.shard_axes.rend(); ++other) {
    if (*other == axis) return static_cast<std::size_t>(stride);
    stride *= length_of(*other, mesh);
  }
  return 0;
}

std::vector<std::size_t> shard_parts_along(const std::vector<AxisId>& axes,
                                           const DeviceArray& array, const Mesh& mesh) {
  std::vector<std::size_t> parts = {0};
  for (const AxisId axis : axes) {
    const std::size_t stride = shard_stride(array, axis, mesh);
    const std::int64_t length = length_of(axis, mesh);
    std::vector<std::size_t> longer;
    for (const std::size_t part : parts) {
      for (std::int64_t c = 0; c < length; ++c)
        longer.push_back(part + static_cast<std::size_t>(c) * stride);
    }
    parts = std::move(longer);
  }
  return parts;
}

namespace {

// Calls `visit` for each row of a block, with the offset of its first element in the block and in the whole array.
template <class Visit>
void for_each_row(const DeviceArray& array, const std::vector<std::int64_t>& holder,
                  const Mesh& mesh, const Visit& visit) {
  const Extents strides = row_major_strides(array.shape);
  const auto origin = block_origin(array, holder, mesh);
  // Rows are contiguous in both.
  const std::int64_t row = array.local_shape.empty() ? 1 : array.local_shape.back();
  const std::int64_t rows = row == 0 ? 0 : element_count(array.local_shape) / row;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t rest = r;
    std::int64_t position = origin.empty() ? 0 : origin.back();
    for (std::size_t d = origin.size(); d-- > 1;) {
      const std::int64_t extent = array.local_shape[d - 1];
      position += (origin[d - 1] + rest % extent) * strides[d - 1];
      rest /= extent;
    }
    visit(r * row, position, row);
  }
}

// Builds the whole array from its blocks: `put(to, element)` for each of their elements.
template <class Put>
void assemble_with(const DeviceArray& array, const Mesh& mesh, const Loop& loop, const Put& put,
                   Numbers& values) {
  const std::vector<AxisId> used = axes_used(array.layout);
  const auto take = [&](std::size_t s) {
    const auto holder = holder_of(array, s, mesh);
    if (!is_first_replica(array, used, holder)) return;
    with_element_type(array.storage, [&](auto element) {
      const auto* block = reinterpret_cast<const decltype(element)*>(array.shards[s]->data());
      std::uint64_t clamped = 0;
      const auto put_row = [&](std::int64_t from, std::int64_t to, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
          put(values[static_cast<std::size_t>(to + i)], convert<double>(block[from + i], clamped));
      };
      for_each_row(array, holder, mesh, put_row);
    });
  };
  if (loop) return loop(array.shards.size(), take);
  for (std::size_t s = 0; s < array.shards.size(); ++s) take(s);
}

}  // namespace

GlobalArray assemble(const DeviceArray& array, const Mesh& mesh, const Loop& loop) {
  const auto count = static_cast<std::size_t>(element_count(array.shape));
  GlobalArray global{array.shape, {}};
  if (array.layout.unreduced.empty()) {
    global.values.resize(count);
    assemble_with(
        array, mesh, loop, [](double& to, double element) { to = element; }, global.values);
    return global;
  }
  // Blocks of partial sums overlap, so they are added one after the other.
  const Combination combination = array.layout.combination;
  double start = -0.0;  // preserves the sign of every addend
  if (combination == Combination::Max) start = -std::numeric_limits<double>::infinity();
  if (combination == Combination::Min) start = std::numeric_limits<double>::infinity();
  global.values.assign(count, start);
  const auto add = [combination](double& to, double element) {
    to = combined(combination, to, element);
  };
  assemble_with(array, mesh, {}, add, global.values);
  return global;
}

Numbers assemble_sizes(const DeviceArray& array, const Mesh& mesh) {
  Numbers sizes(static_cast<std::size_t>(element_count(array.shape)), 0.0);
  assemble_with(
      array, mesh, {}, [](double& to, double element) { to += std::abs(element); }, sizes);
  return sizes;
}

}  // namespace shard

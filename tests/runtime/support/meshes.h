// Meshes, layouts and arrays for the tests of the runtime.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/array/block_copy.h"
#include "runtime/array/device_array.h"
#include "runtime/element/number.h"

namespace shard {

// Axes X, Y, Z, W of these sizes.
inline Mesh mesh_of(const std::vector<std::int64_t>& sizes) {
  Mesh mesh;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    MeshAxis axis;
    axis.name = std::string(1, "XYZW"[a]);
    axis.size = Amount(sizes[a]);
    mesh.axes.add(axis);
  }
  return mesh;
}

inline constexpr AxisId kX{0};
inline constexpr AxisId kY{1};
inline constexpr AxisId kZ{2};

// An array whose elements are small integers, a function of shard and position, different in every
// shard.
inline DeviceArray numbered_array(std::vector<std::int64_t> shape, DType dtype,
                                  const Layout& layout, const Mesh& mesh) {
  const bool partial = !without_trivial_axes(layout, mesh).unreduced.empty();
  DeviceArray array =
      outline(std::move(shape), dtype, partial ? accumulation_type(dtype) : dtype, layout, mesh);
  allocate_missing(array);
  const auto count = static_cast<std::size_t>(element_count(array.local_shape));
  for (std::size_t s = 0; s < array.shards.size(); ++s) {
    for (std::size_t i = 0; i < count; ++i) {
      const double value = static_cast<double>((s * 31 + i * 7) % 101) - 50.0;
      write_element(array.shards[s]->data(), array.storage, i, value);
    }
  }
  return array;
}

// A device's block.
inline std::vector<double> block_of(const DeviceArray& array,
                                    const std::vector<std::int64_t>& device, const Mesh& mesh) {
  const Buffer& buffer = *array.shards[shard_of(array, device, mesh)];
  std::vector<double> values;
  const auto count = static_cast<std::size_t>(element_count(array.local_shape));
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(read_element(buffer.data(), array.storage, i));
  return values;
}

}  // namespace shard

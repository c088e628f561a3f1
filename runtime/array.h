// Arrays on emulated devices. Devices that hold the same content share one buffer; buffers that are
// part of an array are not written any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/dtype.h"
#include "runtime/layout.h"
#include "runtime/mesh.h"

namespace shard {

// Raw bytes of a device's block, row-major, aligned to 64 bytes. Contents are not initialised.
class Buffer {
 public:
  // Throws std::bad_alloc.
  explicit Buffer(std::size_t bytes);
  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Release {
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte, Release> data_;
  std::size_t size_;
};

// A copy on all devices. `storage` is the dtype of the buffers: an unreduced array keeps its
// partial sums in the accumulation type. Shards are numbered by their coordinates on the axes that
// the layout uses; a device finds its shard by its own coordinates, so replicas share.
struct DeviceArray {
  std::vector<std::int64_t> shape;  // global
  std::vector<std::int64_t> local_shape;
  DType dtype = DType::Bf16;
  DType storage = DType::Bf16;
  Layout layout;  // without axes of size 1
  std::vector<AxisId>
      shard_axes;  // axes_used(layout), sorted; the first is the major one in shard numbers
  std::vector<std::shared_ptr<Buffer>> shards;
};

// Everything of an array but its buffers. Axes of size 1 are taken out of `layout`. REQUIRES: axis
// sizes are numbers, dimensions divide, no axis is used twice.
DeviceArray outline(std::vector<std::int64_t> shape, DType dtype, DType storage,
                    const Layout& layout, const Mesh& mesh);
// Gives a buffer to every shard that has none. Throws std::bad_alloc.
void allocate_missing(DeviceArray& array);
// Bytes of one shard.
std::size_t shard_bytes(const DeviceArray& array);

// The size of an axis. REQUIRES: it is a number.
std::int64_t length_of(AxisId axis, const Mesh& mesh);
// Product of the sizes of axes.
std::int64_t length_of(const std::vector<AxisId>& axes, const Mesh& mesh);
// The number that coordinates on `axes` form, the first axis being the major digit; and back, into
// `coordinates`.
std::int64_t index_along(const std::vector<AxisId>& axes,
                         const std::vector<std::int64_t>& coordinates, const Mesh& mesh);
void place_along(const std::vector<AxisId>& axes, std::int64_t index,
                 std::vector<std::int64_t>& coordinates, const Mesh& mesh);

// The first device that holds a shard: its coordinate is 0 on every axis that the layout does not
// use, and the layout's where it is placed.
std::vector<std::int64_t> holder_of(const DeviceArray& array, std::size_t shard, const Mesh& mesh);
// The global index at which the block of the device at these coordinates begins.
std::vector<std::int64_t> block_origin(const DeviceArray& array,
                                       const std::vector<std::int64_t>& device_coordinates,
                                       const Mesh& mesh);

// The shard a device holds, from its coordinates.
std::size_t shard_of(const DeviceArray& array, const std::vector<std::int64_t>& device_coordinates,
                     const Mesh& mesh);

// The whole array in fp64, put together from the devices' blocks; partial sums are added.
// Row-major.
struct GlobalArray {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};
GlobalArray assemble(const DeviceArray& array, const Mesh& mesh);

}  // namespace shard

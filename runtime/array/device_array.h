// Arrays on emulated devices. Devices with the same content share one buffer; once a buffer is part of an array, it is
// no longer written.
//
// In this folder:
//   device_array.h  arrays on devices; equal shards are stored once
//   block_copy.h    moving and converting strided blocks: every movement of data goes through it
//   block_sum.h     adding them
//   block_loops.h   how both go through memory
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/unset_vector.h"
#include "runtime/element/dtype.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/layout.h"
#include "runtime/plan/run_values.h"
#include "runtime/platform/buffer.h"

namespace shard {

// Which devices get a block of their own: only those whose blocks differ, shared by replicas, or every device that
// holds the array.
enum class Sharing { Replicas, None };

// A copy on all devices. `storage` is the dtype of the buffers: an unreduced array keeps its partial sums in the
// accumulation type. Shards are numbered by their coordinates on `shard_axes`; a device finds its shard by its own
// coordinates.
struct DeviceArray {
  std::vector<std::int64_t> shape;  // global
  std::vector<std::int64_t> local_shape;
  DType dtype = DType::Bf16;
  DType storage = DType::Bf16;
  Layout layout;  // without axes of size 1
  // Sorted; in shard numbers the first is major. With Sharing::Replicas axes_used(layout), else all axes longer than 1
  // other than those on which the layout is placed.
  std::vector<AxisId> shard_axes;
  std::vector<std::shared_ptr<Buffer>> shards;
  // The source of new shards; null: each allocates its own memory.
  std::shared_ptr<BufferPool> pool;
};

// An array without its buffers. Axes of size 1 are removed from `layout`. REQUIRES: axis sizes are numbers, dimensions
// divide, no axis is used twice.
DeviceArray outline(std::vector<std::int64_t> shape, DType dtype, DType storage,
                    const Layout& layout, const Mesh& mesh, Sharing sharing = Sharing::Replicas);
// Gives a buffer to every shard that has none. Throws std::bad_alloc.
void allocate_missing(DeviceArray& array);
// Bytes of one shard.
std::size_t shard_bytes(const DeviceArray& array);
// How many shards have the same content as any given one: 1 if blocks are distinct.
std::int64_t replicas(const DeviceArray& array, const Mesh& mesh);

// The size of an axis. REQUIRES: it is a number.
std::int64_t length_of(AxisId axis, const Mesh& mesh);
// The product of the axes' sizes.
std::int64_t length_of(const std::vector<AxisId>& axes, const Mesh& mesh);
// The number that coordinates form on `axes`, the first axis being the major digit; and the inverse, into
// `coordinates`.
std::int64_t index_along(const std::vector<AxisId>& axes,
                         const std::vector<std::int64_t>& coordinates, const Mesh& mesh);
void place_along(const std::vector<AxisId>& axes, std::int64_t index,
                 std::vector<std::int64_t>& coordinates, const Mesh& mesh);

// The first device that holds a shard: its coordinate is 0 on every axis that the layout does not use, and the
// placement's where the layout is placed.
std::vector<std::int64_t> holder_of(const DeviceArray& array, std::size_t shard, const Mesh& mesh);
// The global index at which the block of the device at these coordinates begins.
std::vector<std::int64_t> block_origin(const DeviceArray& array,
                                       const std::vector<std::int64_t>& device_coordinates,
                                       const Mesh& mesh);

// The part of the array common to the blocks of two devices, and its offset in each, in elements.
struct Overlap {
  std::vector<std::int64_t> extents;
  std::int64_t source_offset = 0;
  std::int64_t target_offset = 0;
};
Overlap overlap(const DeviceArray& source, const std::vector<std::int64_t>& source_device,
                const DeviceArray& target, const std::vector<std::int64_t>& target_device,
                const Mesh& mesh);

// The shard that a device holds, given its coordinates.
std::size_t shard_of(const DeviceArray& array, const std::vector<std::int64_t>& device_coordinates,
                     const Mesh& mesh);

// Whether all devices holding a shard have the same coordinate on the axis.
bool fixes_coordinate(const DeviceArray& array, AxisId axis);
// Whether a device that holds a shard of `array` always holds one of `operand`.
bool finds_shards_of(const DeviceArray& operand, const DeviceArray& array);

// By shard: the number that the coordinates of its first holder form on `axes`, see `index_along`.
std::vector<std::int64_t> indices_along(const std::vector<AxisId>& axes, const DeviceArray& array,
                                        const Mesh& mesh);
// By shard of `by`: the shard of `of` that its first holder has.
std::vector<std::int64_t> shards_beside(const DeviceArray& by, const DeviceArray& of,
                                        const Mesh& mesh);

// The distance in shard numbers between two shards that differ by 1 on the axis; 0 if the array does not use it.
std::size_t shard_stride(const DeviceArray& array, AxisId axis, const Mesh& mesh);
// By index along `axes`: what those coordinates contribute to the number of a shard of `array`.
std::vector<std::size_t> shard_parts_along(const std::vector<AxisId>& axes,
                                           const DeviceArray& array, const Mesh& mesh);

// Calls a body with 0 … count − 1, in any order, possibly on several threads.
using Loop = std::function<void(std::size_t count, const std::function<void(std::size_t)>& body)>;
// The whole array, assembled from the devices' blocks; partial sums are added up. Without a loop, on one thread.
GlobalArray assemble(const DeviceArray& array, const Mesh& mesh, const Loop& loop = {});
// For partial sums: for each element the sum of its parts' magnitudes, to which the rounding of their sum is relative.
Numbers assemble_sizes(const DeviceArray& array, const Mesh& mesh);

}  // namespace shard

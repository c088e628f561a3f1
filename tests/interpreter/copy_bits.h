// What a run leaves on the devices, bit by bit.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "interpreter/program.h"
#include "runtime/runtime.h"

namespace shard::testing {

// The blocks of every copy, those that replicas hold again left out; nothing if the run fails.
inline std::map<CopyId, std::vector<std::byte>> bits_of(const Program& program,
                                                        RunOptions options) {
  std::map<CopyId, std::vector<std::byte>> bits;
  const Mesh& mesh = program.machine.mesh;
  options.inputs = InputValues::Normal;  // whose sums depend on their order
  options.observe = [&](CopyId copy, const DeviceArray& array) {
    const DeviceArray distinct =
        outline(array.shape, array.dtype, array.storage, array.layout, mesh);
    // A copy that is made in parts is whole with the last: what it holds before was never written.
    std::vector<std::byte>& held = bits[copy];
    held.clear();
    for (std::size_t s = 0; s < distinct.shards.size(); ++s) {
      const Buffer& block = *array.shards[shard_of(array, holder_of(distinct, s, mesh), mesh)];
      held.insert(held.end(), block.data(), block.data() + shard_bytes(array));
    }
  };
  if (run(program.machine, finished_plan(program, {}), options).fault) bits.clear();
  return bits;
}

}  // namespace shard::testing

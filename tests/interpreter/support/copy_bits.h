// What a run leaves on the devices, bit by bit.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "interpreter/program/program.h"
#include "runtime/execute/emulator.h"

namespace shard::testing {

// Copies of a product that hold some of its parts: the others were never written.
inline std::set<CopyId> unfinished_products(const Program& program) {
  std::set<CopyId> unfinished;
  for (const Step& step : program.plan.steps) {
    const auto* product = std::get_if<ContractStep>(&step.action);
    if (product != nullptr && product->piece && product->piece->onto.valid())
      unfinished.insert(product->piece->onto);
  }
  return unfinished;
}

// The blocks of every copy, those that replicas hold again and those of unfinished products left out; nothing if the run
// fails.
inline std::map<CopyId, std::vector<std::byte>> bits_of(const Program& program,
                                                        RunOptions options) {
  std::map<CopyId, std::vector<std::byte>> bits;
  const Mesh& mesh = program.machine.mesh;
  const std::set<CopyId> unfinished = unfinished_products(program);
  options.inputs = InputValues::Normal;  // whose sums depend on their order
  options.observe = [&](CopyId copy, const DeviceArray& array) {
    if (unfinished.contains(copy)) return;
    const DeviceArray distinct =
        outline(array.shape, array.dtype, array.storage, array.layout, mesh);
    // Seen again, it is as it is then.
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

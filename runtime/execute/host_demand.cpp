#include "runtime/execute/host_demand.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <variant>
#include <vector>

#include "runtime/collective/collective_by_hops.h"
#include "runtime/execute/contract.h"
#include "runtime/execute/contract_piece.h"
#include "runtime/execute/outlines.h"
#include "runtime/execute/run_selection.h"

namespace shard {
namespace {

// Multiplications and additions of a contraction over all distinct shards.
double contraction_flops(const ContractStep& step, const std::vector<DeviceArray>& arrays) {
  // If one copy holds the whole of a dimension and another only a part, the part counts.
  std::map<int, std::int64_t> lengths;
  const auto add = [&](const DeviceArray& array, const std::vector<int>& labels) {
    for (std::size_t d = 0; d < labels.size(); ++d) {
      const auto [known, is_new] = lengths.emplace(labels[d], array.local_shape[d]);
      if (!is_new) known->second = std::min(known->second, array.local_shape[d]);
    }
  };
  const DeviceArray& result = arrays[position(step.result)];
  add(arrays[position(step.left)], step.left_labels);
  add(arrays[position(step.right)], step.right_labels);
  add(result, step.result_labels);
  double flops = 2.0 * static_cast<double>(result.shards.size());
  for (const auto& [label, length] : lengths) flops *= static_cast<double>(length);
  return flops;
}

// Elements of all distinct shards.
double elements_of(CopyId copy, const std::vector<DeviceArray>& arrays) {
  const DeviceArray& array = arrays[position(copy)];
  double elements = static_cast<double>(array.shards.size());
  for (std::int64_t extent : array.local_shape) elements *= static_cast<double>(extent);
  return elements;
}

}  // namespace

HostDemand host_demand(const Machine& machine, const Plan& plan, const RunOptions& options) {
  const std::vector<DeviceArray> arrays = outlines(plan, machine.mesh, options.per_device);
  const auto bytes_of_copy = [&](CopyId copy) {
    const DeviceArray& array = arrays[position(copy)];
    return static_cast<double>(shard_bytes(array)) * static_cast<double>(array.shards.size());
  };
  HostDemand demand;
  Kernels kernels;
  double alive = 0;
  for (const Step& step : plan.steps) {
    if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      alive -= bytes_of_copy(free->copy);
      continue;
    }
    alive += bytes_of_copy(result_of(step));
    demand.blocks += static_cast<double>(arrays[position(result_of(step))].shards.size());
    demand.bytes = std::max(demand.bytes, alive);
    const auto* collective = std::get_if<CollectiveStep>(&step.action);
    if (options.hops && collective != nullptr && has_schedule(*collective, machine.mesh)) {
      const HopDemand own = demand_of_hops(arrays[position(collective->operand)], *collective,
                                           machine, arrays[position(collective->result)]);
      demand.bytes = std::max(demand.bytes, alive + own.bytes);
      demand.hops += own.hops;
    }
    if (const auto* contract = std::get_if<ContractStep>(&step.action)) {
      demand.flops += contraction_flops(*contract, arrays);
      const CopyId onto = contract->piece ? contract->piece->onto : CopyId();
      const double beside = bytes_beside(*contract, arrays[position(contract->left)],
                                         arrays[position(contract->right)],
                                         onto.valid() ? &arrays[position(onto)] : nullptr,
                                         machine.mesh, kernels, arrays[position(contract->result)]);
      demand.bytes = std::max(demand.bytes, alive + beside);
    } else if (const auto* elements = std::get_if<ElementwiseStep>(&step.action)) {
      demand.flops +=
          elements_of(elements->result, arrays) * static_cast<double>(elements->program.size());
    } else if (const auto* selection = std::get_if<SelectionStep>(&step.action)) {
      demand.flops += elements_of(selection->result, arrays);
      if (selection->kind == SelectionKind::Scatter)
        demand.flops += elements_of(selection->operands.front(), arrays);
      const double beside = bytes_beside(*selection, arrays[position(selection->result)]);
      demand.bytes = std::max(demand.bytes, alive + beside);
    } else if (const auto* reduction = std::get_if<ReductionStep>(&step.action)) {
      demand.flops += elements_of(reduction->operand, arrays);
    }
  }
  return demand;
}

}  // namespace shard

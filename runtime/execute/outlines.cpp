#include "runtime/execute/outlines.h"

#include <cstdint>
#include <variant>

#include "base/check.h"
#include "runtime/element/number.h"
#include "runtime/kernel/local_contraction.h"

namespace shard {
namespace {

std::vector<std::int64_t> numbers(const std::vector<Amount>& shape) {
  std::vector<std::int64_t> result;
  for (const Amount& extent : shape) {
    const auto constant = extent.constant();
    SHARD_CHECK(constant && constant->to_int64());
    result.push_back(*constant->to_int64());
  }
  return result;
}

// The dtype of a step's result buffers: the copy's own, but partial sums stay in the type in which they are summed.
DType storage_of(const Step& step, const Plan& plan, const Mesh& mesh,
                 const std::vector<DType>& storages) {
  const Copy& copy = plan.copies[result_of(step)];
  if (!copy.unfinished && without_trivial_axes(copy.layout, mesh).unreduced.empty())
    return copy.dtype;
  const std::vector<CopyId> operands = operands_of(step);
  if (operands.empty()) return accumulation_type(copy.dtype);
  if (std::holds_alternative<ContractStep>(step.action))
    return sum_type(storages[position(operands[0])], storages[position(operands[1])]);
  if (std::holds_alternative<SelectionStep>(step.action))
    return accumulation_type(storages[position(operands[0])]);
  const bool moves = operands.size() == 1 && !std::holds_alternative<ReductionStep>(step.action) &&
                     !std::holds_alternative<ElementwiseStep>(step.action);
  return moves ? storages[position(operands[0])] : accumulation_type(copy.dtype);
}

}  // namespace

std::vector<DeviceArray> outlines(const Plan& plan, const Mesh& mesh, bool per_device,
                                  const std::map<CopyId, DeviceArray>& held) {
  const Sharing sharing = per_device ? Sharing::None : Sharing::Replicas;
  std::vector<DType> storages(plan.copies.size(), DType::Bf16);
  std::vector<DeviceArray> arrays(plan.copies.size());
  for (const Step& step : plan.steps) {
    const CopyId result = result_of(step);
    if (!result.valid()) continue;
    if (const auto there = held.find(result); there != held.end()) {
      storages[position(result)] = there->second.storage;
      arrays[position(result)] = there->second;
      continue;
    }
    const Copy& copy = plan.copies[result];
    storages[position(result)] = storage_of(step, plan, mesh, storages);
    arrays[position(result)] = outline(numbers(copy.shape), copy.dtype, storages[position(result)],
                                       copy.layout, mesh, sharing);
  }
  return arrays;
}

}  // namespace shard

#include "runtime/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "base/check.h"
#include "base/format.h"
#include "base/match.h"
#include "runtime/block.h"
#include "runtime/contract.h"
#include "runtime/elementwise_run.h"
#include "runtime/input.h"
#include "runtime/number.h"
#include "runtime/redistribute.h"
#include "runtime/selection_run.h"

namespace shard {
namespace {

std::size_t position(CopyId copy) { return static_cast<std::size_t>(copy.value); }

std::vector<std::int64_t> numbers(const std::vector<Amount>& shape) {
  std::vector<std::int64_t> result;
  for (const Amount& extent : shape) {
    const auto constant = extent.constant();
    SHARD_CHECK(constant && constant->to_int64());
    result.push_back(*constant->to_int64());
  }
  return result;
}

// The dtype of a step's result buffers: the copy's own, but partial sums stay in the type they are
// summed in.
DType storage_of(const Step& step, const Plan& plan, const Mesh& mesh,
                 const std::vector<DType>& storages) {
  const Copy& copy = plan.copies[result_of(step)];
  if (without_trivial_axes(copy.layout, mesh).unreduced.empty()) return copy.dtype;
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

// Outlines of all copies of a plan, without buffers.
std::vector<DeviceArray> outlines(const Plan& plan, const Mesh& mesh) {
  std::vector<DType> storages(plan.copies.size(), DType::Bf16);
  std::vector<DeviceArray> arrays(plan.copies.size());
  for (const Step& step : plan.steps) {
    const CopyId result = result_of(step);
    if (!result.valid()) continue;
    const Copy& copy = plan.copies[result];
    storages[position(result)] = storage_of(step, plan, mesh, storages);
    arrays[position(result)] =
        outline(numbers(copy.shape), copy.dtype, storages[position(result)], copy.layout, mesh);
  }
  return arrays;
}

std::uint64_t transpose(const DeviceArray& operand, const std::vector<std::size_t>& order,
                        const Executor& executor, DeviceArray& result) {
  SHARD_CHECK(operand.shard_axes == result.shard_axes);
  const Extents operand_strides = row_major_strides(operand.local_shape);
  Extents strides;
  for (std::size_t d = 0; d < order.size(); ++d) {
    SHARD_CHECK(result.local_shape[d] == operand.local_shape[order[d]]);
    strides.push_back(operand_strides[order[d]]);
  }
  allocate_missing(result);
  std::atomic<std::uint64_t> saturated{0};
  executor.parallel_for_each_shard(result.shards.size(), [&](std::size_t s) {
    saturated += copy_block(
        result.local_shape, {operand.shards[s]->data(), operand.storage, strides},
        {result.shards[s]->data(), result.storage, row_major_strides(result.local_shape)});
  });
  return saturated;
}

// A plan being executed.
class Execution {
 public:
  Execution(const Machine& machine, const Plan& plan, const RunOptions& options)
      : mesh_(machine.mesh),
        plan_(plan),
        options_(options),
        executor_(options.threads, options.cancelled),
        arrays_(outlines(plan, machine.mesh)) {
    report_.threads = executor_.threads();
  }

  RunReport run() {
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      if (options_.cancelled && options_.cancelled()) {
        report_.cancelled = true;
        break;
      }
      if (!perform(static_cast<int>(i))) break;
    }
    return report_;
  }

 private:
  bool perform(int index) {
    const Step& step = plan_.steps[static_cast<std::size_t>(index)];
    try {
      match(step.action, [this](const auto& action) { execute(action); });
      const CopyId result = result_of(step);
      if (!outside_ && result.valid() && options_.observe) options_.observe(result, array(result));
    } catch (const std::bad_alloc&) {
      report_.fault = out_of_memory(index);
      return false;
    } catch (const Cancelled&) {
      report_.cancelled = true;
      return false;
    }
    if (outside_) {
      report_.fault = bad_index(std::get<SelectionStep>(step.action), index);
      return false;
    }
    return true;
  }

  void execute(const InputStep& step) {
    fill_input(options_.inputs, step, mesh_, executor_, array(step.result));
  }
  void execute(const ContractStep& step) {
    report_.saturated += contract(array(step.left), array(step.right),
                                  {step.left_labels, step.right_labels, step.result_labels}, mesh_,
                                  executor_, kernels_, array(step.result));
  }
  void execute(const ElementwiseStep& step) {
    std::vector<const DeviceArray*> operands;
    for (const CopyId operand : step.operands) operands.push_back(&array(operand));
    report_.saturated += compute_elements(operands, step, mesh_, executor_, array(step.result));
  }
  void execute(const ReductionStep& step) {
    report_.saturated +=
        reduce_elements(array(step.operand), step, mesh_, executor_, array(step.result));
  }
  void execute(const SelectionStep& step) {
    std::vector<const DeviceArray*> operands;
    for (const CopyId operand : step.operands) operands.push_back(&array(operand));
    const SelectionReport report =
        select_elements(operands, step, mesh_, executor_, array(step.result));
    report_.saturated += report.saturated;
    if (report.outside) outside_ = *report.outside;
  }
  void execute(const CollectiveStep& step) {
    if (step.kind == CollectiveKind::Shift) {
      shift_blocks(array(step.operand), step.axes, step.shift, mesh_, executor_,
                   array(step.result));
    } else {
      move_blocks(step.operand, step.axes, step.result);
    }
  }
  void execute(const SliceStep& step) { move_blocks(step.operand, {}, step.result); }
  void execute(const TransposeStep& step) {
    report_.saturated += transpose(array(step.operand), step.order, executor_, array(step.result));
  }
  void execute(const FreeStep& step) {
    auto& shards = array(step.copy).shards;
    std::fill(shards.begin(), shards.end(), nullptr);
  }

  void move_blocks(CopyId operand, const std::vector<AxisId>& axes, CopyId result) {
    report_.saturated += redistribute(array(operand), axes, mesh_, executor_, array(result));
  }

  Fault out_of_memory(int index) const {
    const CopyId result = result_of(plan_.steps[static_cast<std::size_t>(index)]);
    double held = 0;
    double wanted = 0;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      const double bytes = static_cast<double>(shard_bytes(arrays_[i])) *
                           static_cast<double>(arrays_[i].shards.size());
      const bool is_result = i == position(result);
      if (is_result) wanted = bytes;
      if (!is_result && !arrays_[i].shards.empty() && arrays_[i].shards.front() != nullptr)
        held += bytes;
    }
    return {.step = index,
            .message =
                fmt::format("no memory for the {} of `{}` on all devices; arrays alive hold {}",
                            format_bytes(wanted), plan_.copies[result].name, format_bytes(held))};
  }

  Fault bad_index(const SelectionStep& step, int index) const {
    const Copy& copy = plan_.copies[step.operands.front()];
    const auto& labels = step.operand_labels.front();
    const auto along = static_cast<std::size_t>(
        std::find(labels.begin(), labels.end(), step.along) - labels.begin());
    return {.step = index,
            .message = fmt::format(
                "the index {} is outside of dimension `{}` of `{}`, which is {} long", *outside_,
                copy.dimensions[along], copy.name, copy.shape[along].to_string())};
  }

  DeviceArray& array(CopyId copy) { return arrays_[position(copy)]; }

  const Mesh& mesh_;
  const Plan& plan_;
  const RunOptions& options_;
  Executor executor_;
  Kernels kernels_;
  std::vector<DeviceArray>
      arrays_;  // by CopyId; without buffers before they are made and after they are freed
  RunReport report_;
  std::optional<std::int64_t> outside_;  // an index that is not in its dimension
};

// Multiplications and additions of a contraction over all distinct shards.
double contraction_flops(const ContractStep& step, const std::vector<DeviceArray>& arrays) {
  const DeviceArray& left = arrays[position(step.left)];
  const DeviceArray& right = arrays[position(step.right)];
  double flops = 2.0 * static_cast<double>(arrays[position(step.result)].shards.size());
  for (std::int64_t extent : left.local_shape) flops *= static_cast<double>(extent);
  for (std::size_t d = 0; d < step.right_labels.size(); ++d) {
    const auto& seen = step.left_labels;
    if (std::find(seen.begin(), seen.end(), step.right_labels[d]) == seen.end()) {
      flops *= static_cast<double>(right.local_shape[d]);
    }
  }
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

RunReport run(const Machine& machine, const Plan& plan, const RunOptions& options) {
  return Execution(machine, plan, options).run();
}

HostDemand host_demand(const Machine& machine, const Plan& plan) {
  const std::vector<DeviceArray> arrays = outlines(plan, machine.mesh);
  const auto bytes_of_copy = [&](CopyId copy) {
    const DeviceArray& array = arrays[position(copy)];
    return static_cast<double>(shard_bytes(array)) * static_cast<double>(array.shards.size());
  };
  HostDemand demand;
  double alive = 0;
  for (const Step& step : plan.steps) {
    if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      alive -= bytes_of_copy(free->copy);
      continue;
    }
    alive += bytes_of_copy(result_of(step));
    demand.bytes = std::max(demand.bytes, alive);
    if (const auto* contract = std::get_if<ContractStep>(&step.action)) {
      demand.flops += contraction_flops(*contract, arrays);
    } else if (const auto* elements = std::get_if<ElementwiseStep>(&step.action)) {
      demand.flops +=
          elements_of(elements->result, arrays) * static_cast<double>(elements->program.size());
    } else if (const auto* selection = std::get_if<SelectionStep>(&step.action)) {
      demand.flops += elements_of(selection->result, arrays);
    } else if (const auto* reduction = std::get_if<ReductionStep>(&step.action)) {
      demand.flops += elements_of(reduction->operand, arrays);
    }
  }
  return demand;
}

}  // namespace shard

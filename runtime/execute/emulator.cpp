#include "runtime/execute/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/match.h"
#include "runtime/collective/collective_by_hops.h"
#include "runtime/collective/redistribute.h"
#include "runtime/collective/reduce.h"
#include "runtime/element/number.h"
#include "runtime/execute/contract.h"
#include "runtime/execute/contract_piece.h"
#include "runtime/execute/fused_reduce_product.h"
#include "runtime/execute/input_values.h"
#include "runtime/execute/run_elementwise.h"
#include "runtime/execute/run_reduction.h"
#include "runtime/execute/run_selection.h"
#include "runtime/execute/run_transpose.h"

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

// Outlines of all copies of a plan, without buffers.
std::vector<DeviceArray> outlines(const Plan& plan, const Mesh& mesh, const RunOptions& options) {
  const Sharing sharing = options.per_device ? Sharing::None : Sharing::Replicas;
  std::vector<DType> storages(plan.copies.size(), DType::Bf16);
  std::vector<DeviceArray> arrays(plan.copies.size());
  for (const Step& step : plan.steps) {
    const CopyId result = result_of(step);
    if (!result.valid()) continue;
    const Copy& copy = plan.copies[result];
    storages[position(result)] = storage_of(step, plan, mesh, storages);
    arrays[position(result)] = outline(numbers(copy.shape), copy.dtype, storages[position(result)],
                                       copy.layout, mesh, sharing);
  }
  return arrays;
}

// A plan being executed.
class Execution {
 public:
  Execution(const Machine& machine, const Plan& plan, const RunOptions& options)
      : machine_(machine),
        mesh_(machine.mesh),
        plan_(plan),
        options_(options),
        executor_(options.threads, options.cancelled),
        arrays_(outlines(plan, machine.mesh, options)),
        products_to_reduce_(products_to_reduce(plan)) {
    report_.threads = executor_.threads();
    const auto pool = std::make_shared<BufferPool>(host_demand(machine, plan, options).bytes);
    for (DeviceArray& array : arrays_) array.pool = pool;
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
    const auto& planned = options_.planned_fault;
    if (planned && result_of(step) == planned->result) {
      report_.fault = Fault{.step = index, .device = planned->device, .message = planned->message};
      report_.is_planned_fault = true;
      return false;
    }
    if (postpones(index)) {
      const auto& product = std::get<ContractStep>(step.action);
      postponed_ = Postponed{&product, array(product.left), array(product.right)};
      return true;
    }
    try {
      const std::uint64_t clamped =
          match(step.action, [this](const auto& action) { return execute(action); });
      const CopyId result = result_of(step);
      if (!outside_ && result.valid()) {
        count_clamped(step, clamped);
        report_.fault = differing_replicas(result, index);
        if (options_.observe) options_.observe(result, array(result));
      }
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
    return !report_.fault;
  }

  // Elements that replicas clamp are counted once, however many replicas do so. In a product made in parts, each
  // replica makes a different part in every turn, so only the last turn has the total.
  void count_clamped(const Step& step, std::uint64_t clamped) {
    std::int64_t times = replicas(array(result_of(step)), mesh_);
    const auto* contract = std::get_if<ContractStep>(&step.action);
    if (contract != nullptr && contract->piece) {
      clamped += std::exchange(clamped_in_parts_, 0);
      if (has_gaps(step)) {
        clamped_in_parts_ = clamped;
        return;
      }
      times *= times_made(*contract, array(contract->result), mesh_);
    }
    report_.saturated += clamped / static_cast<std::uint64_t>(times);
  }

  // Whether the step is a product best computed together with the reduction after it.
  bool postpones(int index) {
    if (options_.hops || options_.per_device ||
        !products_to_reduce_[static_cast<std::size_t>(index)])
      return false;
    const auto& product =
        std::get<ContractStep>(plan_.steps[static_cast<std::size_t>(index)].action);
    if (options_.observe && (!options_.is_observed || options_.is_observed(product.result)))
      return false;
    const auto next = std::find_if(
        plan_.steps.begin() + index + 1, plan_.steps.end(),
        [](const Step& step) { return std::holds_alternative<CollectiveStep>(step.action); });
    const auto& reduction = std::get<CollectiveStep>(next->action);
    return has_schedule(reduction, mesh_) &&
           can_reduce_product(array(product.left), array(product.right), labels_of(product),
                              array(product.result), array(reduction.result), kernels_);
  }

  // Each returns how many elements were clamped.
  std::uint64_t execute(const InputStep& step) {
    fill_input(options_.inputs, step, mesh_, executor_, array(step.result));
    return 0;
  }
  std::uint64_t execute(const ContractStep& step) {
    const ContractionLabels labels = labels_of(step);
    if (!step.piece)
      return contract(array(step.left), array(step.right), labels, mesh_, executor_, kernels_,
                      array(step.result));
    DeviceArray* onto = step.piece->onto.valid() ? &array(step.piece->onto) : nullptr;
    return contract_piece(array(step.left), array(step.right), labels, *step.piece, onto, mesh_,
                          executor_, kernels_, array(step.result));
  }
  std::uint64_t execute(const ElementwiseStep& step) {
    return compute_elements(operands(step.operands), step, mesh_, executor_, array(step.result));
  }
  std::uint64_t execute(const ReductionStep& step) {
    return reduce_elements(array(step.operand), step, mesh_, executor_, array(step.result));
  }
  std::uint64_t execute(const SelectionStep& step) {
    const SelectionReport report =
        select_elements(operands(step.operands), step, mesh_, executor_, array(step.result));
    if (report.outside) outside_ = *report.outside;
    return report.saturated;
  }
  static ContractionLabels labels_of(const ContractStep& step) {
    return {step.left_labels, step.right_labels, step.result_labels};
  }
  std::uint64_t execute(const CollectiveStep& step) {
    const Machine& machine = machine_for(step);
    // The cache for the axes is that of the original machine.
    ReducePlans rerouted;
    ReducePlans& plans = &machine == &machine_ ? reduce_plans_ : rerouted;
    if (postponed_) {
      const Postponed product = std::move(*postponed_);
      postponed_.reset();
      return reduce_product(product.left, product.right, labels_of(*product.step), step, machine,
                            executor_, kernels_, plans, array(step.operand), array(step.result));
    }
    if (options_.hops && has_schedule(step, mesh_))
      return exchange_by_hops(array(step.operand), step, machine, executor_, array(step.result));
    if (reduces(step) && has_schedule(step, mesh_))
      return reduce_in_order(array(step.operand), step, machine, executor_, plans,
                             array(step.result));
    if (step.kind != CollectiveKind::Shift)
      return move_blocks(step.operand, step.axes, step.result);
    shift_blocks(array(step.operand), step.axes, step.shift, mesh_, executor_, array(step.result));
    return 0;
  }
  const Machine& machine_for(const CollectiveStep& step) const {
    const auto found = options_.rerouted.find(step.result);
    return found == options_.rerouted.end() ? machine_ : *found->second;
  }
  static bool reduces(const CollectiveStep& step) {
    return step.kind == CollectiveKind::ReduceScatter || step.kind == CollectiveKind::AllReduce;
  }
  std::uint64_t execute(const SliceStep& step) {
    return move_blocks(step.operand, {}, step.result);
  }
  std::uint64_t execute(const TransposeStep& step) {
    return transpose(array(step.operand), step.order, executor_, array(step.result));
  }
  std::uint64_t execute(const FreeStep& step) {
    auto& shards = array(step.copy).shards;
    std::fill(shards.begin(), shards.end(), nullptr);
    return 0;
  }

  std::uint64_t move_blocks(CopyId operand, const std::vector<AxisId>& axes, CopyId result) {
    return redistribute(array(operand), axes, mesh_, executor_, array(result));
  }

  std::vector<const DeviceArray*> operands(const std::vector<CopyId>& copies) {
    std::vector<const DeviceArray*> arrays;
    for (const CopyId copy : copies) arrays.push_back(&array(copy));
    return arrays;
  }

  // Whether parts of the result are still missing, different ones on each device.
  bool has_gaps(const Step& step) const {
    const auto* contract = std::get_if<ContractStep>(&step.action);
    return contract != nullptr && contract->piece &&
           contract->piece->turn + 1 < length_of(contract->piece->axes, mesh_);
  }

  // Devices that hold the same part of a copy must have computed the same bits.
  std::optional<Fault> differing_replicas(CopyId copy, int index) {
    const DeviceArray& all = array(copy);
    if (replicas(all, mesh_) == 1 || has_gaps(plan_.steps[static_cast<std::size_t>(index)]))
      return std::nullopt;
    const std::vector<AxisId> used = axes_used(all.layout);
    for (std::size_t s = 0; s < all.shards.size(); ++s) {
      const auto device = holder_of(all, s, mesh_);
      std::vector<std::int64_t> first(device.size(), 0);
      for (const AxisId axis : used) {
        const auto a = static_cast<std::size_t>(axis.value);
        first[a] = device[a];
      }
      const Buffer& own = *all.shards[s];
      const Buffer& other = *all.shards[shard_of(all, first, mesh_)];
      if (std::memcmp(own.data(), other.data(), own.size()) == 0) continue;
      const auto number = static_cast<int>(device_at(mesh_, device));
      return Fault{.step = index,
                   .device = number,
                   .message = fmt::format("device {} holds other bits of `{}` than its replica",
                                          number, plan_.copies[copy].name)};
    }
    return std::nullopt;
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

  const Machine& machine_;
  const Mesh& mesh_;
  const Plan& plan_;
  const RunOptions& options_;
  Executor executor_;
  Kernels kernels_;
  ReducePlans reduce_plans_;
  std::vector<DeviceArray> arrays_;  // by CopyId; without buffers until made and once freed
  RunReport report_;
  std::uint64_t clamped_in_parts_ = 0;  // in the turns of a product so far
  // A product to be computed by the next collective, with its operands, which may be freed before that.
  struct Postponed {
    const ContractStep* step;
    DeviceArray left;
    DeviceArray right;
  };
  std::vector<bool> products_to_reduce_;  // by step
  std::optional<Postponed> postponed_;
  std::optional<std::int64_t> outside_;  // an index outside its dimension
};

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

RunReport run(const Machine& machine, const Plan& plan, const RunOptions& options) {
  return Execution(machine, plan, options).run();
}

HostDemand host_demand(const Machine& machine, const Plan& plan, const RunOptions& options) {
  const std::vector<DeviceArray> arrays = outlines(plan, machine.mesh, options);
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
      const double beside = bytes_beside(*selection, arrays[position(selection->result)]);
      demand.bytes = std::max(demand.bytes, alive + beside);
    } else if (const auto* reduction = std::get_if<ReductionStep>(&step.action)) {
      demand.flops += elements_of(reduction->operand, arrays);
    }
  }
  return demand;
}

}  // namespace shard

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
#include "runtime/execute/host_demand.h"
#include "runtime/execute/input_values.h"
#include "runtime/execute/outlines.h"
#include "runtime/execute/run_elementwise.h"
#include "runtime/execute/run_reduction.h"
#include "runtime/execute/run_selection.h"
#include "runtime/execute/run_transpose.h"

namespace shard {
namespace {

// A plan being executed.
class Execution {
 public:
  Execution(const Machine& machine, const Plan& plan, const RunOptions& options)
      : machine_(machine),
        mesh_(machine.mesh),
        plan_(plan),
        options_(options),
        executor_(options.threads, options.cancelled),
        arrays_(outlines(plan, machine.mesh, options.per_device, options.held)),
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
      ++report_.steps_done;
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
                              array(product.result), kernels_);
  }

  // Each returns how many elements were clamped.
  std::uint64_t execute(const InputStep& step) {
    if (step.kind != InputKind::Held)
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
    if (postponed_) {
      const Postponed product = std::move(*postponed_);
      postponed_.reset();
      return reduce_product(product.left, product.right, labels_of(*product.step), step, mesh_,
                            executor_, kernels_, array(step.operand), array(step.result));
    }
    if (options_.hops && has_schedule(step, mesh_))
      return exchange_by_hops(array(step.operand), step, machine_for(step), executor_,
                              array(step.result));
    if (adds_up(step.kind) && has_schedule(step, mesh_))
      return reduce(array(step.operand), step, mesh_, executor_, array(step.result));
    if (!makes_other_array(step.kind))
      return redistribute_copy(step.operand, step.axes, step.result);
    move_blocks(step.kind, array(step.operand), step.axes, step.shift, mesh_, executor_,
                array(step.result));
    return 0;
  }
  const Machine& machine_for(const CollectiveStep& step) const {
    const auto found = options_.rerouted.find(step.result);
    return found == options_.rerouted.end() ? machine_ : *found->second;
  }
  std::uint64_t execute(const SliceStep& step) {
    return redistribute_copy(step.operand, {}, step.result);
  }
  std::uint64_t execute(const TransposeStep& step) {
    return transpose(array(step.operand), step.order, executor_, array(step.result));
  }
  std::uint64_t execute(const FreeStep& step) {
    auto& shards = array(step.copy).shards;
    std::fill(shards.begin(), shards.end(), nullptr);
    return 0;
  }

  std::uint64_t redistribute_copy(CopyId operand, const std::vector<AxisId>& axes, CopyId result) {
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
    const bool into_result = step.kind == SelectionKind::Scatter;
    const Copy& copy = plan_.copies[into_result ? step.result : step.operands.front()];
    const std::vector<int>& labels =
        into_result ? step.result_labels.items() : step.operand_labels.front();
    const auto along = static_cast<std::size_t>(
        std::find(labels.begin(), labels.end(), outside_->label) - labels.begin());
    return {.step = index,
            .message = fmt::format(
                "the index {} is outside of dimension `{}` of `{}`, which is {} long",
                outside_->index, copy.dimensions[along], copy.name, copy.shape[along].to_string())};
  }

  DeviceArray& array(CopyId copy) { return arrays_[position(copy)]; }

  const Machine& machine_;
  const Mesh& mesh_;
  const Plan& plan_;
  const RunOptions& options_;
  Executor executor_;
  Kernels kernels_;
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
  std::optional<OutsideIndex> outside_;
};

}  // namespace

RunReport run(const Machine& machine, const Plan& plan, const RunOptions& options) {
  return Execution(machine, plan, options).run();
}

}  // namespace shard

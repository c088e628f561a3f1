#include "interpreter/emulate/emulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "base/format.h"
#include "base/words.h"
#include "interpreter/emulate/verification.h"
#include "runtime/array/device_array.h"
#include "runtime/element/number.h"
#include "runtime/execute/emulator.h"
#include "runtime/execute/host_demand.h"

namespace shard {

namespace {

// The machine with unsized axes that the plan does not use removed, that is, 1 long.
Machine with_known_axes(Machine machine, const Plan& plan) {
  std::set<AxisId> used;
  for (const Copy& copy : plan.copies) {
    for (const AxisId axis : axes_used(copy.layout)) used.insert(axis);
    for (const Placement& place : copy.layout.placed) used.insert(place.axis);
  }
  for (std::size_t i = 0; i < machine.mesh.axes.size(); ++i) {
    const AxisId id{static_cast<std::int32_t>(i)};
    MeshAxis& axis = machine.mesh.axes[id];
    if (!axis.length() && used.count(id) == 0) axis.size = Amount(1);
  }
  return machine;
}

// Why a plan cannot be run as it is; empty if it can.
std::string obstacle(const Plan& plan, const Machine& machine) {
  for (const MeshAxis& axis : machine.mesh.axes) {
    if (!axis.length()) return fmt::format("axis {} has no size: there is no mesh", axis.name);
  }
  for (const Copy& copy : plan.copies) {
    for (std::size_t i = 0; i < copy.shape.size(); ++i) {
      if (!copy.shape[i].constant())
        return fmt::format("dimension {} has no size", copy.dimensions[i]);
    }
  }
  for (const Step& step : plan.steps) {
    const auto* elements = std::get_if<ElementwiseStep>(&step.action);
    if (elements == nullptr) continue;
    for (const ElementInstruction& instruction : elements->program) {
      if (!instruction.constant.constant())
        return fmt::format("{} has no size", join_words(instruction.constant.symbols()));
    }
  }
  return "";
}

// Each block costs bookkeeping and memory of its own, however small. Past this limit, which docs/language.md states, a
// script is only estimated.
constexpr double kMaxBlocks = 2e6;

// Hops are carried out one by one. Past this limit, which docs/language.md states, a script is only estimated.
constexpr double kMaxHops = 1e8;

// The copies whose contents are needed after the run.
std::set<CopyId> requested_copies(const Program& program) {
  std::set<CopyId> wanted;
  for (const ArrayRequest& request : program.requests) {
    wanted.insert(request.copy);
    if (request.other) wanted.insert(*request.other);
  }
  return wanted;
}

// Bytes of whole arrays in fp64: those that the program asks for, which are kept to the end, and those loaded from
// files.
double whole_bytes(const Program& program, const Plan& plan) {
  double elements = 0;
  for (const CopyId copy : requested_copies(program)) elements += elements_of(plan.copies[copy]);
  std::set<std::pair<std::string, const void*>> files;  // all layouts of an input share them
  for (const Step& step : plan.steps) {
    const auto* input = std::get_if<InputStep>(&step.action);
    if (input == nullptr || input->kind != InputKind::Given) continue;
    if (files.emplace(input->seed, input->given.get()).second)
      elements += elements_of(plan.copies[input->result]);
  }
  return sizeof(double) * elements;
}

// The step of an input whose values did not fit into memory when they were to be loaded; null if there is none.
const Step* missing_input(const Plan& plan) {
  for (const Step& step : plan.steps) {
    const auto* input = std::get_if<InputStep>(&step.action);
    if (input != nullptr && input->kind == InputKind::Given && input->given == nullptr)
      return &step;
  }
  return nullptr;
}

// What a run takes, and the limit that it exceeds.
struct Refusal {
  DiagnosticKind kind;
  std::string demand;
  std::string limit;
  bool by_size = false;  // of the arrays, and not by the number of devices
};

std::optional<Refusal> refusal_of(const Program& program, const Plan& plan, const Machine& machine,
                                  const Scope& scope, const ExecutionOptions& options) {
  const HostDemand demand =
      host_demand(machine, plan, {.hops = options.hops, .per_device = options.per_device});
  if (demand.blocks > kMaxBlocks) {
    return Refusal{
        DiagnosticKind::TooMuchWork,
        fmt::format("running it takes {} blocks on the devices", format_number(demand.blocks)),
        format_number(kMaxBlocks)};
  }
  if (demand.hops > kMaxHops) {
    return Refusal{DiagnosticKind::TooMuchWork,
                   fmt::format("running it with --hops takes {} hops", format_number(demand.hops)),
                   format_number(kMaxHops)};
  }
  if (demand.flops > options.max_flops) {
    return Refusal{DiagnosticKind::TooMuchWork,
                   fmt::format("running it takes {}", format_flops(demand.flops)),
                   "--max-flops " + format_flops(options.max_flops), true};
  }
  const double bytes = demand.bytes + whole_bytes(program, plan) +
                       (options.verify ? bytes_to_verify(program, plan, scope) : 0);
  if (bytes <= options.memory) return std::nullopt;
  // If both would read the same, they are printed to the byte.
  const bool alike = format_bytes(bytes) == format_bytes(options.memory);
  const auto text = [&](double size) {
    return alike ? format_number(size) + " B" : format_bytes(size);
  };
  return Refusal{DiagnosticKind::OutOfHostMemory,
                 fmt::format("{} it takes {} of memory",
                             options.verify ? "running and verifying" : "running", text(bytes)),
                 "--memory " + text(options.memory), true};
}

RunOptions run_options_of(const ProgramRun& run, const ExecutionOptions& options) {
  // Faults are those of the whole; what it does not run has none here.
  const auto own = [&](CopyId of_whole) {
    if (run.originals.empty()) return of_whole;
    const auto found = std::find(run.originals.begin(), run.originals.end(), of_whole);
    return found == run.originals.end()
               ? CopyId()
               : CopyId{static_cast<std::int32_t>(found - run.originals.begin())};
  };
  RunOptions result{.threads = options.threads, .inputs = options.inputs};
  result.cancelled = options.cancelled;
  result.hops = options.hops;
  result.per_device = options.per_device;
  for (const auto& [copy, machine] : run.faults.rerouted) {
    if (own(copy).valid()) result.rerouted.emplace(own(copy), machine);
  }
  if (const auto& failure = run.faults.failure) {
    const CopyId copy = own(result_of(run.whole.plan.steps[failure->step]));
    if (!copy.valid()) return result;
    result.planned_fault =
        PlannedFault{.result = copy, .device = failure->device, .message = failure->message};
  }
  return result;
}

// Notes why it is not run at all, if it is not.
void refuse(const Program& program, const Plan& plan, const Machine& machine, const Scope& scope,
            const ExecutionOptions& options, Execution& execution) {
  execution.reason = obstacle(plan, machine);
  if (!execution.reason.empty()) return;
  const auto refused = refusal_of(program, plan, machine, scope, options);
  if (!refused) return;
  execution.refusal = refused->kind;
  execution.demand = refused->demand;
  execution.too_large = refused->by_size;
  execution.reason = refused->demand + ", more than " + refused->limit;
}

// What the script says that an array holds. Partial sums are kept in a wider type; a reader sees what reducing them
// would give: rounded once, integers clamped to the range of their type.
GlobalArray contents(const DeviceArray& array, const Mesh& mesh) {
  GlobalArray whole = assemble(array, mesh);
  if (array.storage == array.dtype) return whole;
  for (double& value : whole.values) value = rounded_to(array.dtype, value);
  return whole;
}

void take_over(const RunReport& report, const Plan& plan, Execution& execution) {
  execution.executed = !report.fault && !report.cancelled;
  execution.fault = report.fault;
  execution.is_planned_fault = report.is_planned_fault;
  execution.cancelled = report.cancelled;
  execution.steps_done = report.steps_done;
  execution.steps = plan.steps.size();
  execution.saturated = report.saturated;
  if (report.fault && report.fault->step >= 0) {
    execution.fault_statement = plan.steps[static_cast<std::size_t>(report.fault->step)].statement;
  }
}

// A copy on emulated devices, and what verification knows of it.
struct EmulatedCopy final : KeptCopy {
  DeviceArray array;
  std::optional<VerifiedCopy> verified;

  double bytes() const override {
    const double blocks =
        static_cast<double>(shard_bytes(array)) * static_cast<double>(array.shards.size());
    return blocks + (verified ? bytes_of(*verified) : 0);
  }
};

const EmulatedCopy& emulated(const KeptCopy& copy) {
  // Callers give back what they were given.
  return static_cast<const EmulatedCopy&>(copy);
}

class EmulatedDevices final : public ProgramExecutor {
 public:
  Execution run(const ProgramRun& run, const ExecutionOptions& options) const override;
  bool has_room(const ProgramRun& run, const ExecutionOptions& options) const override;
  double default_memory() const override;
};

Execution EmulatedDevices::run(const ProgramRun& run, const ExecutionOptions& options) const {
  const Program& program = run.program;
  const Scope& scope = run.scope;
  Execution execution;
  const Plan plan = finished_plan(program, {});
  const Machine machine = with_known_axes(program.machine, plan);
  refuse(program, plan, machine, scope, options, execution);
  if (!execution.reason.empty()) return execution;
  if (const Step* step = missing_input(plan)) {
    const auto& input = std::get<InputStep>(step->action);
    const double bytes = sizeof(double) * elements_of(plan.copies[input.result]);
    execution.fault = Fault{.message = fmt::format("no memory for the {} that `{}` loads",
                                                   format_bytes(bytes), input.seed)};
    execution.fault_statement = step->statement;
    return execution;
  }
  RunOptions run_options = run_options_of(run, options);
  std::optional<Verification> verification;
  if (options.verify) {
    verification.emplace(program, plan, machine.mesh, scope, options.inputs, options.cancelled,
                         options.threads);
  }
  for (const auto& [copy, held] : run.held) {
    const EmulatedCopy& there = emulated(*held);
    run_options.held.emplace(copy, there.array);
    if (verification && there.verified) verification->hold(copy, *there.verified);
  }
  if (verification) verification->keep(run.keeps);
  std::map<CopyId, DeviceArray> kept;
  const auto is_kept = [&run](CopyId id) { return run.keeps && run.keeps(id); };
  const std::set<CopyId> wanted = requested_copies(program);
  const auto is_wanted = [&wanted](CopyId id) { return wanted.count(id) != 0; };
  run_options.observe = [&](CopyId id, const DeviceArray& array) {
    if (verification) verification->observe(id, array);
    if (is_kept(id)) kept.insert_or_assign(id, array);
    if (is_wanted(id)) execution.kept[id] = contents(array, machine.mesh);
  };
  run_options.is_observed = [&](CopyId id) {
    return is_wanted(id) || is_kept(id) || (verification && verification->judges(id));
  };
  take_over(shard::run(machine, plan, run_options), plan, execution);
  if (execution.executed) {
    for (auto& [id, array] : kept) {
      auto copy = std::make_shared<EmulatedCopy>();
      copy->array = std::move(array);
      copy->array.pool = nullptr;
      if (verification) copy->verified = verification->verified(id);
      execution.held.emplace(id, std::move(copy));
    }
  }
  if (verification) execution.comparisons = verification->take();
  return execution;
}

bool EmulatedDevices::has_room(const ProgramRun& run, const ExecutionOptions& options) const {
  const Plan plan = finished_plan(run.program, {});
  const Machine machine = with_known_axes(run.program.machine, plan);
  Execution execution;
  refuse(run.program, plan, machine, run.scope, options, execution);
  return execution.reason.empty();
}

double EmulatedDevices::default_memory() const {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    double kibibytes = 0;
    // Half of what is free; the other half is left to everything else on the machine.
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024 / 2;
  }
  // Without /proc/meminfo, a size that small hosts have too.
  constexpr double kFallback = 2e9;
  return kFallback;
}

}  // namespace

const ProgramExecutor& emulated_devices() {
  static const EmulatedDevices devices;
  return devices;
}

}  // namespace shard

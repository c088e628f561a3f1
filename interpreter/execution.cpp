#include "interpreter/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <mutex>
#include <set>

#include "base/format.h"
#include "base/text.h"
#include "interpreter/oracle/oracle.h"
#include "interpreter/oracle/parallel.h"
#include "runtime/executor.h"
#include "runtime/number.h"

namespace shard {

namespace {

// The machine with the axes that the plan does not use and that have no size taken out: they are 1 long.
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

// Why a plan cannot be run as it stands; empty if it can.
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

// Small blocks cost more to keep than to compute.
constexpr double kMaxBlocks = 2e6;

// Hops of collectives that are carried out one after the other.
constexpr double kMaxHops = 1e8;

double elements_of(const Copy& copy) {
  double elements = 1;
  for (const Amount& length : copy.shape) elements *= length.constant()->to_double();
  return elements;
}

// Bytes that the unsharded computation takes: of each array a value and a bound in fp64 for every element. While a product
// is made, which takes most, its operands with their bounds, their sizes, what is multiplied and the result besides.
double verified_bytes(const Program& program) {
  constexpr double kKept = 16;
  constexpr double kWhileMade = 32 + 24 + 16 + 16;
  std::set<ArrayId> arrays;
  double bytes = 0;
  double largest = 0;
  program.owners.for_each([&](CopyId copy, ArrayId array) {
    if (!arrays.insert(array).second) return;
    const double elements = elements_of(program.plan.copies[copy]);
    bytes += kKept * elements;
    largest = std::max(largest, elements);
  });
  return bytes + kWhileMade * largest;
}

// The copies whose contents are wanted when the run is over.
std::set<CopyId> requested_copies(const Program& program) {
  std::set<CopyId> wanted;
  for (const ArrayRequest& request : program.requests) {
    wanted.insert(request.copy);
    if (request.other) wanted.insert(*request.other);
  }
  return wanted;
}

// Bytes of whole arrays in fp64: those that the program asks for, which are kept to the end, and what was loaded from files.
double whole_bytes(const Program& program, const Plan& plan) {
  double elements = 0;
  for (const CopyId copy : requested_copies(program)) elements += elements_of(plan.copies[copy]);
  std::set<std::pair<std::string, const void*>> files;  // every layout of an input has the same
  for (const Step& step : plan.steps) {
    const auto* input = std::get_if<InputStep>(&step.action);
    if (input == nullptr || input->kind != InputKind::Given) continue;
    if (files.emplace(input->seed, input->given.get()).second)
      elements += elements_of(plan.copies[input->result]);
  }
  return sizeof(double) * elements;
}

// The step of an input whose values there was no memory to load; null if there is none.
const Step* missing_input(const Plan& plan) {
  for (const Step& step : plan.steps) {
    const auto* input = std::get_if<InputStep>(&step.action);
    if (input != nullptr && input->kind == InputKind::Given && input->given == nullptr)
      return &step;
  }
  return nullptr;
}

// Compares copies as they are made, before they are freed.
class Comparer {
 public:
  Comparer(const Program& program, const Mesh& mesh, const Scope& scope, InputValues inputs,
           std::function<bool()> cancelled, int threads)
      : program_(program),
        mesh_(mesh),
        watch_(
            [cancelled = std::move(cancelled)] {
              if (cancelled && cancelled()) throw Cancelled();
            },
            threads),
        oracle_(
            scope, mesh,
            [inputs](const InputStep& input, std::uint64_t index, DType dtype) {
              return rounded_to(dtype, input_element(inputs, input, index));
            },
            watch_) {
    for (const Step& step : program.plan.steps) {
      if (const CopyId copy = result_of(step); copy.valid()) made_by_[copy] = step.statement;
    }
  }

  void observe(CopyId id, const DeviceArray& device_array) {
    const ArrayId* owner = program_.owners.find(id);
    if (owner == nullptr) return;
    catch_up(id);
    const oracle::Array& expected = oracle_.array(*owner);
    compare(*owner, expected, assemble(device_array, mesh_, in_blocks(expected.value.size())));
  }

  std::vector<Comparison> take() { return std::move(comparisons_); }

 private:
  // Over blocks that together have so many elements.
  Loop in_blocks(std::size_t elements) const {
    return [this, elements](std::size_t count, const std::function<void(std::size_t)>& body) {
      const std::size_t at_once =
          oracle::kElementsAtOnce * count / std::max<std::size_t>(1, elements) + 1;
      oracle::in_ranges(watch_, count, at_once, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) body(i);
      });
    };
  }

  // The flows up to the one that made this copy have to be computed first.
  void catch_up(CopyId id) {
    const auto found = made_by_.find(id);
    const int statement = found == made_by_.end() ? -1 : found->second;
    const int last = std::min(statement, static_cast<int>(program_.statements.size()) - 1);
    while (next_ <= last)
      oracle_.run(program_.statements[static_cast<std::size_t>(next_++)].flow.get());
  }

  void compare(ArrayId array, const oracle::Array& expected, const GlobalArray& computed) {
    auto found = std::find_if(comparisons_.begin(), comparisons_.end(),
                              [&](const Comparison& c) { return c.array == array; });
    if (found == comparisons_.end()) {
      comparisons_.push_back({.array = array});
      found = comparisons_.end() - 1;
    }
    ++found->copies;
    if (computed.shape != expected.shape) {
      found->within = false;
      return;
    }
    std::mutex mutex;
    oracle::in_ranges(watch_, expected.value.size(), oracle::kElementsAtOnce,
                      [&](std::size_t begin, std::size_t end) {
                        const Comparison part = compared(expected, computed, begin, end);
                        const std::scoped_lock lock(mutex);
                        join(*found, part);
                      });
  }

  static Comparison compared(const oracle::Array& expected, const GlobalArray& computed,
                             std::size_t begin, std::size_t end) {
    Comparison result;
    for (std::size_t i = begin; i < end; ++i) {
      // Infinite where anything may come out, and not a number in what was computed of that.
      if (!std::isfinite(expected.bound[i])) {
        ++result.undecided;
        continue;
      }
      const double error = std::abs(computed.values[i] - expected.value[i]);
      const bool outside = !(error <= expected.bound[i]);  // a NaN is outside
      result.within = result.within && !outside;
      if (error > result.largest_error || std::isnan(error)) result.largest_error = error;
      if (error > 0)
        result.largest_share = std::max(result.largest_share, error / expected.bound[i]);
    }
    return result;
  }

  // The same in any order.
  static void join(Comparison& whole, const Comparison& part) {
    whole.undecided += part.undecided;
    whole.within = whole.within && part.within;
    if (part.largest_error > whole.largest_error || std::isnan(part.largest_error))
      whole.largest_error = part.largest_error;
    whole.largest_share = std::max(whole.largest_share, part.largest_share);
  }

  const Program& program_;
  const Mesh& mesh_;
  oracle::Watch watch_;
  oracle::Oracle oracle_;
  std::map<CopyId, int> made_by_;  // the last statement that does
  int next_ = 0;
  std::vector<Comparison> comparisons_;
};

// What running takes, and the limit that it passes.
struct Refusal {
  DiagnosticKind kind;
  std::string demand;
  std::string limit;
};

std::optional<Refusal> refusal_of(const Program& program, const Plan& plan, const Machine& machine,
                                  const ExecutionOptions& options) {
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
                   "--max-flops " + format_flops(options.max_flops)};
  }
  const double bytes =
      demand.bytes + whole_bytes(program, plan) + (options.verify ? verified_bytes(program) : 0);
  if (bytes <= options.memory) return std::nullopt;
  // Where both would read the same, they are told to the byte.
  const bool alike = format_bytes(bytes) == format_bytes(options.memory);
  const auto text = [&](double size) {
    return alike ? format_number(size) + " B" : format_bytes(size);
  };
  return Refusal{DiagnosticKind::OutOfHostMemory,
                 fmt::format("{} it takes {} of memory",
                             options.verify ? "running and verifying" : "running", text(bytes)),
                 "--memory " + text(options.memory)};
}

}  // namespace

double default_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    double kibibytes = 0;
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024 / 2;
  }
  constexpr double kFallback = 2e9;
  return kFallback;
}

namespace {

RunOptions run_options_of(const ExecutionOptions& options, const Program& whole,
                          const FaultEffects& faults) {
  RunOptions result{.threads = options.threads, .inputs = options.inputs};
  result.cancelled = options.cancelled;
  result.hops = options.hops;
  result.per_device = options.per_device;
  result.rerouted = faults.rerouted;
  if (const auto& failure = faults.failure) {
    const CopyId copy = result_of(whole.plan.steps[failure->step]);
    result.planned_fault =
        PlannedFault{.result = copy, .device = failure->device, .message = failure->message};
  }
  return result;
}

// Why it is not run at all, if it is not.
void refuse(const Program& program, const Plan& plan, const Machine& machine,
            const ExecutionOptions& options, Execution& execution) {
  execution.reason = obstacle(plan, machine);
  if (!execution.reason.empty()) return;
  const auto refused = refusal_of(program, plan, machine, options);
  if (!refused) return;
  execution.refusal = refused->kind;
  execution.demand = refused->demand;
  execution.reason = refused->demand + ", more than " + refused->limit;
}

void take_over(const RunReport& report, const Plan& plan, Execution& execution) {
  execution.executed = !report.fault && !report.cancelled;
  execution.fault = report.fault;
  execution.is_planned_fault = report.is_planned_fault;
  execution.cancelled = report.cancelled;
  execution.saturated = report.saturated;
  if (report.fault && report.fault->step >= 0) {
    execution.fault_statement = plan.steps[static_cast<std::size_t>(report.fault->step)].statement;
  }
}

}  // namespace

Execution execute(const Program& program, const Scope& scope, const ExecutionOptions& options,
                  const Program& whole, const FaultEffects& faults) {
  Execution execution;
  if (options.estimate || program.is_sweep) {
    execution.reason = options.estimate ? "--estimate" : "a pass of a loop over a list";
    return execution;
  }
  const Plan plan = finished_plan(program, {});
  const Machine machine = with_known_axes(program.machine, plan);
  refuse(program, plan, machine, options, execution);
  if (!execution.reason.empty()) return execution;
  if (const Step* step = missing_input(plan)) {
    const auto& input = std::get<InputStep>(step->action);
    const double bytes = sizeof(double) * elements_of(plan.copies[input.result]);
    execution.fault = Fault{.message = fmt::format("no memory for the {} that `{}` loads",
                                                   format_bytes(bytes), input.seed)};
    execution.fault_statement = step->statement;
    return execution;
  }
  RunOptions run_options = run_options_of(options, whole, faults);
  std::optional<Comparer> comparer;
  if (options.verify) {
    comparer.emplace(program, machine.mesh, scope, options.inputs, options.cancelled,
                     options.threads);
  }
  const std::set<CopyId> wanted = requested_copies(program);
  if (comparer || !wanted.empty()) {
    run_options.observe = [&](CopyId id, const DeviceArray& array) {
      if (comparer) comparer->observe(id, array);
      if (wanted.count(id) != 0) execution.kept[id] = assemble(array, machine.mesh);
    };
    if (!comparer) run_options.is_observed = [&wanted](CopyId id) { return wanted.count(id) != 0; };
  }
  take_over(run(machine, plan, run_options), plan, execution);
  if (comparer) execution.comparisons = comparer->take();
  return execution;
}

}  // namespace shard

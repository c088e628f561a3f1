#include "interpreter/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "base/format.h"
#include "base/text.h"
#include "interpreter/oracle/oracle.h"
#include "runtime/executor.h"
#include "runtime/number.h"

namespace shard {

namespace {

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
    if (!is_executable(copy.dtype))
      return fmt::format("this version does not compute in {}", name_of(copy.dtype));
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

double distinct_blocks(const Plan& plan, const Mesh& mesh) {
  double blocks = 0;
  for (const Copy& copy : plan.copies) {
    blocks += size_of(axes_used(copy.layout), mesh).constant()->to_double();
  }
  return blocks;
}

// Bytes that the unsharded computation takes: of each array a value and a bound in fp64 for every element, and while an
// array is made some more of it.
double verified_bytes(const Program& program) {
  constexpr double kKept = 16;
  constexpr double kWhileMade = 32;
  std::set<ArrayId> arrays;
  double bytes = 0;
  double largest = 0;
  for (const auto& [copy, array] : program.owners) {
    if (!arrays.insert(array).second) continue;
    double elements = 1;
    for (const Amount& length : program.plan.copies[copy].shape)
      elements *= length.constant()->to_double();
    bytes += kKept * elements;
    largest = std::max(largest, elements);
  }
  return bytes + kWhileMade * largest;
}

// Compares copies as they are made, before they are freed.
class Comparer {
 public:
  Comparer(const Program& program, const Scope& scope, InputValues inputs,
           std::function<bool()> cancelled)
      : program_(program),
        oracle_(
            scope, program.machine.mesh,
            [inputs](const InputStep& input, std::uint64_t index, DType dtype) {
              return rounded_to(dtype, input_element(inputs, input, index));
            },
            [cancelled = std::move(cancelled)] {
              if (cancelled && cancelled()) throw Cancelled();
            }) {}

  void observe(CopyId id, const DeviceArray& device_array) {
    const auto owner = program_.owners.find(id);
    if (owner == program_.owners.end()) return;
    catch_up(id);
    compare(owner->second, oracle_.array(owner->second),
            assemble(device_array, program_.machine.mesh));
  }

  std::vector<Comparison> take() { return std::move(comparisons_); }

 private:
  // The flows up to the one that made this copy have to be computed first.
  void catch_up(CopyId id) {
    int statement = -1;
    for (const Step& step : program_.plan.steps) {
      if (result_of(step) == id) statement = step.statement;
    }
    const int last = std::min(statement, static_cast<int>(program_.statements.size()) - 1);
    while (next_ <= last) oracle_.run(program_.statements[static_cast<std::size_t>(next_++)].flow);
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
    for (std::size_t i = 0; i < expected.value.size(); ++i) {
      // Infinite where anything may come out, and not a number in what was computed of that.
      if (!std::isfinite(expected.bound[i])) {
        ++found->undecided;
        continue;
      }
      const double error = std::abs(computed.values[i] - expected.value[i]);
      const bool outside = !(error <= expected.bound[i]);  // a NaN is outside
      found->within = found->within && !outside;
      if (error > found->largest_error || std::isnan(error)) found->largest_error = error;
      if (error > 0)
        found->largest_share = std::max(found->largest_share, error / expected.bound[i]);
    }
  }

  const Program& program_;
  oracle::Oracle oracle_;
  int next_ = 0;
  std::vector<Comparison> comparisons_;
};

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

Execution execute(const Program& program, const Scope& scope, const ExecutionOptions& options) {
  Execution execution;
  if (options.estimate) {
    execution.reason = "--estimate";
    return execution;
  }
  if (program.is_sweep) {
    execution.reason = "a pass of a loop over a list";
    return execution;
  }
  const Plan plan = finished_plan(program, {});
  execution.reason = obstacle(plan, program.machine);
  if (!execution.reason.empty()) return execution;
  const HostDemand demand = host_demand(program.machine, plan);
  const double blocks = distinct_blocks(plan, program.machine.mesh);
  const auto refuse = [&](DiagnosticKind kind, std::string reason) {
    execution.refusal = kind;
    execution.reason = std::move(reason);
    return execution;
  };
  if (blocks > kMaxBlocks) {
    return refuse(DiagnosticKind::TooMuchWork,
                  fmt::format("running it takes {} blocks on the devices, more than {}",
                              format_number(blocks), format_number(kMaxBlocks)));
  }
  if (demand.flops > options.max_flops) {
    return refuse(DiagnosticKind::TooMuchWork,
                  fmt::format("running it takes {}, more than --max-flops {}",
                              format_flops(demand.flops), format_flops(options.max_flops)));
  }
  const double bytes = demand.bytes + (options.verify ? verified_bytes(program) : 0);
  if (bytes > options.memory) {
    return refuse(DiagnosticKind::OutOfHostMemory,
                  fmt::format("{} it takes {} of memory, more than --memory {}",
                              options.verify ? "running and verifying" : "running",
                              format_bytes(bytes), format_bytes(options.memory)));
  }
  std::optional<Comparer> comparer;
  RunOptions run_options{.threads = options.threads, .inputs = options.inputs};
  run_options.cancelled = options.cancelled;
  if (options.verify) {
    comparer.emplace(program, scope, options.inputs, options.cancelled);
  }
  std::set<CopyId> wanted;
  for (const ArrayRequest& request : program.requests) {
    wanted.insert(request.copy);
    if (request.other) wanted.insert(*request.other);
  }
  if (comparer || !wanted.empty()) {
    run_options.observe = [&](CopyId id, const DeviceArray& array) {
      if (comparer) comparer->observe(id, array);
      if (wanted.count(id) != 0) execution.kept[id] = assemble(array, program.machine.mesh);
    };
  }
  const RunReport report = run(program.machine, plan, run_options);
  execution.executed = !report.fault && !report.cancelled;
  execution.fault = report.fault;
  execution.cancelled = report.cancelled;
  execution.saturated = report.saturated;
  if (report.fault && report.fault->step >= 0) {
    execution.fault_statement = plan.steps[static_cast<std::size_t>(report.fault->step)].statement;
  }
  if (comparer) execution.comparisons = comparer->take();
  return execution;
}

}  // namespace shard

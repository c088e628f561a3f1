#include "interpreter/estimate/memory_breakdown.h"

#include <map>

#include "interpreter/program/step_text.h"
#include "runtime/cost/cost.h"

namespace shard {

namespace {

// Maps copies to the steps that make them.
class Makers {
 public:
  explicit Makers(const Program& program) : program_(program) {
    for (std::size_t i = 0; i < program.plan.steps.size(); ++i) {
      if (result_of(program.plan.steps[i]).valid()) steps_[result_of(program.plan.steps[i])] = i;
    }
  }

  // Index in Program::steps.
  std::size_t step(CopyId copy) const { return steps_.at(copy); }

  std::string text(CopyId copy) const {
    const std::size_t i = step(copy);
    const Step& step = program_.plan.steps[i];
    if (const auto* input = std::get_if<InputStep>(&step.action))
      return is_fill(input->kind) ? "filled" : "input";
    if (is_shown(step)) return step_text(program_, i);
    const auto statement = static_cast<std::size_t>(step.statement);
    return step.statement >= 0 && statement < program_.statements.size()
               ? *program_.statements[statement].text
               : "";
  }

 private:
  const Program& program_;
  std::map<CopyId, std::size_t> steps_;
};

double bytes_of(const Copy& copy, const Mesh& mesh) {
  const auto bytes = local_bytes(copy.shape, copy.dtype, copy.layout, mesh).constant();
  return bytes ? bytes->to_double() : 0;
}

}  // namespace

std::vector<HeldCopy> held_at_peak(const Program& program, const PeakMemory& peak) {
  const Makers makers(program);
  std::vector<HeldCopy> held;
  for (const CopyId id : peak.copies) {
    const Copy& copy = program.plan.copies[id];
    held.push_back({copy.name + to_string(copy.layout, copy.dimensions, program.machine.mesh),
                    bytes_of(copy, program.machine.mesh), makers.text(id)});
  }
  return held;
}

std::vector<StepMemory> memory_by_step(const Program& program, const Figures& figures) {
  const MemorySchedule schedule = memory_schedule(program, figures.timeline, figures.faults);
  const Makers makers(program);
  std::vector<StepMemory> steps;
  for (const MemoryUse& use : memory_by_step(schedule, program.plan, program.machine.mesh)) {
    const Step& step = *schedule.events[static_cast<std::size_t>(use.event)].step;
    if (std::holds_alternative<InputStep>(step.action)) continue;
    steps.push_back({makers.text(result_of(step)), step.statement, use.bytes});
  }
  return steps;
}

std::vector<MemoryAt> memory_on_timeline(const Program& program, const Figures& figures) {
  return memory_over_time(memory_schedule(program, figures.timeline, figures.faults), program.plan,
                          program.machine.mesh);
}

}  // namespace shard

#include "interpreter/estimate/fault_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/contains.h"
#include "base/format.h"
#include "base/words.h"
#include "interpreter/estimate/run_timeline.h"
#include "interpreter/program/step_text.h"
#include "runtime/cost/exposed_time.h"
#include "runtime/plan/device_layout.h"

namespace shard {

namespace {

double seconds_of(const Cost& cost) {
  const auto seconds = cost.time().constant();
  return seconds ? seconds->to_double() : 0;
}

// The machine after each failure of a link.
std::vector<std::shared_ptr<const Machine>> machines_of(const Program& program) {
  std::vector<std::shared_ptr<const Machine>> machines;
  for (const Rational& time : link_fault_times(program.machine))
    machines.push_back(std::make_shared<const Machine>(machine_at(program.machine, time)));
  return machines;
}

// Whether one of the links along the step's axes fails later.
bool may_change(const Step& step, const Machine& machine) {
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  if (collective == nullptr) return false;
  const auto& links = machine.faults.links;
  return std::any_of(links.begin(), links.end(), [&](const LinkFault& fault) {
    return contains(collective->axes, fault.link.axis);
  });
}

// A computation needs the devices of its result, a move those of both ends.
bool uses_device(const Step& step, std::int64_t device, const Program& program) {
  const auto has = [&](CopyId copy) {
    return holds(device, program.plan.copies[copy].layout, program.machine.mesh);
  };
  if (std::holds_alternative<InputStep>(step.action) || !result_of(step).valid()) return false;
  if (has(result_of(step))) return true;
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  return collective != nullptr && has(collective->operand);
}

std::string device_text(std::int64_t device, const Mesh& mesh) {
  std::vector<std::string> coordinate;
  for (const std::int64_t one : coordinates(mesh, device))
    coordinate.push_back(std::to_string(one));
  return fmt::format("device {} at ({})", device, join(coordinate, ","));
}

class Effects {
 public:
  // `known`: a failure at which the timeline ends; only earlier steps of the script are searched for another one.
  Effects(const Program& program, const std::optional<Timeline>& timeline,
          const std::optional<Failure>& known)
      : program_(program), timeline_(timeline), known_(known), machines_(machines_of(program)) {}

  FaultEffects find() {
    effects_.marks = fault_marks(program_.machine);
    if (effects_.marks.empty()) return std::move(effects_);
    const auto is_late = [](const FaultMark& mark) { return mark.at > 0; };
    effects_.is_unknown = !timeline_ && !program_.statements.empty() &&
                          std::any_of(effects_.marks.begin(), effects_.marks.end(), is_late);
    const Machine healthy = without_faults(program_.machine);
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      if (is_before_failure(i)) {
        find_reroute(i);
        if (!effects_.failure) effects_.failure = failure_at(i);
      }
      if (timeline_) effects_.delays.push_back(delay_of(i, healthy));
    }
    if (!effects_.failure) effects_.failure = known_;
    return std::move(effects_);
  }

 private:
  const Step& step(std::size_t i) const { return program_.plan.steps[i]; }

  bool is_before_failure(std::size_t i) const { return !known_ || i < known_->step; }

  void find_reroute(std::size_t i) {
    if (!timeline_ || !may_change(step(i), program_.machine)) return;
    const TimedStep& timed = timeline_->steps[i];
    std::size_t changes = timed.changes;
    // The end of the run is a change of the timeline, but not of the machine.
    if (known_ && changes > 0 && known_->at < timed.end) --changes;
    if (changes > 0) effects_.rerouted[result_of(step(i))] = machines_[changes - 1];
  }

  double delay_of(std::size_t i, const Machine& healthy) const {
    const TimedStep& timed = timeline_->steps[i];
    if (timed.streams.empty()) return 0;
    const double usual = seconds_of(cost_of(step(i), program_.plan, healthy));
    const double delay = timed.end - timed.start - usual;
    // The two times are sums of the same terms in different orders; less than a billionth is rounding, not a delay.
    constexpr double kRounding = 1e-9;
    return delay > kRounding * usual ? delay : 0;
  }

  // A failure, and the time since which its cause has been broken.
  struct Since {
    double time = 0;
    Failure failure;
  };

  // The earlier failure, of links or devices; links if both fail at once.
  std::optional<Failure> failure_at(std::size_t i) const {
    auto severed = severed_at(i);
    auto stopped = stopped_at(i);
    if (severed && stopped) (stopped->time < severed->time ? severed : stopped).reset();
    if (severed) return std::move(severed->failure);
    if (stopped) return std::move(stopped->failure);
    return std::nullopt;
  }

  std::optional<Since> stopped_at(std::size_t i) const {
    const DeviceFault* first = nullptr;
    for (const DeviceFault& fault : program_.machine.faults.devices) {
      const bool matters =
          uses_device(step(i), fault.device, program_) && runs_after(i, fault.at.to_double());
      if (matters && (first == nullptr || fault.at < first->at)) first = &fault;
    }
    if (first == nullptr) return std::nullopt;
    const double at = first->at.to_double();
    const std::string when = first->at.is_zero() ? "" : " at " + format_seconds(at);
    return Since{
        at, Failure{.step = i,
                    .kind = DiagnosticKind::DeviceFailed,
                    .device = static_cast<int>(first->device),
                    .at = std::max(at, start_of(i)),
                    .message = fmt::format("{} has failed{}, and `{}` needs it",
                                           device_text(first->device, program_.machine.mesh), when,
                                           step_text(program_, i))}};
  }

  std::optional<Since> severed_at(std::size_t i) const {
    Since severed{.failure = {.step = i, .at = start_of(i)}};
    Failure& failure = severed.failure;
    if (program_.steps[i].cost->severed) {
      failure.message = severed_message(program_, i, program_.machine);
      failure.was_reported = true;
      return severed;
    }
    const auto rerouted = effects_.rerouted.find(result_of(step(i)));
    if (rerouted == effects_.rerouted.end()) return std::nullopt;
    const Machine& then = *rerouted->second;
    if (!cost_of(step(i), program_.plan, then).severed) return std::nullopt;
    // The first failure that cut the devices off.
    const auto times = link_fault_times(program_.machine);
    for (std::size_t change = 0; change < machines_.size(); ++change) {
      if (!cost_of(step(i), program_.plan, *machines_[change]).severed) continue;
      severed.time = times[change].to_double();
      failure.at = std::max(failure.at, severed.time);
      failure.message = severed_message(program_, i, *machines_[change], severed.time);
      break;
    }
    return severed;
  }

  double start_of(std::size_t i) const { return timeline_ ? timeline_->steps[i].start : 0; }
  bool runs_after(std::size_t i, double at) const {
    if (!timeline_) return at <= 0;
    return timeline_->steps[i].end > at || timeline_->steps[i].start >= at;
  }

  const Program& program_;
  const std::optional<Timeline>& timeline_;
  const std::optional<Failure>& known_;
  std::vector<std::shared_ptr<const Machine>> machines_;
  FaultEffects effects_;
};

// Those of the step's axes whose failed links alone leave it without a way; routed blocks can avoid the failed links of
// other axes. All axes if no single one is to blame.
std::vector<AxisId> severing_axes(const Program& program, std::size_t step,
                                  const Machine& machine) {
  const std::vector<AxisId>& axes = communication_axes(program.plan.steps[step]);
  std::vector<AxisId> severing;
  for (const AxisId axis : axes) {
    Machine alone = machine;
    for (const AxisId other : axes) {
      if (other == axis) continue;
      for (TorusAxis& torus : alone.mesh.axes[other].torus) torus.cuts.clear();
    }
    if (cost_of(program.plan.steps[step], program.plan, alone).severed) severing.push_back(axis);
  }
  return severing.empty() ? axes : severing;
}

// The changes of the times, but from the failure on the failing step and all after it take no time.
std::vector<TimelineChange> changes_until(const Failure& failure, const Program& program) {
  std::vector<TimelineChange> changes = changes_of(program);
  auto behind = std::find_if(changes.begin(), changes.end(),
                             [&](const TimelineChange& one) { return one.at > failure.at; });
  TimelineChange end{failure.at, {}};
  if (behind != changes.begin()) {
    end.seconds = std::prev(behind)->seconds;
  } else {
    for (const StepRecord& step : program.steps) end.seconds.push_back(seconds_of(*step.cost));
  }
  behind = changes.insert(behind, std::move(end));
  for (; behind != changes.end(); ++behind)
    std::fill(behind->seconds.begin() + static_cast<std::ptrdiff_t>(failure.step),
              behind->seconds.end(), 0.0);
  return changes;
}

}  // namespace

RunTimeline run_timeline(const Program& program, bool has_times) {
  std::vector<const Cost*> costs;
  for (const StepRecord& step : program.steps) costs.push_back(step.cost.get());
  const auto simulate = [&](const std::vector<TimelineChange>& changes) {
    return timeline_of(program.plan, costs, program.machine.mesh, kPrefetch, changes);
  };
  RunTimeline run;
  if (has_times) run.timeline = simulate(changes_of(program));
  run.faults = effects_of(program, run.timeline);
  // Without the failing step, the steps before it may run at other times, and one of them may fail. The failing step
  // gets earlier each time, so this ends.
  std::optional<Failure> failure;
  while (run.timeline && run.faults.failure &&
         (!failure || run.faults.failure->step < failure->step)) {
    failure = run.faults.failure;
    run.timeline = simulate(changes_until(*failure, program));
    run.faults = Effects(program, run.timeline, failure).find();
  }
  if (failure) end_at(*failure, *run.timeline);
  return run;
}

std::vector<TimelineChange> changes_of(const Program& program) {
  std::vector<TimelineChange> changes;
  const auto times = link_fault_times(program.machine);
  const auto machines = machines_of(program);
  for (std::size_t change = 0; change < machines.size(); ++change) {
    TimelineChange& next = changes.emplace_back(TimelineChange{times[change].to_double(), {}});
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      const Step& step = program.plan.steps[i];
      // A collective that cannot run ends the run; until then it keeps its pace.
      const Cost cost = may_change(step, program.machine)
                            ? cost_of(step, program.plan, *machines[change])
                            : *program.steps[i].cost;
      next.seconds.push_back(seconds_of(cost.severed ? *program.steps[i].cost : cost));
    }
  }
  return changes;
}

FaultEffects effects_of(const Program& program, const std::optional<Timeline>& timeline) {
  return Effects(program, timeline, std::nullopt).find();
}

void end_at(const Failure& failure, Timeline& timeline) {
  timeline.end = failure.at;
  for (std::size_t i = 0; i < timeline.steps.size(); ++i) {
    TimedStep& step = timeline.steps[i];
    if (i < failure.step) {
      timeline.end = std::max(timeline.end, step.end);
      continue;
    }
    if (step.start >= failure.at) step.streams.clear();
    step.start = std::min(step.start, failure.at);
    step.end = std::min(step.end, failure.at);
  }
  set_exposed(timeline);
}

bool report_failure(const Program& program, const FaultEffects& effects, DiagnosticSink& sink) {
  if (effects.failure && !effects.failure->was_reported) {
    const int statement = program.plan.steps[effects.failure->step].statement;
    sink.report({.kind = effects.failure->kind,
                 .span = program.statements[static_cast<std::size_t>(statement)].span,
                 .message = effects.failure->message});
  }
  return effects.failure.has_value();
}

bool report_unknown_times(const Program& program, const FaultEffects& effects,
                          DiagnosticSink& sink) {
  if (!effects.is_unknown) return false;
  sink.report({.kind = DiagnosticKind::BadFault,
               .span = program.statements.front().span,
               .message = "times are formulas here, so what has failed at a step is not known",
               .help = {"declare hardware and sizes, or let it fail from the start"}});
  return true;
}

std::string severed_message(const Program& program, std::size_t step, const Machine& machine,
                            std::optional<double> at) {
  const auto statement = static_cast<std::size_t>(program.plan.steps[step].statement);
  const StatementRecord* written =
      statement < program.statements.size() ? &program.statements[statement] : nullptr;
  const auto* collective =
      written == nullptr ? nullptr
                         : std::get_if<checked::Collective>(&written->flow.form()->value.node);
  const bool is_send = collective != nullptr && collective->sent_from.has_value();
  return fmt::format("`{}` cannot run: {}", is_send ? *written->text : step_text(program, step),
                     severed_text(severing_axes(program, step, machine), machine.mesh, at));
}

}  // namespace shard

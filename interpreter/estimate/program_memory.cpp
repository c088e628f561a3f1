#include "interpreter/estimate/program_memory.h"

#include <algorithm>
#include <future>
#include <limits>
#include <system_error>

#include "interpreter/estimate/run_timeline.h"

namespace shard {

namespace {

constexpr double kDoesNotRun = std::numeric_limits<double>::infinity();

std::vector<Event> events_in_order(const Program& program) {
  return run_order(program.plan, {}, program.ended);
}

// When each copy is first read.
std::vector<double> first_reads(const Program& program, const Timeline& timeline) {
  std::vector<double> first(program.plan.copies.size(), kDoesNotRun);
  for (std::size_t i = 0; i < program.plan.steps.size(); ++i) {
    for_each_operand(program.plan.steps[i], [&](CopyId operand) {
      double& when = first[static_cast<std::size_t>(operand.value)];
      when = std::min(when, timeline.steps[i].start);
    });
  }
  return first;
}

// By event; inputs are there from the start, but for those that are filled where they are first read.
std::vector<Interval> times_of(const std::vector<Event>& events, const Program& program,
                               const Timeline& timeline, const std::optional<Failure>& failure) {
  std::vector<Interval> when(events.size());
  const std::vector<double> reads = first_reads(program, timeline);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Step* step = events[i].step;
    if (step == nullptr || is_there_before(*step)) continue;
    if (const auto* filled = std::get_if<InputStep>(&step->action)) {
      const double read = reads[static_cast<std::size_t>(filled->result.value)];
      const bool is_read = read < kDoesNotRun;
      when[i] = is_read ? Interval{read, read} : Interval{};
      continue;
    }
    const auto index = static_cast<std::size_t>(step - program.plan.steps.data());
    const TimedStep& timed = timeline.steps[index];
    const bool runs = !failure || index < failure->step || timed.start < failure->at;
    when[i] = runs ? Interval{timed.start, timed.end} : Interval{kDoesNotRun, kDoesNotRun};
  }
  return when;
}

MemorySchedule script_schedule(const Program& program, const std::optional<Timeline>& timeline,
                               const FaultEffects& faults) {
  std::vector<Event> events = events_in_order(program);
  if (!timeline || !faults.failure) return in_order(std::move(events));
  const std::vector<Interval> when = times_of(events, program, *timeline, faults.failure);
  return in_order(std::move(events), when);
}

// Starts the computation on a thread of its own if the program is long and a thread can be had, else defers it.
template <class Reckon>
std::future<PeakMemory> begin(const Program& program, const Reckon& reckon) {
  // Short programs, such as cost blocks, do not pay for starting a thread.
  constexpr std::size_t kLong = 4096;  // steps
  if (program.steps.size() >= kLong) {
    try {
      return std::async(std::launch::async, reckon);
    } catch (const std::system_error&) {
      // No thread to be had: computed when it is asked for.
    }
  }
  return std::async(std::launch::deferred, reckon);
}

}  // namespace

MemorySchedule memory_schedule(const Program& program, const std::optional<Timeline>& timeline,
                               const FaultEffects& faults) {
  if (!timeline) return script_schedule(program, timeline, faults);
  std::vector<Event> events = events_in_order(program);
  std::vector<Interval> when = times_of(events, program, *timeline, faults.failure);
  return on_timeline(std::move(events), std::move(when), program.plan);
}

std::optional<std::future<PeakMemory>> begin_memory_in_order(const Program& program) {
  if (has_faults(program.machine)) return std::nullopt;
  return begin(program, [&] {
    return peak_memory(in_order(events_in_order(program)), program.plan, program.machine.mesh);
  });
}

ProgramMemory memory_of(const Program& program, const std::optional<Timeline>& timeline,
                        const FaultEffects& faults, std::optional<std::future<PeakMemory>> begun) {
  const Mesh& mesh = program.machine.mesh;
  std::future<PeakMemory> script = begun ? *std::move(begun) : begin(program, [&] {
    return peak_memory(script_schedule(program, timeline, faults), program.plan, mesh);
  });
  ProgramMemory memory;
  if (timeline)
    memory.peak = peak_memory(memory_schedule(program, timeline, faults), program.plan, mesh);
  PeakMemory in_order = script.get();
  memory.in_order = in_order.bytes;
  if (!timeline) memory.peak = std::move(in_order);
  return memory;
}

ProgramMemory memory_of(const Program& program) {
  const bool has_times =
      std::all_of(program.steps.begin(), program.steps.end(),
                  [](const StepRecord& step) { return step.cost->time().constant().has_value(); });
  auto in_order = begin_memory_in_order(program);
  const RunTimeline run = run_timeline(program, has_times);
  return memory_of(program, run.timeline, run.faults, std::move(in_order));
}

}  // namespace shard

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

// By step: when it runs, with what follows from fills alone and takes no time, as the fill itself or an element of it, where it is
// first read. On the timeline nothing holds such a step back, and the zeros of each pass of a loop would all be there from the
// beginning.
std::vector<Interval> times_of_steps(const Program& program, const Timeline& timeline) {
  const auto& steps = program.plan.steps;
  std::vector<char> is_filled(program.plan.copies.size(), 0);
  const auto filled = [&](CopyId copy) -> char& {
    return is_filled[static_cast<std::size_t>(copy.value)];
  };
  const auto waits_for_reader = [&](std::size_t i) {
    if (const auto* input = std::get_if<InputStep>(&steps[i].action)) return is_fill(input->kind);
    bool all = timeline.steps[i].start == timeline.steps[i].end;
    for_each_operand(steps[i], [&](CopyId operand) { all = all && filled(operand) != 0; });
    return all;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (result_of(steps[i]).valid() && waits_for_reader(i)) filled(result_of(steps[i])) = 1;
  }
  std::vector<double> read(program.plan.copies.size(), kDoesNotRun);
  std::vector<Interval> times(steps.size());
  for (std::size_t i = steps.size(); i-- > 0;) {
    times[i] = {timeline.steps[i].start, timeline.steps[i].end};
    const CopyId result = result_of(steps[i]);
    if (result.valid() && filled(result) != 0) {
      const double first = read[static_cast<std::size_t>(result.value)];
      if (first < kDoesNotRun) times[i] = {first, first};
    }
    for_each_operand(steps[i], [&](CopyId operand) {
      double& first = read[static_cast<std::size_t>(operand.value)];
      first = std::min(first, times[i].start);
    });
  }
  return times;
}

// By event; inputs are there from the start.
std::vector<Interval> times_of(const std::vector<Event>& events, const Program& program,
                               const Timeline& timeline, const std::optional<Failure>& failure) {
  std::vector<Interval> when(events.size());
  const std::vector<Interval> steps = times_of_steps(program, timeline);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Step* step = events[i].step;
    if (step == nullptr || is_there_before(*step)) continue;
    const auto index = static_cast<std::size_t>(step - program.plan.steps.data());
    const Interval& timed = steps[index];
    const bool runs = !failure || index < failure->step || timed.start < failure->at;
    when[i] = runs ? timed : Interval{kDoesNotRun, kDoesNotRun};
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

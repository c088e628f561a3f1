#include "interpreter/report/timeline_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/cancellation.h"
#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "grammar/source/visible.h"
#include "interpreter/estimate/memory_breakdown.h"
#include "interpreter/program/step_text.h"
#include "interpreter/report/bar_chart.h"
#include "runtime/cost/exposed_time.h"
#include "runtime/plan/places.h"

namespace shard {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMicroseconds = 1e6;

std::vector<std::size_t> by_start(const Timeline& timeline) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < timeline.steps.size(); ++i) {
    if (!timeline.steps[i].streams.empty()) steps.push_back(i);
  }
  std::stable_sort(steps.begin(), steps.end(), [&](std::size_t a, std::size_t b) {
    return timeline.steps[a].start < timeline.steps[b].start;
  });
  return steps;
}

// Drawn at its time, if that is before the end.
std::string mark_line(const FaultMark& mark, double end) {
  const bool is_shown = mark.at <= end && end > 0;
  const double share = is_shown ? mark.at / end : 0;
  std::string line =
      fmt::format("  {} |{}|", fitted(mark.text), bar(share, share, is_shown ? "!" : " "));
  if (mark.at > 0) line += fmt::format("   at {}", format_seconds(mark.at));
  return line + "\n";
}

std::string stream_names(const TimedStep& step, const Timeline& timeline) {
  std::vector<std::string> names;
  for (const std::size_t stream : step.streams) {
    const Stream& one = timeline.streams[stream];
    const std::string& place = timeline.places[one.place];
    names.push_back(place.empty() ? one.name : fmt::format("{} ({})", one.name, place));
  }
  // Streams per row; the others are counted, so that a step over many axes keeps to one line.
  constexpr std::size_t kMost = 4;
  if (names.size() > kMost) {
    const std::size_t more = names.size() - kMost;
    names.resize(kMost);
    names.push_back(fmt::format("{} more", more));
  }
  return join(names, ", ");
}

// The name under which a trace draws a stream.
Json thread_name(std::size_t process, std::size_t thread, const std::string& name) {
  return {{"name", "thread_name"},
          {"ph", "M"},
          {"pid", process},
          {"tid", thread},
          {"args", {{"name", name}}}};
}

Json event(const Program& program, std::size_t index, const TimedStep& step) {
  const StepRecord& record = program.steps[index];
  const int statement = program.plan.steps[index].statement;
  Json args{{"step", index}, {"critical", step.is_critical()}};
  if (statement >= 0 && static_cast<std::size_t>(statement) < program.statements.size())
    args["statement"] = *program.statements[static_cast<std::size_t>(statement)].text;
  const auto add = [&](const char* name, const Amount& amount) {
    if (const auto number = amount.constant(); number && !number->is_zero())
      args[name] = number->to_double();
  };
  add("flops", record.cost->flops);
  add("hbm_bytes", record.cost->hbm_bytes);
  add("comm_bytes", record.cost->comm_bytes);
  return {
      {"name", step_text(program, index)},
      {"cat", communication_axes(program.plan.steps[index]).empty() ? "compute" : "communication"},
      {"ph", "X"},
      {"ts", step.start * kMicroseconds},
      {"dur", (step.end - step.start) * kMicroseconds},
      {"pid", 0},
      {"tid", 0},
      {"args", std::move(args)}};
}

// Processes are numbered from `first`.
void add_program(const Program& program, const Timeline& timeline, const FaultEffects& faults,
                 std::size_t first, const std::string& name, Json& events) {
  for (std::size_t place = 0; place < timeline.places.size(); ++place) {
    const std::string& its = timeline.places[place];
    events.push_back(
        {{"name", "process_name"},
         {"ph", "M"},
         {"pid", first + place},
         {"tid", 0},
         {"args", {{"name", name + (its.empty() ? "every device" : "devices " + at_place(its))}}}});
  }
  for (std::size_t i = 0; i < timeline.streams.size(); ++i)
    events.push_back(thread_name(first + timeline.streams[i].place, i, timeline.streams[i].name));
  // Instant events, across all threads of a process.
  for (const FaultMark& mark : faults.marks) {
    for (std::size_t place = 0; place < timeline.places.size(); ++place)
      events.push_back({{"name", mark.text},
                        {"cat", "fault"},
                        {"ph", "i"},
                        {"s", "p"},
                        {"ts", mark.at * kMicroseconds},
                        {"pid", first + place},
                        {"tid", 0}});
  }
  for (const std::size_t i : by_start(timeline)) {
    throw_if_cancelled();
    Json one = event(program, i, timeline.steps[i]);
    if (i < faults.delays.size() && faults.delays[i] > 0)
      one["args"]["delay_us"] = faults.delays[i] * kMicroseconds;
    for (const std::size_t stream : timeline.steps[i].streams) {
      one["pid"] = first + timeline.streams[stream].place;
      one["tid"] = stream;
      events.push_back(one);
    }
  }
}

// "busy: compute 97.0 %, X 31.2 %"; of several places the busiest one, by name.
std::string busy_text(const Timeline& timeline) {
  const std::vector<double> busy = busy_seconds(timeline);
  std::vector<std::size_t> busiest;  // by name
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const auto same = std::find_if(busiest.begin(), busiest.end(), [&](std::size_t other) {
      return timeline.streams[other].name == timeline.streams[i].name;
    });
    if (same == busiest.end())
      busiest.push_back(i);
    else if (busy[i] > busy[*same])
      *same = i;
  }
  std::vector<std::string> shares;
  for (const std::size_t i : busiest) {
    if (busy[i] <= 0) continue;
    const std::string& place = timeline.places[timeline.streams[i].place];
    shares.push_back(fmt::format("{} {:.1f} %{}", timeline.streams[i].name,
                                 100 * busy[i] / timeline.end,
                                 place.empty() ? "" : " " + at_place(place)));
  }
  const std::string text =
      fmt::format("  busy{}: {}", timeline.places.size() > 1 ? ", each at its busiest place" : "",
                  join(shares, ", "));
  return (line_width() < kLineWidth ? hanging_line(text) : text) + "\n";
}

// The bytes alive, as a curve.
void add_memory(const Program& program, const Figures& figures, std::size_t process, Json& events) {
  for (const MemoryAt& at : memory_on_timeline(program, figures))
    events.push_back({{"name", "memory of the fullest device"},
                      {"ph", "C"},
                      {"ts", at.seconds * kMicroseconds},
                      {"pid", process},
                      {"tid", 0},
                      {"args", {{"bytes", at.bytes}}}});
}

}  // namespace

namespace {

// A picture of more steps is no longer read step by step: then each stream has one row, or each stage of a pipeline.
constexpr std::size_t kMostSteps = 40;

// What a place computes, in front of what its links carry; and how busy it is with the first, and its busiest link.
std::string stage_rows(const Timeline& timeline) {
  const std::size_t places = timeline.places.size();
  std::vector<DensityBar> computing(places);
  std::vector<DensityBar> sending(places);
  for (const TimedStep& step : timeline.steps) {
    for (const std::size_t stream : step.streams) {
      auto& bars = timeline.streams[stream].computes ? computing : sending;
      bars[timeline.streams[stream].place].add(step.start / timeline.end, step.end / timeline.end);
    }
  }
  const std::vector<double> busy = busy_seconds(timeline);
  std::string text;
  for (std::size_t place = 0; place < std::min(places, kMostRows); ++place) {
    double computes = 0;
    double sends = 0;
    for (std::size_t i = 0; i < timeline.streams.size(); ++i) {
      if (timeline.streams[i].place != place) continue;
      double& share = timeline.streams[i].computes ? computes : sends;
      share = std::max(share, busy[i] / timeline.end);
    }
    text += fmt::format("  {} |{}| {:3.0f} % {:3.0f} %\n", fitted(timeline.places[place]),
                        computing[place].over(sending[place]), 100 * computes, 100 * sends);
  }
  if (places > kMostRows) text += fmt::format("  and {} more stages\n", places - kMostRows);
  return text;
}

std::string stream_rows(const Timeline& timeline) {
  std::vector<DensityBar> bars(timeline.streams.size());
  for (const TimedStep& step : timeline.steps) {
    for (const std::size_t stream : step.streams)
      bars[stream].add(step.start / timeline.end, step.end / timeline.end);
  }
  const std::vector<double> busy = busy_seconds(timeline);
  std::string text;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < timeline.streams.size(); ++i) {
    if (busy[i] <= 0 || ++rows > kMostRows) continue;
    text += fmt::format("  {} |{}| {:5.1f} % busy\n", fitted(timeline.streams[i].name),
                        bars[i].text(), 100 * busy[i] / timeline.end);
  }
  if (rows > kMostRows) text += fmt::format("  and {} more streams\n", rows - kMostRows);
  return text;
}

std::string step_rows(const Program& program, const Figures& figures,
                      const std::vector<std::size_t>& steps) {
  const Timeline& timeline = *figures.timeline;
  std::string text;
  for (const std::size_t i : steps) {
    const TimedStep& step = timeline.steps[i];
    const bool computes = timeline.streams[step.streams.front()].computes;
    const auto& delays = figures.faults.delays;
    const double delay = delays.empty() ? 0 : delays[i];
    const std::string drawn =
        fmt::format("  {} |{}|", fitted(step_text(program, i)),
                    bar(step.start / timeline.end, step.end / timeline.end, computes ? "█" : "▒"));
    const std::string said =
        fmt::format("{} {}{}", step.is_critical() ? "*" : " ", stream_names(step, timeline),
                    delay > 0 ? fmt::format("; {} longer for a fault", format_seconds(delay)) : "");
    // A narrow window has room for no more than the bar.
    const bool is_below =
        line_width() < kLineWidth && display_width(drawn) + 1 + display_width(said) > line_width();
    std::string line = is_below ? drawn + "\n" + hanging_line("    " + said) : drawn + " " + said;
    while (line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string timeline_text(const Program& program, const Figures& figures) {
  if (!figures.timeline) return "";
  const Timeline& timeline = *figures.timeline;
  const std::vector<std::size_t> steps = by_start(timeline);
  if (steps.empty()) return "";
  const bool is_long = steps.size() > kMostSteps;
  const bool has_stages = timeline.places.size() > 1;
  const std::string legend =
      is_long ? fmt::format("{}, of {} steps; --trace FILE has each of them",
                            has_stages ? "one row a stage: █ computes, ░ its links alone are busy, "
                                         "and how much of the time each is"
                                       : "one row a stream",
                            format_integer(static_cast<std::int64_t>(steps.size())))
              : "* the whole waits for it";
  std::string text = wrapped_text(
      fmt::format("timeline: {}; {}\n",
                  figures.faults.failure
                      ? "the run ends at " + format_seconds(timeline.end)
                      : fmt::format("{}, communication exposed {}", format_seconds(timeline.end),
                                    format_seconds(timeline.exposed)),
                  legend));
  for (const FaultMark& mark : figures.faults.marks) text += mark_line(mark, timeline.end);
  text += !is_long     ? step_rows(program, figures, steps)
          : has_stages ? stage_rows(timeline)
                       : stream_rows(timeline);
  return text + busy_text(timeline);
}

std::string why_no_timeline(const Figures& figures) {
  if (!figures.timeline) return "sizes or hardware are not given";
  if (!by_start(*figures.timeline).empty()) return "";
  return figures.faults.failure ? "nothing runs before the failure" : "nothing takes time";
}

std::string why_no_trace(const Outcome& outcome) {
  if (outcome.programs.empty()) return "nothing runs";
  for (const ProgramReport& program : outcome.programs) {
    if (why_no_timeline(program.figures).empty()) return "";
  }
  return why_no_timeline(outcome.programs.front().figures);
}

std::string trace_json(const Outcome& outcome, const RunnerState& state) {
  Json events = Json::array();
  std::size_t process = 0;
  for (std::size_t i = 0; i < outcome.programs.size(); ++i) {
    const auto& timeline = outcome.programs[i].figures.timeline;
    if (!timeline) continue;
    const std::string name = outcome.programs.size() > 1 ? fmt::format("program {}: ", i + 1) : "";
    add_program(state.programs[i], *timeline, outcome.programs[i].figures.faults, process, name,
                events);
    if (has_all_sizes(state.programs[i]))
      add_memory(state.programs[i], outcome.programs[i].figures, process, events);
    process += timeline->places.size();
  }
  const Json json{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}};
  return visible_json(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace shard

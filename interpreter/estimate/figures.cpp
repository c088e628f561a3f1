#include "interpreter/estimate/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "base/words.h"
#include "interpreter/estimate/run_timeline.h"
#include "runtime/cost/exposed_time.h"

namespace shard {

namespace {

// A time of the timeline. If it equals one of the figures up to rounding, that figure, so that the two compare equal.
Formula exact_or_near(double seconds, std::initializer_list<const Formula*> figures) {
  // The timeline adds in floating point what figures add exactly.
  constexpr double kRounding = 1e-9;
  for (const Formula* figure : figures) {
    const auto exact = figure->constant();
    if (exact && std::abs(exact->to_double() - seconds) <= kRounding * seconds) return *figure;
  }
  return to_seconds(seconds);
}

using FigureReading = std::optional<Quantity>;

template <Formula Totals::*Value>
FigureReading total_seconds(const Figures& figures) {
  return Quantity{figures.totals.most.*Value, kSeconds};
}
template <Formula Totals::*Value>
FigureReading total_volume(const Figures& figures) {
  return Quantity{figures.totals.most.*Value, kBytes};
}
FigureReading total_flops(const Figures& figures) {
  return Quantity{figures.totals.most.flops, kFlops};
}

FigureReading timeline_end(const Figures& figures) {
  if (!figures.timeline) return std::nullopt;
  const Totals& most = figures.totals.most;
  return Quantity{exact_or_near(figures.timeline->end, {&most.time, &most.lower, &most.upper}),
                  kSeconds};
}
FigureReading exposed_seconds(const Figures& figures) {
  if (!figures.timeline) return std::nullopt;
  return Quantity{to_seconds(figures.timeline->exposed), kSeconds};
}
FigureReading critical_seconds(const Figures& figures) {
  if (!figures.timeline) return std::nullopt;
  return Quantity{to_seconds(shard::critical_seconds(*figures.timeline)), kSeconds};
}
FigureReading bytes_at_peak(const Figures& figures) {
  return Quantity{figures.memory.peak.bytes, kBytes};
}
FigureReading bytes_in_order(const Figures& figures) {
  return Quantity{figures.memory.in_order, kBytes};
}

constexpr BlockFigure kBlockFigures[] = {
    {"flops", total_flops, "operations on numbers"},
    {"comm_bytes", total_volume<&Totals::comm_bytes>, "what collectives move"},
    {"hbm_bytes", total_volume<&Totals::hbm_bytes>, "what is read from HBM and written to it"},
    {"math", total_seconds<&Totals::math>, "FLOPs over the chip's FLOP/s"},
    {"hbm", total_seconds<&Totals::hbm>, "HBM bytes over its bandwidth"},
    {"comms", total_seconds<&Totals::comms>, "time of the collectives; c.comms(X) of those over X"},
    {"time", total_seconds<&Totals::time>, "max(math, hbm) + comms, statement by statement"},
    {"lower", total_seconds<&Totals::lower>, "all overlapped"},
    {"upper", total_seconds<&Totals::upper>, "nothing overlapped"},
    {"timeline", timeline_end, "what is independent overlapped"},
    {"exposed", exposed_seconds, "communication that nothing hides"},
    {"critical", critical_seconds, "communication that the whole waits for"},
    {"bound", nullptr, "compute, memory, communication or latency"},
    {"fits", nullptr, "whether the chip has the bytes of peak_memory"},
    {"peak_memory", bytes_at_peak, "bytes alive at once as the timeline has it"},
    {"peak_memory_in_order", bytes_in_order, "the same with one step after the other"},
    {"latency", total_seconds<&Totals::comms_latency>,
     "the hops alone: when the first byte of a send is there"},
    {"steps", nullptr, "its steps, dearest first: print c.steps, or why c"},
};

// Other words for figures. A word may have one of them in front or at its end: `total_communication`, `comm_time`.
struct FigureWord {
  std::string_view word;
  std::string_view figure;
};
constexpr FigureWord kFigureWords[] = {
    {"peak_mem", "peak_memory"},
    {"max_memory", "peak_memory"},
    {"hbm_time", "hbm"},
    {"memory_time", "hbm"},
    {"memory_bytes", "hbm_bytes"},
    {"memory_traffic", "hbm_bytes"},
    {"bytes_moved", "comm_bytes"},
    {"bytes_sent", "comm_bytes"},
    {"network_bytes", "comm_bytes"},
    {"communication_bytes", "comm_bytes"},
    {"comms_bytes", "comm_bytes"},
    {"bottleneck", "bound"},
    {"communication", "comms"},
    {"comm", "comms"},
    {"collective", "comms"},
    {"network", "comms"},
    {"ici", "comms"},
    {"compute", "math"},
    {"computation", "math"},
    {"flops_time", "math"},
    {"flop", "flops"},
    {"operations", "flops"},
    {"ops", "flops"},
    {"memory", "peak_memory"},
    {"mem", "peak_memory"},
    {"peak", "peak_memory"},
    {"footprint", "peak_memory"},
    {"traffic", "comm_bytes"},
    {"volume", "comm_bytes"},
    {"bytes", "comm_bytes"},
    {"seconds", "time"},
    {"duration", "time"},
    {"runtime", "time"},
    {"elapsed", "time"},
    {"total", "time"},
    {"cost", "time"},
    {"limit", "bound"},
    {"hidden", "exposed"},
    {"overlap", "timeline"},
    {"makespan", "timeline"},
    {"critical_path", "timeline"},
    {"critical_time", "critical"},
    {"critical_comms", "critical"},
};

const BlockFigure* find_figure(std::string_view name) {
  const auto found = std::find_if(std::begin(kBlockFigures), std::end(kBlockFigures),
                                  [&](const BlockFigure& one) { return one.name == name; });
  return found == std::end(kBlockFigures) ? nullptr : found;
}

}  // namespace

std::optional<double> seconds_alone(const Program& program, std::span<const Step> steps,
                                    std::span<const StepRecord> records) {
  std::vector<const Cost*> costs;
  for (const StepRecord& record : records) {
    costs.push_back(record.cost.get());
    if (!costs.back()->time().constant()) return std::nullopt;
  }
  const Plan plan{.copies = program.plan.copies, .steps = {steps.begin(), steps.end()}};
  return timeline_of(plan, costs, program.machine.mesh).end;
}

std::optional<double> overlapped_time(const Program& program, const StatementRecord& record) {
  const std::size_t count = record.end_step - record.first_step;
  return seconds_alone(program, std::span(program.plan.steps).subspan(record.first_step, count),
                       std::span(program.steps).subspan(record.first_step, count));
}

Figures figures_of(const Program& program) {
  Figures figures;
  figures.totals = totals_by_place(program);
  auto in_order = begin_memory_in_order(program);
  RunTimeline run = run_timeline(program, figures.totals.most.time.constant().has_value());
  figures.timeline = std::move(run.timeline);
  figures.faults = std::move(run.faults);
  figures.memory = memory_of(program, figures.timeline, figures.faults, std::move(in_order));
  return figures;
}

bool is_quantity(const std::string& field) {
  const BlockFigure* known = find_figure(field);
  return known != nullptr && known->quantity != nullptr;
}

std::optional<Quantity> figure(const Figures& figures, const std::string& field) {
  return is_quantity(field) ? find_figure(field)->quantity(figures) : std::nullopt;
}

std::span<const BlockFigure> block_figures() { return kBlockFigures; }

const std::vector<std::string>& bound_names() {
  static const std::vector<std::string> names = {
      std::string(name_of(Bound::Compute)), std::string(name_of(Bound::Memory)),
      std::string(name_of(Bound::Communication)), std::string(name_of(Bound::Latency))};
  return names;
}

const std::vector<std::string>& figure_fields() {
  static const std::vector<std::string> fields = words_of(kBlockFigures, &BlockFigure::name);
  return fields;
}

const BlockFigure* meant_figure(std::string_view word) {
  std::string meant(word);
  std::transform(meant.begin(), meant.end(), meant.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (meant.starts_with("t_")) meant = meant.substr(2);
  if (meant.starts_with("total_")) meant = meant.substr(6);
  const auto synonym = [&](std::string_view text) -> const BlockFigure* {
    for (const FigureWord& known : kFigureWords) {
      if (known.word == text) return find_figure(known.figure);
    }
    return find_figure(text);
  };
  if (const BlockFigure* figure = synonym(meant)) return figure;
  if (meant.ends_with("_time")) {
    if (const BlockFigure* figure = synonym(meant.substr(0, meant.size() - 5))) return figure;
  }
  if (const auto near = nearest_name(meant, figure_fields())) return find_figure(*near);
  // `com`: the shortest that begins so.
  constexpr std::size_t kShortest = 3;
  const BlockFigure* begun = nullptr;
  for (const BlockFigure& known : block_figures()) {
    if (meant.size() < kShortest || !known.name.starts_with(meant)) continue;
    if (begun == nullptr || known.name.size() < begun->name.size()) begun = &known;
  }
  return begun;
}

std::string arrival_text(const Program& program, const StatementRecord& send) {
  const Cost cost = total_cost(program, send.first_step, send.end_step);
  if (!cost.comms_latency.constant() || !cost.comms.constant()) return "";
  return fmt::format("first byte after {}, last after {}",
                     to_text(Quantity{cost.comms_latency, kSeconds}),
                     to_text(Quantity{cost.comms, kSeconds}));
}

}  // namespace shard

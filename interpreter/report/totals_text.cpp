#include "interpreter/report/totals_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "runtime/plan/places.h"

namespace shard {

namespace {

// " at Z=0"; "" if nothing is placed or the place is not known.
std::string suffix_of(const std::string& place) {
  return place.empty() ? "" : " " + at_place(place);
}

// "at Z=0", "elsewhere, where no placed array is".
std::string busiest_text(const std::string& place) {
  return at_place(place) + (place == kElsewhere ? ", where no placed array is" : "");
}

std::string place_of(const Figures& figures, Formula Totals::*value) {
  const auto all = total_figures();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].value == value) return figures.totals.at[i];
  }
  return "";
}

// Which place each column of the totals belongs to.
std::vector<std::string> place_lines(const Figures& figures) {
  constexpr std::pair<const char*, Formula Totals::*> kColumns[] = {{"FLOPs", &Totals::flops},
                                                                    {"moved", &Totals::comm_bytes},
                                                                    {"T_math", &Totals::math},
                                                                    {"T_hbm", &Totals::hbm},
                                                                    {"T_comms", &Totals::comms}};
  std::vector<std::pair<std::string, std::vector<std::string>>> columns;  // by place
  for (const auto& [name, value] : kColumns) {
    const std::string place = place_of(figures, value);
    if (place.empty()) continue;
    auto known = columns.begin();
    while (known != columns.end() && known->first != place) ++known;
    if (known == columns.end()) known = columns.insert(known, {place, {}});
    known->second.emplace_back(name);
  }
  if (columns.empty()) return {};
  const std::string heading = "    each figure is that of the busiest place: ";
  if (columns.size() == 1) return {heading + busiest_text(columns.front().first)};
  std::vector<std::string> parts;
  for (const auto& [place, names] : columns)
    parts.push_back(join(names, ", ") + " " + busiest_text(place));
  std::vector<std::string> lines = {heading + join(parts, "; ")};
  if (display_width(lines.front()) <= line_width()) return lines;
  lines = {heading.substr(0, heading.size() - 1)};
  for (const std::string& part : parts) lines.push_back("        " + part);
  return lines;
}

// On as many lines as a narrow window needs. A formula too long for a line of a report says nothing at a glance; `print c.lower`
// shows it.
void add_line(std::vector<std::string>& lines, const std::string& line) {
  constexpr std::size_t kLineIndent = 4;
  if (kLineIndent + display_width(line) > std::max(kLineWidth, line_width())) return;
  std::istringstream wrapped(two_columns("", line, kLineIndent));
  std::size_t count = 0;
  for (std::string one; std::getline(wrapped, one); ++count)
    lines.push_back(count == 0 ? one : "    " + one);
}

}  // namespace

std::vector<std::string> total_lines(const Program& program, const Figures& figures) {
  std::vector<std::string> lines = place_lines(figures);
  const auto add_time = [&](const std::string& name, Formula Totals::*value) {
    add_line(lines, name + to_text(Quantity{figures.totals.most.*value, kSeconds}) +
                        suffix_of(place_of(figures, value)));
  };
  add_time("T_math and T_comms overlapped, max: ", &Totals::lower);
  add_time("one after the other, sum: ", &Totals::upper);
  if (!figures.totals.most.math_at_peak.is_zero()) {
    const Formula& math = figures.totals.most.math_at_peak;
    const Formula& comms = figures.totals.most.comms;
    const auto text = [](const Formula& seconds) { return to_text(Quantity{seconds, kSeconds}); };
    add_line(lines, fmt::format("at the peak rate, efficiency 1: T_math {}, max {}, sum {}",
                                text(math), text(max(math, comms)), text(math + comms)));
  }
  // Where memory binds a step, neither of the two has its time.
  const Totals& totals = figures.totals.most;
  if (totals.time.constant() && totals.time != totals.upper)
    add_time("and T_hbm where it binds, time: ", &Totals::time);
  const auto& failure = figures.faults.failure;
  if (figures.timeline && failure) {
    lines.push_back(
        fmt::format("    timeline: the run ends at {}, {}", format_seconds(figures.timeline->end),
                    failure->kind == DiagnosticKind::DeviceFailed ? "for a device has failed"
                                                                  : "for links have failed"));
  } else if (figures.timeline) {
    add_line(lines, fmt::format("timeline, what is independent overlapped: {}; communication "
                                "exposed {}",
                                to_text(*figure(figures, "timeline")),
                                format_seconds(figures.timeline->exposed)));
  }
  if (!program.machine.faults.links.empty())
    lines.emplace_back(
        "    T_comms and the sums are those of the links at the start, the timeline has all");
  add_line(lines, "peak memory: " + peak_text(program, figures));
  return lines;
}

std::string peak_text(const Program& program, const Figures& figures) {
  const ProgramMemory& memory = figures.memory;
  const auto& hbm = program.machine.chip.hbm;
  std::string text = to_text(Quantity{memory.peak.bytes, kBytes});
  if (hbm) text += " of " + format_bytes(hbm->to_double());
  text += suffix_of(memory.peak.place);
  if (memory.peak.bytes != memory.in_order)
    text += "; in the script's order " + to_text(Quantity{memory.in_order, kBytes});
  return text;
}

}  // namespace shard

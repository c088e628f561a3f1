#include "interpreter/report/memory_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/line_width.h"
#include "interpreter/estimate/memory_breakdown.h"
#include "interpreter/report/bar_chart.h"
#include "interpreter/report/totals_text.h"

namespace shard {

namespace {

std::string largest_text(const Program& program, const Figures& figures) {
  const std::vector<HeldCopy> held = held_at_peak(program, figures.memory.peak);
  // The rest is one line with its sum, so that the steps below stay on the same screen.
  constexpr std::size_t kShown = 10;
  std::string text;
  const auto add = [&](const std::string& array, double bytes, const std::string& maker) {
    const std::string size = fmt::format("  {} {:>9}", fitted(array), format_bytes(bytes));
    text += maker.empty() ? size + "\n" : two_columns(size, maker, display_width(size) + 2);
  };
  double rest = 0;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (i < kShown)
      add(held[i].array, held[i].bytes, held[i].maker);
    else
      rest += held[i].bytes;
  }
  if (held.size() > kShown) add(fmt::format("{} more", held.size() - kShown), rest, "");
  return text;
}

}  // namespace

std::string memory_text(const Program& program, const Figures& figures) {
  const auto peak = figures.memory.peak.bytes.constant();
  if (!peak || figures.memory.peak.event < 0) return "";
  std::string text = wrapped_text(fmt::format("memory per device: at most {}; the largest then\n",
                                              peak_text(program, figures)));
  text += largest_text(program, figures);
  const std::vector<StepMemory> steps = memory_by_step(program, figures);
  text += "memory per device while each step runs\n";
  for (std::size_t i = 0; i < std::min(steps.size(), kMostRows); ++i) {
    const double bytes = steps[i].bytes.constant()->to_double();
    text += fmt::format("  {} |{}| {}\n", fitted(steps[i].step),
                        bar(0, bytes / peak->to_double(), "█"), format_bytes(bytes));
  }
  text += more_rows(steps.size(), "--json");
  return text;
}

}  // namespace shard

#include "interpreter/estimate/device_limits.h"

#include <fmt/format.h>

#include <vector>

#include "base/format.h"
#include "interpreter/estimate/fault_effects.h"
#include "interpreter/estimate/memory_breakdown.h"
#include "runtime/plan/places.h"

namespace shard {

std::string check_device_memory(const Program& program, const ProgramMemory& memory,
                                DiagnosticSink& sink) {
  const auto& hbm = program.machine.chip.hbm;
  const auto peak = memory.peak.bytes.constant();
  if (!hbm || !peak || *peak <= *hbm || memory.peak.event < 0) return "";
  std::vector<std::string> help;
  // Keeps the diagnostic short; the largest copies come first, and all of them are in the report.
  constexpr std::size_t kShown = 5;
  for (const HeldCopy& held : held_at_peak(program, memory.peak)) {
    if (help.size() == kShown) break;
    help.push_back(fmt::format("{}: {} ({})", held.array, format_bytes(held.bytes), held.maker));
  }
  if (const auto in_order = memory.in_order.constant(); in_order && *in_order <= *hbm)
    help.push_back(fmt::format(
        "one step after the other, as the script has them, would take {}: on the timeline steps "
        "run ahead",
        format_bytes(in_order->to_double())));
  const int statement = memory.peak.statement;
  const bool is_written = statement >= 0 && statement < static_cast<int>(program.statements.size());
  const std::string& place = memory.peak.place;
  const std::string held =
      fmt::format("each device{} would hold {}", place.empty() ? "" : " " + at_place(place),
                  format_bytes(peak->to_double()));
  const std::string limit =
      fmt::format(", and a {} has {}", program.machine.chip.name, format_bytes(hbm->to_double()));
  sink.report(
      {.kind = DiagnosticKind::OutOfDeviceMemory,
       .span = is_written ? program.statements[static_cast<std::size_t>(statement)].span : Span{},
       .message = held + " here" + limit,
       .help = std::move(help)});
  return held + limit;
}

std::string check_device_limits(const Program& program, const Figures& figures,
                                DiagnosticSink& sink) {
  std::string excess = check_device_memory(program, figures.memory, sink);
  if (!excess.empty()) return excess;
  report_failure(program, figures.faults, sink);
  return report_unknown_times(program, figures.faults, sink)
             ? "what has failed at a step is not known"
             : "";
}

}  // namespace shard

#include "interpreter/device_limits.h"

#include <fmt/format.h>

#include <vector>

#include "base/format.h"
#include "interpreter/fault_effects.h"
#include "interpreter/memory_report.h"

namespace shard {

std::string check_device_memory(const Program& program, const PeakMemory& memory,
                                DiagnosticSink& sink) {
  const auto& hbm = program.machine.chip.hbm;
  const auto peak = memory.bytes.constant();
  if (!hbm || !peak || *peak <= *hbm || memory.step < 0) return "";
  std::vector<std::string> largest;
  constexpr std::size_t kShown = 5;
  for (const HeldCopy& held : held_at_peak(program, memory)) {
    if (largest.size() == kShown) break;
    largest.push_back(fmt::format("{}: {} ({})", held.array, format_bytes(held.bytes), held.maker));
  }
  const auto order = run_order(program.plan, {}, program.ended);
  const int statement = order[static_cast<std::size_t>(memory.step)].statement;
  const bool is_written = statement >= 0 && statement < static_cast<int>(program.statements.size());
  const std::string held = "each device would hold " + format_bytes(peak->to_double());
  const std::string limit =
      fmt::format(", and a {} has {}", program.machine.chip.name, format_bytes(hbm->to_double()));
  sink.report(
      {.kind = DiagnosticKind::OutOfDeviceMemory,
       .span = is_written ? program.statements[static_cast<std::size_t>(statement)].span : Span{},
       .message = held + " here" + limit,
       .help = std::move(largest)});
  return held + limit;
}

std::string check_device_limits(const Program& program, const Figures& figures,
                                DiagnosticSink& sink) {
  std::string excess = check_device_memory(program, figures.peak, sink);
  if (!excess.empty()) return excess;
  report_failure(program, figures.faults, sink);
  return report_unknown_times(program, figures.faults, sink)
             ? "what has failed at a step is not known"
             : "";
}

}  // namespace shard

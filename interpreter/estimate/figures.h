// What a block of statements costs: the figures of `cost { … }` and of the report's totals.
//
// In this folder:
//   figures.h                             what a block of statements costs
//   totals.h                              sums over steps, at the busiest place
//   program_memory.h, memory_breakdown.h  the memory that is judged; what it is made up of
//   run_timeline.h                        when the steps of a program run
//   fault_effects.h, device_limits.h      what faults do to a program; what the devices cannot do
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/estimate/fault_effects.h"
#include "interpreter/estimate/program_memory.h"
#include "interpreter/estimate/totals.h"
#include "interpreter/ir/value.h"
#include "interpreter/program/program.h"
#include "runtime/cost/cost.h"
#include "runtime/cost/timeline.h"

namespace shard {

// Per device, of the place where each is greatest.
struct Figures {
  PlaceTotals totals;
  ProgramMemory memory;
  std::optional<Timeline> timeline;  // if every time is a number; to where a fault ends the run
  FaultEffects faults;

  Bound bound() const { return bound_of(totals.most); }
};

// Seconds of steps of the program alone, if what is independent overlaps; nothing while a time is no number.
std::optional<double> seconds_alone(const Program& program, std::span<const Step> steps,
                                    std::span<const StepRecord> records);
// The same of a statement's steps.
std::optional<double> overlapped_time(const Program& program, const StatementRecord& record);
Figures figures_of(const Program& program);

// A figure of a cost block by name. One table; `shard help cost` has a line for each.
struct BlockFigure {
  std::string_view name;
  // Nothing while numbers are missing. Null: a word or a truth, of interpreter/evaluate/member.cpp.
  std::optional<Quantity> (*quantity)(const Figures&);
  std::string_view meaning;
};
std::span<const BlockFigure> block_figures();
// nullopt if no figure has that name, or it is no quantity.
std::optional<Quantity> figure(const Figures& figures, const std::string& field);
const std::vector<std::string>& figure_fields();
// "compute", "memory", "communication", "latency": what `bound` may be.
const std::vector<std::string>& bound_names();

// "first byte after 6.000 us, last after 192.4 us"; empty while times are formulas.
std::string arrival_text(const Program& program, const StatementRecord& send);

}  // namespace shard

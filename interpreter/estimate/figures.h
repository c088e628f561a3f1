// What a block of statements costs: the figures of `cost { … }` and of the report's totals.
//
// In this folder:
//   figures.h                             what a block of statements costs
//   totals.h                              sums over steps, at the busiest place
//   program_memory.h, memory_breakdown.h  the memory that is judged; what it consists of
//   certain_memory.h                      what of it is certain, as sums over statements
//   run_timeline.h                        when the steps of a program run
//   fault_effects.h, device_limits.h      what faults do to a program; what the devices cannot do
#pragma once

#include <memory>
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

// Per device, each at the place where it is greatest.
struct Figures {
  PlaceTotals totals;
  ProgramMemory memory;
  std::optional<Timeline> timeline;  // if every time is a number; up to where a fault ends the run
  FaultEffects faults;
  std::shared_ptr<const Program> planned = nullptr;  // of a cost block: what it consists of

  Bound bound() const { return bound_of(totals.most); }
};

// Seconds that these steps take on their own if independent ones overlap; nullopt if a time is not a number.
std::optional<double> seconds_alone(const Program& program, std::span<const Step> steps,
                                    std::span<const StepRecord> records);
// The seconds of a statement's steps.
std::optional<double> overlapped_time(const Program& program, const StatementRecord& record);
Figures figures_of(const Program& program);

// A figure of a cost block by name. The only such table; `shard help cost` has a line for each entry.
struct BlockFigure {
  std::string_view name;
  // nullopt while numbers are missing. Null: a word, a truth value or a list, read by interpreter/evaluate/member.cpp.
  std::optional<Quantity> (*quantity)(const Figures&);
  std::string_view meaning;
};
std::span<const BlockFigure> block_figures();
// Whether a figure has that name, and is a quantity.
bool is_quantity(const std::string& field);
// nullopt if it is none, and while numbers are missing.
std::optional<Quantity> figure(const Figures& figures, const std::string& field);
const std::vector<std::string>& figure_fields();
// The figure that is called by another word, `memory` or `bytes`, or misspelt; null if none is near.
const BlockFigure* meant_figure(std::string_view word);
// The values of `bound`: "compute", "memory", "communication", "latency".
const std::vector<std::string>& bound_names();

// "first byte after 6.000 us, last after 192.4 us"; empty while times are formulas.
std::string arrival_text(const Program& program, const StatementRecord& send);

}  // namespace shard

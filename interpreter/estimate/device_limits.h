// What the devices cannot do for a program, as far as it is known before a run.
#pragma once

#include <string>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/program/program.h"

namespace shard {

// Reports OutOfDeviceMemory: more is alive at once than the chip's memory holds. Returns what is too much; empty if it
// fits.
std::string check_device_memory(const Program& program, const ProgramMemory& memory,
                                DiagnosticSink& sink);

// Checks the memory and what faults make impossible: report_failure, report_unknown_times. Returns why the program
// cannot run; empty if it can, up to where a fault ends it.
std::string check_device_limits(const Program& program, const Figures& figures,
                                DiagnosticSink& sink);

}  // namespace shard

// What the devices cannot do of a program, as it is known before a run.
#pragma once

#include <string>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/program/program.h"

namespace shard {

// Reports OutOfDeviceMemory: more is alive at once than the chip's memory holds. What is too much; empty if it fits.
std::string check_device_memory(const Program& program, const ProgramMemory& memory,
                                DiagnosticSink& sink);

// The same, and what faults make impossible: report_failure, report_unknown_times. Why the program cannot be run; empty if
// it can, to where a fault ends it.
std::string check_device_limits(const Program& program, const Figures& figures,
                                DiagnosticSink& sink);

}  // namespace shard

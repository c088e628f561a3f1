// What the devices cannot do of a program, as it is known before a run.
#pragma once

#include "grammar/diagnostic.h"
#include "interpreter/figures.h"
#include "interpreter/program.h"

namespace shard {

// Reports OutOfDeviceMemory: more is alive at once than the chip's memory holds. True if it fits.
bool check_device_memory(const Program& program, const PeakMemory& memory, DiagnosticSink& sink);

// The same, and what faults make impossible: report_failure, report_unknown_times. Whether the program can be run, to where a fault ends it.
bool check_device_limits(const Program& program, const Figures& figures, DiagnosticSink& sink);

}  // namespace shard

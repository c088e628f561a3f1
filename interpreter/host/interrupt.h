// Signals: Ctrl-C as a flag, and signals that end the process.
#pragma once

namespace shard {

// From now on, signals that end the process first remove the unfinished file (interpreter/host/part_file.h). Ignored
// signals stay ignored. Process-wide.
void leave_no_parts();

// From now on SIGINT sets a flag instead of ending the process. With `First` only the first one does, so that a second
// one ends the process without waiting for a clean end. Process-wide.
enum class Interrupts { First, All };
void catch_interrupts(Interrupts caught);
bool interrupted();
void clear_interrupt();

}  // namespace shard

// Signals: Ctrl-C as a flag, and what ends the process.
#pragma once

namespace shard {

// From now on signals that end the process remove the file that is not whole (interpreter/host/part_file.h) before they do.
// Those that are ignored stay so. Process-wide.
void leave_no_parts();

// From now on SIGINT sets a flag instead of ending the process; with `First` only once: who has no patience for a clean end
// ends the process by the second one. Process-wide.
enum class Interrupts { First, All };
void catch_interrupts(Interrupts caught);
bool interrupted();
void clear_interrupt();

}  // namespace shard

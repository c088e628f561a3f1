// Ctrl-C as a flag.
#pragma once

namespace shard {

// From now on SIGINT sets a flag instead of ending the process; with `First` only once: who has no patience for a clean end
// ends the process by the second one. Process-wide.
enum class Interrupts { First, All };
void catch_interrupts(Interrupts caught);
bool interrupted();
void clear_interrupt();

}  // namespace shard

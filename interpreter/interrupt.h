// Ctrl-C as a flag.
#pragma once

namespace shard {

// From now on SIGINT sets a flag instead of ending the process. Process-wide.
void catch_interrupts();
bool interrupted();
void clear_interrupt();

}  // namespace shard

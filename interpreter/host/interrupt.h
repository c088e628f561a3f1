// Signals: Ctrl-C as a flag, signals that end the process, and those of a terminal's window.
#pragma once

namespace shard {

// From now on, signals that end the process first remove the unfinished file (interpreter/host/part_file.h). Ignored
// signals stay ignored. Process-wide.
void leave_no_parts();

// From now on SIGINT sets a flag instead of ending the process. With `First` only the first one does, so that a second
// one ends the process without waiting for a clean end. Process-wide.
enum class Interrupts { First, All };
void catch_interrupts(Interrupts caught);
// Also where the process is to end (catch_ends).
bool interrupted();
void clear_interrupt();

// From now on SIGHUP and SIGTERM, unless they are ignored, stop what runs as Ctrl-C does, and the process ends when it is asked
// to: what the user has typed is to be kept first. A second one ends it at once. Process-wide.
void catch_ends();
// Whether one of them came.
bool is_to_end();
// Ends the process by the signal that came, if one did.
void end_if_asked();

// From now on it is noted that the window has another size, and that the process was stopped and goes on. Process-wide.
void note_window();
// Whether that was so since it was asked last.
bool take_resized();
bool take_continued();

// While one exists, signals that are noted here wait. Only `wait_for_input` lets them come, so that none is lost between a look at
// what was noted and the wait. For the thread that reads.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};
// Until there is something to read at the descriptor, or its end; a signal; or the time is up, unless it is negative.
enum class Waited { Input, Signal, Time };
Waited wait_for_input(int descriptor, int milliseconds);

}  // namespace shard

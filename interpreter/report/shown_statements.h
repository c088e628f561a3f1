// Which statements of a run the report shows, and which of them share what.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interpreter/session/session.h"

namespace shard {

struct ShownStatement {
  PlannedEntry entry;  // with the `times` and the `last` of all that it stands for
  std::string which =
      {};  // of them: "l = 0, 2, …", "lines 4…3003"; empty if they are all passes of a loop
  // In seconds: steps that take less share a row. 0: each step has its own.
  double noticeable = 0;
};

// By entry: the statements that are shown there in one place; none for what is no statement, or is shown with another one.
// Statements that are written one below the other and do the same are one. Where a loop has so many rows that they fill a
// screen, those of its steps that take a small part of its time share rows, and so do statements that only compute; what costs
// nothing is left out. `all_steps`: each step has its row. `sources`: may be null, then nobody hears of lines.
std::vector<std::vector<ShownStatement>> shown_statements(const Outcome& outcome,
                                                          const RunnerState& state,
                                                          const SourceMap* sources, bool all_steps);

// The inputs that a report names. What a function or `backward` fills with a constant for itself is none.
std::vector<CopyId> shown_inputs(const Program& program, const Arrays& store);

}  // namespace shard

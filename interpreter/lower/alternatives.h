// The ways that were weighed for a statement, in the notation: what `why` shows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/program/program.h"

namespace shard {

// A way to do a statement that was weighed, and what it would cost.
struct WeighedWay {
  std::vector<std::string> steps;    // in the notation
  bool by_cheapest = false;          // `plan cheapest` would take it
  std::shared_ptr<const Cost> cost;  // never null
  Formula time;  // Σ max(math, hbm) + comms over its steps: what it was chosen by
};

// Of a statement of the program, lightest first; the first is what was done. `scope` is that in which it was planned, or
// a later one.
std::vector<WeighedWay> weighed_ways(const StatementRecord& record, const Program& program,
                                     const Scope& scope);

}  // namespace shard

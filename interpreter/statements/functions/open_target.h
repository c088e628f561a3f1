// What brackets in the body of a function gather, where its parameters leave the layout open.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/run_context.h"

namespace shard {

// What a target in a function asks for as whole, while the parameter of that name takes any layout.
struct OpenTarget {
  Span span;
  std::vector<std::string> names;       // as the function calls them
  std::vector<std::string> dimensions;  // as plans call them
};
// Nothing is open outside of functions, nor where a collective is written.
OpenTarget open_target(const checked::Flow& flow, const RunContext& context);

// A parameter takes any layout, and brackets in the body mean one: what is gathered for that was hardly meant.
// Reports GatheredInFunction, once for each target. REQUIRES: the program's last statement is the target's.
void note_gathered(const OpenTarget& open, const Program& target, RunContext& context);

}  // namespace shard

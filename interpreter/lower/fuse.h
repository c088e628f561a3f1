// A block of statements as one kernel: what is made and used inside of it stays in the chip's fast memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/program/program.h"

namespace shard {

// What a kernel holds at once, at the step that needs most: one tile of each operand and of the result. A tile has one index of
// every dimension that all arrays made inside have, for over these the kernel runs tile by tile.
struct WorkingSet {
  Amount bytes;                         // per device
  std::vector<std::string> dimensions;  // that it runs over
  std::size_t statement = 0;            // the one whose step it is
};

struct FusedBlock {
  std::vector<ArrayId> inner;  // arrays of which a copy stays inside
  std::optional<WorkingSet> most;
};

// The statements from `first` on are one kernel. A copy stays inside if a step that moves nothing between devices makes it, and
// only such steps of the block read it; then it takes no bytes of HBM. Of what lies outside each copy is read once. The costs of
// the steps are made anew (cost model, "Local work").
FusedBlock fuse(Program& program, std::size_t first);

}  // namespace shard

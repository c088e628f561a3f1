// What a program holds of a device's memory at certain times on any timeline, as sums over its statements.
#pragma once

#include <vector>

#include "interpreter/program/program.h"

namespace shard {

// Rows of bytes, each by statement of the program: no sum of a row is more than the peak of its memory. The first row is the
// inputs, which are there from the beginning on, each at the first statement that reads it. Two more belong to each statement: to
// the last of its steps that brings several copies together, and to the largest after that. Such a row has what that step reads and
// makes, and of other copies those that must be there meanwhile: what they are made from precedes the step, and what reads them
// needs it, and so it waits for it. These stand at the last statement that reads them; as they may be moved to another layout
// before, with the smallest of these. Placed copies, and those whose lengths are no numbers, count nothing.
// No rows if the program has more statements than so many.
inline constexpr std::size_t kMostStatementsOfRows = 48;
std::vector<std::vector<double>> certain_memory(const Program& program);

}  // namespace shard

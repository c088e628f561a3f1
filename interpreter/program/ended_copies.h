// Copies that end without a `drop`: a new array takes their name, another copy replaces them, or the block or function ends that
// made them.
#pragma once

#include "interpreter/ir/holdings.h"
#include "interpreter/program/program.h"

namespace shard {

// Ends an array that no name means any more: copies that nothing has used are over before the statement.
void end_array(ArrayId array, std::size_t statement, const Holdings& held, Program& program);

// Ends the copy whose layout `by` has, which the statement replaces by `by`. Call before `by` is held.
void end_replaced(ArrayId array, CopyId by, std::size_t statement, const Holdings& held,
                  Program& program);

}  // namespace shard

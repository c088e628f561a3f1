// Copies that end without a `drop`: a new array takes their name, or another copy replaces them.
#pragma once

#include "interpreter/ir/holdings.h"
#include "interpreter/program/program.h"

namespace shard {

// Ends an array because a new one takes its name: copies that the last statement of the plan has not used are over.
void end_array(ArrayId array, const Holdings& held, Program& program);

// Ends the copy whose layout `by` has, which the statement replaces by `by`. Call before `by` is held.
void end_replaced(ArrayId array, CopyId by, std::size_t statement, const Holdings& held,
                  Program& program);

}  // namespace shard

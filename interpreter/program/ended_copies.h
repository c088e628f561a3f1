// Copies that end without a `drop`: a new array takes their name, or another copy their place.
#pragma once

#include "interpreter/ir/symbols.h"
#include "interpreter/program/program.h"

namespace shard {

// Whether it is a copy of another array as well: of one that was passed to a function.
bool is_shared(CopyId copy, const Scope& scope);

// A new array of its name ends an array: what the last statement of the plan has not used is over.
void end_array(ArrayId array, const Scope& scope, Program& program);

// The same of the copy whose layout `by` has, which the statement makes in its place. Before it is held.
void end_replaced(ArrayId array, CopyId by, std::size_t statement, const Scope& scope,
                  Program& program);

}  // namespace shard

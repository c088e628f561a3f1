// Where arrays end: `drop`, new arrays of their names, and copies that replace others.
#pragma once

#include "interpreter/statement_runner.h"

namespace shard {

// `drop A`, `drop A[I_X]`: the name, or one copy. The devices forget what nothing else holds. With its last copy
// the name goes. Reports UnknownName, DroppedArray, NotArray, NoSuchCopy.
void run_drop(const ast::Drop& drop, Span span, const StatementRunner& runner);

// A new array of its name ends an array: what the last statement of the plan has not used is over.
void end_array(ArrayId array, const Scope& scope, Program& program);

// The same of the copy whose layout `by` has, which the statement makes in its place. Before it is held.
void end_replaced(ArrayId array, CopyId by, std::size_t statement, const Scope& scope,
                  Program& program);

}  // namespace shard

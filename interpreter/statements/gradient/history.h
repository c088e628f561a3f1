// Where gradients go on from what a statement has made, and where they end.
#pragma once

#include "interpreter/program/program.h"
#include "interpreter/statements/run_context.h"

namespace shard {

// Notes what made the array of the statement. What gradients were made of is history: an array that they have moved, `W - 0.1 ⊙ dW`,
// begins a new one, and from other arrays that are made of them no gradients go back.
void note_origin(const StatementRecord& record, RunContext& context);
// Notes that the array has a gradient, and with it what it was picked out of, `V[L = l]`, or passed as to a function.
void note_gradient(ArrayId array, Scope& scope);

}  // namespace shard

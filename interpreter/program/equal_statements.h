// Statements of which a report shows one, with their number.
#pragma once

#include <string>

#include "interpreter/program/program.h"

namespace shard {

// Whether a report shows the same for both, but for numbers such as the index of a pass. An equivalence.
bool are_equal(const Program& program, const StatementRecord& a, const StatementRecord& b);

// Whether as many steps of both cost the same.
bool steps_cost_the_same(const Program& program, const StatementRecord& a,
                         const StatementRecord& b);

// The texts of the statement and of its steps without what tells passes apart in statements that `backward` derives: numbers behind
// made-up names, as of `dx'12`, and indices, `[L = 79]`.
std::string form_of(const Program& program, const StatementRecord& record);

// The first of several such statements with the indices of the last one: `dW[L = 79…0] = dx'6`.
std::string with_last_indices(const std::string& first, const std::string& last);

}  // namespace shard

// `expect equal(A, B)`, `expect equal(A, B, 1e-3)`.
#pragma once

#include "interpreter/statements/context.h"

namespace shard {

// Judged when the run is over. False if it is another condition. Reports BadArgument, SizeMismatch, and what
// `requested_copy` reports.
bool run_expect_equal(const ast::Expect& expect, const StatementRunner& runner);

}  // namespace shard

// One function for each kind of statement, each in a file of its own or next to its relatives. What is wrong is reported.
#pragma once

#include "interpreter/statements/run_context.h"

namespace shard {

// grammar/tree/statements.def says where each stands, and what it reports.
#define SHARD_STATEMENT(node) \
  void run(const ast::node& node, const ast::Statement& statement, RunContext& context);
#include "grammar/tree/statements.def"
// unreadable.cpp: was reported by the parser.
void run(const ast::Unsupported& unread, const ast::Statement& statement, RunContext& context);

// expect_arrays.cpp: a condition of elements, as `equal(A, B)` and `A[2] ≈ 4` are, judged when the run is over; false if it is
// another one. Reports BadArgument, SizeMismatch, and what `requested_copy` and `wanted_array` report.
bool run_expect_arrays(const ast::Expect& expect, const ast::Statement& statement,
                       RunContext& context);

// What a statement with a reported mistake would have made is unknown: using it is no second mistake (unreadable.cpp).
void skip(const ast::Statement& statement, Scope& scope);

}  // namespace shard

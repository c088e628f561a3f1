// What a script wants of the contents of arrays, when the run is over: `save`, `expect equal(A, B)`; and where inputs take
// theirs from: `A = random(7)`, `load("a.npy")`.
#pragma once

#include <optional>

#include "interpreter/execution.h"
#include "interpreter/runner.h"

namespace shard {

// The copy that an array stands for where it is read; an input appears in the plan. Reports what `check_use` reports.
std::optional<CopyId> requested_copy(const ast::Expr& array, Program& program,
                                     CheckContext& context);

// `expect equal(A, B)`, `expect equal(A, B, 1e-3)`: two copies to compare. Reports BadArgument, SizeMismatch,
// RankMismatch.
std::optional<ArrayRequest> check_equal(const ast::Call& call, Span span, Program& program,
                                        CheckContext& context);

// Whether an expression says where an input's values come from: `random(7)`, `iota`, `zeros`, `ones`, `load("a.npy")`.
bool is_input_source(const ast::Expr& expr, const Scope& scope);
// Makes the target an input with these values; a bare name is declared, with its layout, before. A file is read here.
// Reports BadArgument, UnknownName, UnreadableFile, SizeMismatch, DtypeMismatch.
void check_input_source(const ast::Expr& source, const ast::ArrayRef& target, Span span,
                        CheckContext& context);

// Carries out what a program asked for behind its run: fills in expectations from `first_entry` on, and writes files.
// Reports ExpectFailed and UnreadableFile.
void settle_requests(const Program& program, const Execution& execution, std::size_t first_entry,
                     std::vector<Entry>& entries, DiagnosticSink& sink);

}  // namespace shard

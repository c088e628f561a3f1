// What a script wants of the contents of arrays, when the run is over: `save`, `expect equal(A, B)`; and where inputs
// take theirs from: `A = random(7)`, `load("a.npy")`.
#pragma once

#include "interpreter/execution.h"
#include "interpreter/statement_runner.h"

namespace shard {

// `expect equal(A, B)`, `expect equal(A, B, 1e-3)`: judged behind the run. False if it is another condition. Reports
// BadArgument, SizeMismatch, RankMismatch, and what `check_use` reports.
bool run_expect_equal(const ast::Expect& expect, const StatementRunner& runner);
// `save A "a.npy"`: written behind the run. Reports BadArgument, FileInUse, and what `check_use` reports.
void run_save(const ast::Save& save, Span span, const StatementRunner& runner);

// Whether an expression says where an input's values come from: `random(7)`, `iota`, `zeros`, `ones`, `load("a.npy")`.
bool is_input_source(const ast::Expr& expr, const Scope& scope);
// Makes the target an input with these values; a bare name is declared, with its layout, before. A file is read here;
// where the values of all files take more bytes than `options.memory`, or than there are, only what it says of itself: what uses them is
// not run.
// Reports BadArgument, UnknownName, UnreadableFile, FileInUse, SizeMismatch, DtypeMismatch.
void check_input_source(const ast::Expr& source, const ast::ArrayRef& target, Span span,
                        const RunnerOptions& options, CheckContext& context);

// Carries out what a program asked for behind its run: fills in expectations from `first_entry` on, and writes files.
// Where `cancelled` says so, nothing more is written, and the execution was cancelled. Reports ExpectFailed and
// ExecutionFailed.
void settle_requests(const Program& program, Execution& execution, std::size_t first_entry,
                     const std::function<bool()>& cancelled, RunFiles& files,
                     std::vector<Entry>& entries, DiagnosticSink& sink);

}  // namespace shard

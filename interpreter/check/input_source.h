// Where an input takes its values from: `A = random(7)`, `iota`, `zeros`, `ones`, `load("a.npy")`, and multiples of these,
// `0.02 · random(7)`. `zeros(x)` has the element type of the array x, and so have `ones(x)` and `iota(x)`.
#pragma once

#include "interpreter/check/brackets.h"
#include "interpreter/check/operation.h"
#include "interpreter/check/run_files.h"

namespace shard {

// What files may be read.
struct InputFiles {
  double memory = 0;  // bytes that the values of all of them may take; 0: nothing will be run
  RunFiles* files = nullptr;  // nullptr: any may be read
};

// Whether an expression says where an input's values come from.
bool is_input_source(const ast::Expr& expr, const Scope& scope);
// `iota mod 4`, `A + zeros`: words that give an input its values stand alone. Reports what is meant inside of an expression; false if
// it is none of them.
bool report_source_inside(const ast::Expr& expr, const TargetHint& target, CheckContext& context);
// Makes the target an input with these values; a bare name is declared, with its layout, before. A file is read here; where
// the values of all files take more than `files.memory`, or than there is, only what it says of itself: what uses them is not
// run.
// Reports BadArgument, UnknownName, UnreadableFile, FileInUse, SizeMismatch, DtypeMismatch.
void check_input_source(const ast::Expr& source, const ast::ArrayRef& target, Span span,
                        const InputFiles& files, CheckContext& context);

}  // namespace shard

// `for`, and what passes of a loop have in common.
#pragma once

#include "interpreter/statements/context.h"

namespace shard {

// Runs a loop. Over a range, `for i in 0..L`, each pass goes on where the one before it stopped. Over a list, `for B in
// [1Ki, 4Ki]`, each pass stands for itself: it begins with the arrays as they are before the loop, is estimated and not
// executed, and leaves nothing behind. Tables that `print` fills are an entry when the outermost loop is at its end.
// A mistake that several passes have is one error, with the first of them as a note. Reports BadArgument,
// TooManyPasses.
void run_loop(const ast::Loop& loop, Span span, StatementRunner runner);

}  // namespace shard

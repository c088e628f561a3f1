// What a loop over a list runs over: of what `solve` found each of its numbers.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/run_context.h"

namespace shard {

// The passes of one item of the list of a loop over `variable`: the item itself, or the numbers that a question or a name for what
// it found stand for; none of `never`. Reports BadArgument, NotNotation, and what the question reports.
std::vector<ast::Alternative> passes_of(const ast::Alternative& item, const std::string& variable,
                                        RunContext& context);

}  // namespace shard

// What a loop over a list runs over: of what `solve` found each of its numbers.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/run_context.h"

namespace shard {

// The items of the list of a loop over `variable`; in the place of a question, or of a name for what it found, the numbers that it
// stands for, of `never` none. Reports BadArgument, NotNotation, and what the question reports.
std::vector<ast::Alternative> passes_of(const std::vector<ast::Alternative>& items,
                                        const std::string& variable, RunContext& context);

}  // namespace shard

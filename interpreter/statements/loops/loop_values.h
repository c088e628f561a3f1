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

// One pass, which is called `name`, "F = 8,192": pictures say in which one they were drawn.
void run_pass(const std::vector<ast::Statement>& body, const std::string& name,
              DiagnosticSink& sink, RunContext& context);

}  // namespace shard

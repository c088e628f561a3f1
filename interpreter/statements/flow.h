// Flows: checked, and planned as statements of the program that grows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/ir/checked_program.h"
#include "interpreter/statements/run_context.h"

namespace shard {

// The program of the machine in force: the one that grows, or a new one.
Program& growing_program(RunContext& context);
// That one, if it has statements; null where the next one begins a program.
const Program* begun_program(const RunContext& context);

// Plans a flow. Reports TooLarge for too many dimensions without a size, RateMissing once, LinkFailed, and what lowering
// reports. `text`: the statement as it is shown.
void plan_flow(checked::Flow flow, std::string text, RunContext& context);
// Other changes of it.
void carry_out(const checked::Argument& argument, RunContext& context);
bool carry_out(const checked::Part& part, RunContext& context);
CopyId carry_out(const checked::Request& item, RunContext& context);
void carry_out(const checked::Rename& item, RunContext& context);
void carry_out(const checked::Drop& item, RunContext& context);
// A block or function ends, and with it these arrays: what nothing has used is over before the next statement.
void end_with_block(const std::vector<ArrayId>& arrays, RunContext& context);
// The last statement made what takes this array's name.
void end_replaced_array(ArrayId array, RunContext& context);
// The flow of a statement; without one it had a mistake.
void plan_flow(std::optional<checked::Flow> flow, const ast::Statement& statement,
               RunContext& context);

// `A[I] = zeros`, `x = load("x.npy")`: what an input is filled with. REQUIRES: `source` is one.
void fill(const ast::Expr& source, const ast::ArrayRef& target, Span span, RunContext& context);

// The copy that an array stands for where it is read, wanted when the run is over; an input appears in the plan. Reports NotArray, and
// what `check_use` reports.
std::optional<CopyId> requested_copy(const ast::Expr& array, RunContext& context);

}  // namespace shard

// `send A from (0,0) to (3,3)`.
#pragma once

#include <optional>

#include "interpreter/check_brackets.h"
#include "interpreter/checked.h"
#include "interpreter/program.h"

namespace shard {

// The array becomes a copy that the second device holds, moved there from the first one. An array that is first named here
// is an input that the first device holds. Reports BadSend and what is wrong with the array.
std::optional<checked::Flow> check_send(const ast::Send& send, Span span, CheckContext& context);

// "first byte after 6.000 us, last after 192.4 us"; empty while times are formulas.
std::string arrival_text(const Program& program, const StatementRecord& send);

}  // namespace shard

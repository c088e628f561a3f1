// `send A from (0,0) to (3,3)`.
#pragma once

#include <optional>

#include "interpreter/check/brackets.h"
#include "interpreter/ir/checked.h"

namespace shard {

// The array becomes a copy that the second device holds, moved there from the first one. An array that is first named
// here is an input that the first device holds. Reports BadSend and what is wrong with the array.
std::optional<checked::Flow> check_send(const ast::Send& send, Span span, CheckContext& context);

}  // namespace shard

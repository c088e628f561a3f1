// Arrays that a name does not mean any more.
#pragma once

#include <string>

#include "interpreter/check/brackets.h"

namespace shard {

// Reports an array that was dropped; false if it is none.
bool report_dropped(const std::string& name, Span span, CheckContext& context);
// Reports a name that ended with its block, or an array that another machine has ended; false if it is none.
bool report_ended(const std::string& name, Span span, CheckContext& context);

}  // namespace shard

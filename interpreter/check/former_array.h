// Arrays that a name does not mean: any more, or at all.
#pragma once

#include <string>

#include "interpreter/check/brackets.h"

namespace shard {

// Reports an array that was dropped; false if it is none.
bool report_dropped(const std::string& name, Span span, CheckContext& context);
// Reports a name that ended with its block, or an array that another machine has ended; false if it is none.
bool report_ended(const std::string& name, Span span, CheckContext& context);

// Reports `Alpa[0, 0]` of an array that is not there, UnknownName: no dimension is 0 long, so that an element is meant. False if it is
// something else.
bool report_unknown_element(const ast::ArrayRef& array, CheckContext& context);

}  // namespace shard

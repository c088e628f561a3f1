// What `when` is asked, and answers.
#pragma once

#include <optional>

#include "interpreter/solve/asked_comparison.h"

namespace shard {

// nullopt after a report.
std::optional<Condition> condition_asked(const AskedQuestion& about);

}  // namespace shard

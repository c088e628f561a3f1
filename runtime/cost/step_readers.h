// Which steps of a plan wait for which.
#pragma once

#include <cstddef>

#include "base/packed_lists.h"
#include "runtime/plan/plan.h"

namespace shard {

// By step: the steps that read its result, each once. An Update at one place is waited for by what reads the array there;
// what reads it at another place waits for whoever made what lies at that one.
Lists<std::size_t> readers_of(const Plan& plan);

}  // namespace shard

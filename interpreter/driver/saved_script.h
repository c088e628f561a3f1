// A session as a script.
#pragma once

#include <string>
#include <vector>

#include "interpreter/driver/shell.h"

namespace shard {

// The inputs one below the other. A script gives a size or a function once: where the session gave it anew, it has the last one
// from the beginning. `_` becomes a name of its own.
std::string saved_script(const std::vector<TypedInput>& inputs, const Session& session);

// The options of `shard run` that make it run as the session did; empty for none.
std::string options_of_run(const SessionOptions& options);

}  // namespace shard

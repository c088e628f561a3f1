// A session as a script.
#pragma once

#include <string>
#include <vector>

#include "interpreter/driver/shell.h"

namespace shard {

struct SavedScript {
  std::string text;
  std::string remark;  // what it says otherwise than the session; empty if it says the same
};

// The inputs one below the other. A script gives a name once: of a value or a function that the session gave anew, the earlier
// ones get names of their own; of a size the script has the last one from the beginning. `_` becomes a name as well, and an
// expectation that failed a comment. The script is checked under the options, and what it prints and gives is compared with the
// session.
SavedScript saved_script(const std::vector<TypedInput>& inputs, const Session& session,
                         const SessionOptions& options);

// The options of `shard run` that make it run as the session did; empty for none.
std::string options_of_run(const SessionOptions& options);
// Those of them that no setting changes.
std::string lasting_options(const SessionOptions& options);

}  // namespace shard

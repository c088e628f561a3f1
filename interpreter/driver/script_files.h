// The scripts that the command is given.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "interpreter/check/run_files.h"
#include "interpreter/driver/arguments.h"

namespace shard {

// The files of the command itself. Fails if the trace would overwrite one of them.
Result<RunFiles> files_of(const Arguments& arguments);
FileClaim trace_claim(const Arguments& arguments);

// Calls `run_one` with the name and the text of each file, which is a script of its own. The exit status: the smallest that is
// not 0.
int for_each_file(
    const Arguments& arguments,
    const std::function<int(const std::string& name, const std::string& text)>& run_one);

}  // namespace shard

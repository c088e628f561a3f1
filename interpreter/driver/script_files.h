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

using RunOne = std::function<int(const std::string& name, const std::string& text)>;

// Calls `run_one` with the name and the text of each file. The exit status: the smallest that is not 0.
int for_each_file(const Arguments& arguments, const RunOne& run_one);
// The same for scripts: a document with scripts in its fences is none.
int for_each_script(const Arguments& arguments, const RunOne& run_one);

}  // namespace shard

// Diagnostics as text.
#pragma once

#include <string>

#include "grammar/diagnostic.h"

namespace shard {

// mesh.shard:3:14: error: mesh has no axis `T` [UnknownAxis]
//   3 | A[I_T, J]
//     |     ^
// note: …
// help: …
// A long source line is cut to a window around the mark; control characters and invalid UTF-8 are shown as `?`.
std::string render(const Diagnostic& diagnostic, const SourceMap& sources, bool colour);

}  // namespace shard

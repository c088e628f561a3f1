// Diagnostics as text.
#pragma once

#include <string>
#include <string_view>

#include "grammar/diagnostics/diagnostic.h"

namespace shard {

// "error", "warning", "note".
std::string_view name_of(Severity severity);

// mesh.shard:3:14: error: mesh has no axis `T` [UnknownAxis]
//   3 | A[I_T, J]
//     |     ^
// note: …
// help: …
// A long source line is cut to a window around the mark; nothing in it controls a terminal (grammar/source/visible.h).
std::string render(const Diagnostic& diagnostic, const SourceMap& sources, bool colour);
// All of them, one below the other. Of more than 100 errors the first 100 and the number of the others, and likewise
// for warnings and notes.
std::string render(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources,
                   bool colour);

}  // namespace shard

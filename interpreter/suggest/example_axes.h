// Lines that are offered as examples have the axes X, Y, Z: here they get those of the script's mesh.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// The line with `axes` in the place of X, Y and Z: `A[I_X, J]` as `A[I_dp, J]`. As it is where they are too few.
std::string with_axes(std::string_view line, const std::vector<std::string>& axes);
// The same with the axes of the mesh, where that has none of X, Y and Z.
std::string with_mesh_axes(std::string_view line, const Scope& scope);

// The same of every help of the statement's mistakes. What the statement itself says stays.
void use_axes_of_mesh(const Span& statement, std::string_view text, const Scope& scope,
                      DiagnosticSink& sink);

}  // namespace shard

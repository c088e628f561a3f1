// Lines that are offered as examples have the axes X, Y, Z: here they get those of the script's mesh.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/diagnostic.h"
#include "interpreter/scope.h"

namespace shard {

// The line with the axes of the mesh in the place of X, Y and Z, where the mesh lacks these: `A[I_X, J]` as `A[I_dp, J]`.
std::string with_axes(std::string_view line, const std::vector<std::string>& axes);

// The same of every help of the statement's mistakes. What the statement itself says stays.
void use_axes_of_mesh(const Span& statement, std::string_view text, const Scope& scope,
                      DiagnosticSink& sink);

}  // namespace shard

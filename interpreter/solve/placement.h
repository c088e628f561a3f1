// What `place best` finds over the ways to lay a mesh over its slice.
#pragma once

#include <optional>
#include <string>

#include "interpreter/evaluate/evaluator.h"

namespace shard {

struct BestPlacement {
  ast::Mesh mesh;
  Quantity value;  // what was to be least, with a remark on the other placements
};

// The placement under which `mesh.least` is least, the first one on a tie; nullopt if the mesh cannot be laid, and after a report.
// Where there is one way only, it is asked for as well: a script says the same on every slice.
// Reports what evaluating reports, and BadArgument where the value is no number or is one that no placement changes.
// REQUIRES: mesh.least.
std::optional<BestPlacement> best_placement(const ast::Mesh& mesh, Span span,
                                            EvaluationContext& context);

}  // namespace shard

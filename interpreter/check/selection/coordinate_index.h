// `coord(X)` in an index: each device picks by its own place on an axis (design: language, "Arrays, layouts and
// copies").
#pragma once

#include "interpreter/check/brackets.h"

namespace shard {

// Puts, in place of each `coord(X)` of an index, the name of an array that holds the places of X, split over X, so that
// a device has its own: `int32[coord(X)_X]`. What is picked by it has that dimension, over which it is to be summed.
// Reports BadArgument, UnknownAxis, NoMesh.
bool name_coordinates(ast::Expr& index, CheckContext& context);

}  // namespace shard

// `show A[I_X, J_Y]`: which device holds which block.
#pragma once

#include <optional>

#include "interpreter/check/brackets.h"
#include "interpreter/statements/entries.h"

namespace shard {

// Reports NoMesh, and what is wrong with the array.
std::optional<Picture> check_show(const ast::Show& show, CheckContext& context);

}  // namespace shard

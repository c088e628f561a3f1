// `cost { … }`: statements that are planned and priced, and never run.
#pragma once

#include <optional>

#include "interpreter/runner.h"

namespace shard {

// Plans the statements of a block in a scope of its own and says what they cost; nullopt if the block has errors, which
// are reported in `context`. Its scope learns the names of axes and dimensions. Of `options` budget and modules count.
std::optional<Figures> suppose(const ast::BlockExpr& block, Scope scope,
                               const RunnerOptions& options, CheckContext& context);

}  // namespace shard

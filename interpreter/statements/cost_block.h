// `cost { … }`: statements that are planned and priced, and never run.
#pragma once

#include <memory>

#include "interpreter/statements/runner.h"

namespace shard {

// Plans the statements of a block in a scope of its own, with the sizes and the machine of `context`, and says what they
// cost; nullptr if the block has errors, which are reported in `context`. That scope learns the names of axes and
// dimensions. Of `options` budget, modules and faults count.
std::shared_ptr<const Figures> suppose(const Supposition& supposition, const RunnerOptions& options,
                                       CheckContext& context);

}  // namespace shard

// `save A "a.npy"`.
#pragma once

#include "interpreter/statements/context.h"

namespace shard {

// Written when the run is over. Reports BadArgument, FileInUse, and what `requested_copy` reports.
void run_save(const ast::Save& save, Span span, const StatementRunner& runner);

}  // namespace shard

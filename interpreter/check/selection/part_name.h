// What the part of a dimension is called. Private to the folder.
#pragma once

#include <optional>

#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// The parts `0:K`, `K:2*K`, and to the end `K:` and `-K:`, are a dimension K, if that is as long. An index is no length: neither
// that of a loop, nor another number in small letters that is no dimension yet, `past = cache[0:t]`.
// `begin` is where it begins; `is_last`: it goes on to the end of the dimension.
std::optional<DimensionId> name_of_part(const ast::Slice& slice, const Formula& begin, bool is_last,
                                        Scope& scope);

}  // namespace shard

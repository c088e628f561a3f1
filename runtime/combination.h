// How the parts of an unreduced array make the whole.
#pragma once

namespace shard {

// `{U_X}` and `{max_X}` of the notation.
enum class Combination { Sum, Max };

}  // namespace shard

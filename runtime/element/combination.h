// How the parts of an unreduced array make the whole.
#pragma once

namespace shard {

// `{U_X}`, `{max_X}` and `{min_X}` of the notation.
enum class Combination { Sum, Max, Min };

}  // namespace shard

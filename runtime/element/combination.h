// How the parts of an unreduced array combine into the whole.
#pragma once

namespace shard {

// `{U_X}`, `{max_X}` and `{min_X}` in the notation.
enum class Combination { Sum, Max, Min };

}  // namespace shard

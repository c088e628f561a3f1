// Arrows to the left, by which other notations assign. None is one of ours: messages and documents are where they are met.
#pragma once

#include <string_view>

namespace shard {

// Each behind those that begin with it.
inline constexpr std::string_view kLeftArrows[] = {"<--", "<-", "<~", "←", "⟵", "⇐", "⟸"};

}  // namespace shard

// How two texts differ, for a person to read.
#pragma once

#include <string>
#include <string_view>

namespace shard::golden {

// Lines as in a unified diff around where the texts differ: `-` of `expected`, `+` of `actual`,
// some unchanged lines before and after; long excerpts are cut, which is said. Empty if the texts
// are equal.
std::string difference(std::string_view expected, std::string_view actual);

}  // namespace shard::golden

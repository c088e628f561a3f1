// How two texts differ, for a person to read.
#pragma once

#include <string>
#include <string_view>

namespace shard::golden {

// Lines as in a unified diff around where the texts differ: `-` of `expected`, `+` of `actual`,
// some unchanged lines before and after; long excerpts are cut, which is said. Empty if the texts
// are equal.
std::string difference(std::string_view expected, std::string_view actual);

// `actual`, with the drifts that `expected` has in its place where they are neighbouring powers of two: a drift close to a
// power comes out on either side of it, as processors add in other orders.
std::string with_drifts_of(std::string_view expected, std::string_view actual);

}  // namespace shard::golden

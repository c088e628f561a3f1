// Whether a value is in a range, and where.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

namespace shard {

template <class Range, class Value>
bool contains(const Range& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

template <class Range, class Part>
bool contains_all(const Range& range, const Part& part) {
  return std::all_of(std::begin(part), std::end(part),
                     [&](const auto& value) { return contains(range, value); });
}

// The index of the first equal element; nullopt if there is none.
template <class Range, class Value>
std::optional<std::size_t> position_of(const Range& range, const Value& value) {
  const auto found = std::find(std::begin(range), std::end(range), value);
  if (found == std::end(range)) return std::nullopt;
  return static_cast<std::size_t>(std::distance(std::begin(range), found));
}

}  // namespace shard

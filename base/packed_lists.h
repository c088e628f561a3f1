// Many short lists in one block of memory.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace shard {

// A list for each of `count` items, fixed at construction. Values keep the order in which they were given.
template <class T>
class Lists {
 public:
  // `pairs`: an item below `count`, and a value for its list.
  Lists(std::size_t count, const std::vector<std::pair<std::size_t, T>>& pairs)
      : begins_(count + 1, 0), values_(pairs.size()) {
    for (const auto& pair : pairs) ++begins_[pair.first + 1];
    for (std::size_t i = 0; i < count; ++i) begins_[i + 1] += begins_[i];
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (const auto& pair : pairs) values_[next[pair.first]++] = pair.second;
  }

  std::span<const T> operator[](std::size_t item) const {
    return std::span(values_).subspan(begins_[item], begins_[item + 1] - begins_[item]);
  }

 private:
  std::vector<std::size_t> begins_;  // by item
  std::vector<T> values_;
};

}  // namespace shard

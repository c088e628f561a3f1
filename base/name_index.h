// Finds the nearest of many names without comparing against each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/words.h"

namespace shard {

// Indexes names by what remains of their beginnings after deleting letters: two names within two edits of each other
// share such a remainder (Garbe's symmetric delete). Adding a name makes some tens of entries; a query compares only
// the names that share a remainder.
class NameIndex {
 public:
  // Does nothing if the name is there already.
  void add(const std::string& name);

  // nearest_name(word, names) over the added names that are accepted, in alphabetical order.
  std::optional<std::string> nearest(std::string_view word,
                                     const std::function<bool(const std::string&)>& accepted) const;

 private:
  struct Entry {
    std::uint32_t name;
    std::uint32_t next;  // with the same remainder: its index + 1; 0: none
  };

  std::vector<std::string> names_;
  std::unordered_set<std::string> known_;
  std::vector<Entry> entries_;
  // By remainder: an index + 1 into entries_.
  std::unordered_map<std::string, std::uint32_t> first_;
};

}  // namespace shard

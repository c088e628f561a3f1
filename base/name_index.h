// The nearest of many names, found without a look at each.
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

// Names by what is left of their beginnings where letters are taken away: two names within two edits of each other have
// such a rest in common (Garbe's symmetric delete). To add a name takes some tens of entries; to ask for the nearest looks at
// the names that share a rest alone.
class NameIndex {
 public:
  // Does nothing if it was added before.
  void add(const std::string& name);

  // nearest_name(word, names), of those added names that are accepted, in the order of the alphabet.
  std::optional<std::string> nearest(std::string_view word,
                                     const std::function<bool(const std::string&)>& accepted) const;

 private:
  struct Entry {
    std::uint32_t name;
    std::uint32_t next;  // of the same rest: its index + 1; 0: none
  };

  std::vector<std::string> names_;
  std::unordered_set<std::string> known_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::uint32_t> first_;  // by rest: an index + 1 into entries_
};

}  // namespace shard

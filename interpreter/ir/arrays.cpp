#include "interpreter/ir/arrays.h"

#include <algorithm>
#include <utility>

#include "base/words.h"

namespace shard {

std::vector<int> numbered(const std::vector<DimensionId>& ids) {
  std::vector<int> numbers;
  numbers.reserve(ids.size());
  for (const DimensionId id : ids) numbers.push_back(id.value);
  return numbers;
}

std::vector<std::string> Arrays::names_of(
    const std::vector<DimensionId>& dimensions_of_array) const {
  std::vector<std::string> names;
  names.reserve(dimensions_of_array.size());
  for (const DimensionId dimension : dimensions_of_array)
    names.push_back(dimensions[dimension].name);
  return names;
}

std::optional<std::string> Arrays::nearest_long_name(
    const std::string& name, const PersistentMap<std::string, ArrayId>& names) const {
  const auto is_long = [](const std::string& key) {
    return key.size() >= ArrayNameIndex::kShortest &&
           std::none_of(key.begin(), key.end(), is_digit);
  };
  if (!is_long(name_key(name))) return std::nullopt;
  ArrayNameIndex& index = *name_index_;
  names.visit_changed(index.taken, [&](const auto& entry) {
    if (is_long(entry.first)) index.names.add(arrays[entry.second].name);
  });
  index.taken = names;
  return index.names.nearest(name, [&](const std::string& other) {
    const auto found = names.find(name_key(other));
    return found != names.end() && arrays[found->second].name == other;
  });
}

void Arrays::append_from(const Arrays& later) {
  for (std::size_t i = arrays.size(); i < later.arrays.size(); ++i)
    arrays.add(later.arrays[ArrayId{static_cast<std::int32_t>(i)}]);
  for (std::size_t i = dimensions.size(); i < later.dimensions.size(); ++i)
    dimensions.add(later.dimensions[DimensionId{static_cast<std::int32_t>(i)}]);
}

}  // namespace shard

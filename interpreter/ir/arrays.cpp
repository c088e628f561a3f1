#include "interpreter/ir/arrays.h"

#include <algorithm>
#include <utility>

#include "base/words.h"

namespace shard {

std::vector<int> numbered(const std::vector<DimensionId>& ids) {
  std::vector<int> numbers;
  for (const DimensionId id : ids) numbers.push_back(id.value);
  return numbers;
}

const LiveCopy* ArrayInfo::newest_written() const {
  const auto found = std::find_if(copies.rbegin(), copies.rend(),
                                  [](const LiveCopy& copy) { return !copy.inferred; });
  return found == copies.rend() ? nullptr : &*found;
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

const PersistentIdVector<ArrayId, ArrayInfo>& Arrays::supposed(const Mesh& mesh) const {
  SupposedArrays& known = supposed_;
  if (!(known.mesh == mesh) || known.written.size() > arrays.size())
    known = {.mesh = mesh, .written = {}, .arrays = {}};
  arrays.visit_changed(known.written, [&](ArrayId id, const ArrayInfo& array) {
    ArrayInfo supposed = array;
    for (LiveCopy& copy : supposed.copies)
      copy = {.layout = copy.layout, .copy = {}, .inferred = copy.inferred};
    if (static_cast<std::size_t>(id.value) < known.arrays.size()) {
      known.arrays[id] = std::move(supposed);
    } else {
      known.arrays.add(std::move(supposed));
    }
  });
  known.written = arrays;
  return known.arrays;
}

void Arrays::append_from(const Arrays& later) {
  later.shared_copies.for_each([&](CopyId copy) { shared_copies.insert(copy); });
  const bool all_adopted = arrays.is_same(adopted.arrays);
  for (std::size_t i = arrays.size(); i < later.arrays.size(); ++i)
    arrays.add(later.arrays[ArrayId{static_cast<std::int32_t>(i)}]);
  // Nothing names the new ones, so that no mesh has to look at them.
  if (all_adopted) adopted.arrays = arrays;
  for (std::size_t i = dimensions.size(); i < later.dimensions.size(); ++i)
    dimensions.add(later.dimensions[DimensionId{static_cast<std::int32_t>(i)}]);
}

}  // namespace shard

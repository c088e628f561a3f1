#include "interpreter/ir/environment.h"

#include <algorithm>
#include <cstdlib>

#include "grammar/tree/names.h"

namespace shard {

namespace {

template <class Map>
auto lookup(const Map& map, const std::string& name) {
  const auto found = map.find(name_key(name));
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<ArrayId> Environment::find_array(const std::string& name) const {
  return lookup(array_names, name);
}

std::optional<ArrayId> Environment::find_declared(const std::string& name) const {
  const auto array = find_array(name);
  // What a function makes is its own, whatever the script has declared under that name.
  if (outside && array == lookup(outside->array_names, name)) return std::nullopt;
  return array ? array : lookup(ended_by_machine, name);
}

std::optional<DimensionId> Environment::find_dimension(const std::string& name) const {
  if (!name.empty() && name.back() == kBeside) {
    const auto twin = own_dimensions.find({name, std::atoll(name.c_str())});
    if (twin != own_dimensions.end()) return twin->second;
  }
  return lookup(dimension_names, name);
}

bool Environment::hides_outer_scalar(const std::string& name) const {
  if (!outside) return false;
  const auto array = find_array(name);
  if (!array || array == lookup(outside->array_names, name)) return false;
  return is_length_of_outside(name);
}

bool Environment::is_length_of_outside(const std::string& name) const {
  if (!outside) return false;
  const std::string key = name_key(name);
  const auto own = bindings.find(key);
  const auto outer = outside->bindings.find(key);
  const bool own_binding = own != bindings.end() && (outer == outside->bindings.end() ||
                                                     !(own->second.span == outer->second.span));
  return !own_binding && find_dimension(name) == lookup(outside->dimension_names, name);
}

bool Environment::is_of_outside(const std::string& name) const {
  const auto array = find_array(name);
  return outside && (!array || array == lookup(outside->array_names, name));
}

void Environment::hide_outer_array(const std::string& name) {
  if (outside && find_array(name) && is_of_outside(name)) array_names.erase(name_key(name));
}

void Environment::change_outside(const std::string& name) {
  const auto array = find_array(name);
  if (!outside || !array || array == lookup(outside->array_names, name)) return;
  OuterNames changed = *outside;
  changed.array_names[name_key(name)] = *array;
  outside = std::make_shared<const OuterNames>(std::move(changed));
}

std::vector<ArrayId> Environment::named_arrays() const {
  std::vector<ArrayId> named;
  for (const auto& [key, array] : array_names) named.push_back(array);
  if (outside) {
    for (const auto& [key, array] : outside->array_names) named.push_back(array);
  }
  // An array of the script may have its name within a function, too.
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
}

void Environment::note_ended(const PersistentMap<std::string, BindingInfo>& before) {
  bindings.visit_changed(before, [&](const auto& entry) {
    if (!before.contains(entry.first)) ended[entry.first] = entry.second.span;
  });
}

void Environment::note_ended(const PersistentMap<std::string, ArrayId>& before,
                             const Arrays& store) {
  array_names.visit_changed(before, [&](const auto& entry) {
    if (!before.contains(entry.first)) ended[entry.first] = store.arrays[entry.second].span;
  });
}

}  // namespace shard

#include "interpreter/ir/symbols.h"

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/ir/binding_reads.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

const BindingInfo* Scope::find_binding(const std::string& name) const {
  const std::string key = name_key(name);
  const auto found = names.bindings.find(key);
  const BindingInfo* binding = found == names.bindings.end() ? nullptr : &found->second;
  if (reads != nullptr) reads->note(key, binding);
  return binding;
}

namespace {
// Before a name, that of the mesh is meant, whatever the parameters of a function call so.
constexpr char kOfMesh = '\'';
}  // namespace

std::string Scope::name_of(AxisId axis) const {
  const std::string& name = mesh().axes[axis].name;
  const auto hidden = names.axis_names.find(name);
  const bool is_itself = hidden == names.axis_names.end() || hidden->second == std::vector{axis};
  return is_itself ? name : kOfMesh + name;
}

std::optional<std::vector<AxisId>> Scope::find_axes(const std::string& name) const {
  const auto found = names.axis_names.find(name);
  if (found != names.axis_names.end()) return found->second;
  const auto axis = mesh().find(name.starts_with(kOfMesh) ? name.substr(1) : name);
  return axis ? std::optional(std::vector{*axis}) : std::nullopt;
}

std::optional<AxisId> Scope::find_axis(const std::string& name) const {
  const auto found = names.axis_names.find(name);
  if (found == names.axis_names.end())
    return mesh().find(name.starts_with(kOfMesh) ? name.substr(1) : name);
  return found->second.size() == 1 ? std::optional(found->second.front()) : std::nullopt;
}

DimensionId Scope::intern_dimension(const std::string& name) {
  // Nearly all are known: they are looked up, as a change would copy what another scope shares.
  std::string key = name_key(name);
  if (const auto known = names.dimension_names.find(key); known != names.dimension_names.end())
    return known->second;
  // What a function has a number for is as long as that, whatever the script calls so.
  const BindingInfo* own = names.outside ? find_binding(name) : nullptr;
  const auto length = own != nullptr && own->depth > 0 ? whole_length(own->value) : std::nullopt;
  if (length) {
    intern_own_length(name, *length);
    return names.dimension_names[key];
  }
  return names.dimension_names[key] = store.dimensions.add({.name = name});
}

DimensionId Scope::intern_length(std::int64_t length) {
  const std::string name = std::to_string(length);
  if (const auto known = names.dimension_names.find(name); known != names.dimension_names.end())
    return known->second;
  // A length is the same dimension in all functions and blocks.
  const auto [own, is_new] = names.own_dimensions.try_emplace({name, length});
  if (is_new) own->second = store.dimensions.add({.name = name, .literal = length});
  return names.dimension_names[name] = own->second;
}

DimensionId Scope::intern_length_beside(const std::vector<DimensionId>& others,
                                        std::int64_t length) {
  DimensionId found = intern_length(length);
  const std::string name = std::to_string(length);
  for (std::string key = name + kBeside; contains(others, found); key += kBeside) {
    const auto [own, is_new] = names.own_dimensions.try_emplace({key, length});
    if (is_new) own->second = store.dimensions.add({.name = name, .literal = length});
    found = own->second;
  }
  return found;
}

std::string Scope::index_name(DimensionId dimension) const {
  const DimensionInfo& info = store.dimensions[dimension];
  if (!info.literal || names.find_dimension(info.name) == dimension) return info.name;
  std::string key = info.name + kBeside;
  for (auto twin = names.find_dimension(key); twin && *twin != dimension;
       twin = names.find_dimension(key))
    key += kBeside;
  return key;
}

void Scope::intern_own_length(const std::string& name, std::int64_t length) {
  DimensionId& entry = names.dimension_names[name_key(name)];
  if (entry.valid() && !names.outside && !store.dimensions[entry].own_length) {
    const auto kept = size_of(entry).constant();
    store.dimensions[entry].own_length = kept ? kept->to_int64() : std::nullopt;
    if (store.dimensions[entry].own_length) names.kept_lengths.push_back(entry);
  }
  const auto [own, is_new] = names.own_dimensions.try_emplace({name_key(name), length});
  if (is_new)
    own->second = store.dimensions.add({.name = name, .literal = {}, .own_length = length});
  entry = own->second;
}

DimensionId Scope::add_beside(const std::string& name, DimensionId dimension) {
  DimensionInfo info{.name = name, .same_as = dimension};
  if (const auto length = length_of(dimension)) info.own_length = length->to_int64();
  return store.dimensions.add(std::move(info));
}

DimensionId Scope::stand_in(const std::string& name, DimensionId dimension) {
  for (std::string key = name_key(name) + kBeside;; key += kBeside) {
    const auto [entry, is_new] = names.stand_ins.try_emplace(key);
    if (is_new)
      entry->second =
          store.dimensions.add({.name = name, .key = key, .same_as = dimension, .stands_in = true});
    else if (!(store.dimensions[entry->second].same_as == dimension))
      continue;
    return entry->second;
  }
}

void Scope::open_asked_lengths() {
  for (std::size_t i = 0; i < store.dimensions.size() && !asked.empty(); ++i) {
    const DimensionId id{static_cast<std::int32_t>(i)};
    if (store.dimensions[id].own_length && asked.contains(name_key(store.dimensions[id].name)))
      store.dimensions[id].own_length.reset();
  }
}

std::string Scope::symbol_of(DimensionId dimension) const {
  const std::string& name = store.dimensions[dimension].name;
  const bool taken = mesh().find(name).has_value() || is_chip_symbol(name);
  return taken ? "|" + name + "|" : name;
}

std::optional<Rational> Scope::length_of(DimensionId dimension) const {
  const DimensionInfo& info = store.dimensions[dimension];
  if (info.literal) return *info.literal;
  if (info.own_length) return *info.own_length;
  const auto& sizes = names.outside ? names.outside->bindings : names.bindings;
  const auto binding = sizes.find(info.key);
  if (reads != nullptr) reads->note(info.key, binding == sizes.end() ? nullptr : &binding->second);
  if (binding != sizes.end()) {
    const auto* quantity = std::get_if<Quantity>(&binding->second.value);
    if (quantity != nullptr && quantity->unit.is_plain()) {
      if (const auto number = quantity->value.constant()) return number;
    }
  }
  return info.same_as.valid() ? length_of(info.same_as) : std::nullopt;
}

Amount Scope::size_of(DimensionId dimension) const {
  if (const auto length = length_of(dimension)) return *length;
  const DimensionId same = store.dimensions[dimension].same_as;
  return same.valid() ? size_of(same) : Amount::symbol(symbol_of(dimension));
}

void Scope::identify_lengths(DimensionId a, DimensionId b) {
  if (size_of(a) == size_of(b)) return;
  const DimensionId open = size_of(a).constant() ? b : a;
  if (size_of(open).constant()) return;
  DimensionId last = open;
  while (store.dimensions[last].same_as.valid()) last = store.dimensions[last].same_as;
  store.dimensions[last].same_as = open == a ? b : a;
  ++store.identified;
}

std::vector<Amount> Scope::shape_of(const std::vector<DimensionId>& dimensions_of_array) const {
  std::vector<Amount> shape;
  shape.reserve(dimensions_of_array.size());
  for (const DimensionId dimension : dimensions_of_array) shape.push_back(size_of(dimension));
  return shape;
}

std::string Scope::describe(ArrayId array, const Layout& layout) const {
  const ArrayInfo& info = store.arrays[array];
  return info.name + to_string(layout, store.names_of(info.dimensions), mesh());
}

void Scope::forget_array(const std::string& name) {
  names.array_names.erase(name_key(name));
  told.unknown.insert(name_key(name));
}

}  // namespace shard

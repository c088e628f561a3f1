#include "interpreter/ir/symbols.h"

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/ir/binding_reads.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

template <class Map>
auto lookup(const Map& map, const std::string& name) {
  const auto found = map.find(name_key(name));
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

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

std::optional<ArrayId> Scope::find_array(const std::string& name) const {
  return lookup(array_names, name);
}

std::optional<DimensionId> Scope::find_dimension(const std::string& name) const {
  return lookup(dimension_names, name);
}

std::optional<std::string> Scope::nearest_long_name(const std::string& name) const {
  const auto is_long = [](const std::string& key) {
    return key.size() >= ArrayNameIndex::kShortest &&
           std::none_of(key.begin(), key.end(), is_digit);
  };
  if (!is_long(name_key(name))) return std::nullopt;
  ArrayNameIndex& index = *array_name_index;
  array_names.visit_changed(index.taken, [&](const auto& entry) {
    if (is_long(entry.first)) index.names.add(arrays[entry.second].name);
  });
  index.taken = array_names;
  return index.names.nearest(name, [&](const std::string& other) {
    const auto found = find_array(other);
    return found && arrays[*found].name == other;
  });
}

const BindingInfo* Scope::find_binding(const std::string& name) const {
  const std::string key = name_key(name);
  const auto found = bindings.find(key);
  const BindingInfo* binding = found == bindings.end() ? nullptr : &found->second;
  if (reads != nullptr) reads->note(key, binding);
  return binding;
}

std::optional<AxisId> Scope::find_axis(const std::string& name) const {
  const auto found = axis_names.find(name);
  return found == axis_names.end() ? mesh().find(name) : std::optional(found->second);
}

bool Scope::is_unknown(const std::string& name) const {
  return module_failed || was_reported(name);
}

bool Scope::was_reported(const std::string& name) const {
  const std::string key = name_key(name);
  return unknown.count(key) != 0 || misread_inputs.count(key) != 0;
}

DimensionId Scope::intern_dimension(const std::string& name) {
  // Nearly all are known: they are looked up, as a change would copy what another scope shares.
  std::string key = name_key(name);
  if (const auto known = dimension_names.find(key); known != dimension_names.end())
    return known->second;
  return dimension_names[key] = dimensions.add({.name = name});
}

DimensionId Scope::intern_length(std::int64_t length) {
  const std::string name = std::to_string(length);
  const auto [entry, is_new] = dimension_names.try_emplace(name);
  if (is_new) entry->second = dimensions.add({.name = name, .literal = length});
  return entry->second;
}

void Scope::intern_own_length(const std::string& name, std::int64_t length) {
  DimensionId& entry = dimension_names[name_key(name)];
  if (entry.valid() && !outside && !dimensions[entry].own_length) {
    const auto kept = size_of(entry).constant();
    dimensions[entry].own_length = kept ? kept->to_int64() : std::nullopt;
    if (dimensions[entry].own_length) kept_lengths.push_back(entry);
  }
  const auto [own, is_new] = own_dimensions.try_emplace({name_key(name), length});
  if (is_new) own->second = dimensions.add({.name = name, .literal = {}, .own_length = length});
  entry = own->second;
}

void Scope::end_block(BlockNames before) {
  note_ended(before.bindings);
  bindings = std::move(before.bindings);
  for (; kept_lengths.size() > before.kept_lengths; kept_lengths.pop_back())
    dimensions[kept_lengths.back()].own_length.reset();
  const auto inside = std::exchange(dimension_names, std::move(before.dimension_names));
  const auto& all = std::as_const(dimensions);
  // What the block saw in brackets.
  inside.visit_changed(dimension_names, [&](const auto& entry) {
    if (!all[entry.second].own_length) dimension_names.try_emplace(entry.first, entry.second);
  });
}

void Scope::note_ended(const PersistentMap<std::string, BindingInfo>& before) {
  bindings.visit_changed(before, [&](const auto& entry) {
    if (!before.contains(entry.first)) ended[entry.first] = entry.second.span;
  });
}

void Scope::note_ended(const PersistentMap<std::string, ArrayId>& before) {
  array_names.visit_changed(before, [&](const auto& entry) {
    if (!before.contains(entry.first))
      ended[entry.first] = std::as_const(arrays)[entry.second].span;
  });
}

std::string Scope::symbol_of(DimensionId dimension) const {
  const std::string& name = dimensions[dimension].name;
  const bool taken = mesh().find(name).has_value() || is_chip_symbol(name);
  return taken ? "|" + name + "|" : name;
}

std::optional<Rational> Scope::length_of(DimensionId dimension) const {
  const DimensionInfo& info = dimensions[dimension];
  if (info.literal) return *info.literal;
  if (info.own_length) return *info.own_length;
  const auto& sizes = outside ? outside->bindings : bindings;
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
  const DimensionId same = dimensions[dimension].same_as;
  return same.valid() ? size_of(same) : Amount::symbol(symbol_of(dimension));
}

void Scope::identify_lengths(DimensionId a, DimensionId b) {
  if (size_of(a) == size_of(b)) return;
  const DimensionId open = size_of(a).constant() ? b : a;
  if (size_of(open).constant()) return;
  DimensionId last = open;
  while (dimensions[last].same_as.valid()) last = dimensions[last].same_as;
  dimensions[last].same_as = open == a ? b : a;
  ++identified;
}

std::vector<Amount> Scope::shape_of(const std::vector<DimensionId>& dimensions_of_array) const {
  std::vector<Amount> shape;
  shape.reserve(dimensions_of_array.size());
  for (const DimensionId dimension : dimensions_of_array) shape.push_back(size_of(dimension));
  return shape;
}

std::vector<std::string> Scope::names_of(
    const std::vector<DimensionId>& dimensions_of_array) const {
  std::vector<std::string> names;
  names.reserve(dimensions_of_array.size());
  for (const DimensionId dimension : dimensions_of_array)
    names.push_back(dimensions[dimension].name);
  return names;
}

std::string Scope::describe(ArrayId array, const Layout& layout) const {
  const ArrayInfo& info = arrays[array];
  return (info.anonymous ? "" : info.name) + to_string(layout, names_of(info.dimensions), mesh());
}

const PersistentIdVector<ArrayId, ArrayInfo>& Scope::supposed_arrays() const {
  SupposedArrays& known = supposed_arrays_known;
  if (!(known.mesh == mesh()) || known.written.size() > arrays.size())
    known = {.mesh = mesh(), .written = {}, .arrays = {}};
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

std::vector<ArrayId> Scope::named_arrays() const {
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

void Scope::forget_array(const std::string& name) {
  array_names.erase(name_key(name));
  unknown.insert(name_key(name));
}

void Scope::go_back_to(Scope before) {
  shared_copies.for_each([&](CopyId copy) { before.shared_copies.insert(copy); });
  const bool all_adopted = before.arrays.is_same(before.adopted.arrays);
  for (std::size_t i = before.arrays.size(); i < arrays.size(); ++i)
    before.arrays.add(arrays[ArrayId{static_cast<std::int32_t>(i)}]);
  // Nothing names the new ones, so that no mesh has to look at them.
  if (all_adopted) before.adopted.arrays = before.arrays;
  for (std::size_t i = before.dimensions.size(); i < dimensions.size(); ++i)
    before.dimensions.add(dimensions[DimensionId{static_cast<std::int32_t>(i)}]);
  note_ended(before.bindings);
  note_ended(before.array_names);
  before.ended = std::move(ended);
  before.own_dimensions = std::move(own_dimensions);
  *this = std::move(before);
}

void Scope::learn_names(const Scope& inner) {
  std::vector<std::string> names;  // by key, so that they become known in one order
  const auto known = dimension_names;
  inner.dimension_names.visit_changed(known, [&](const auto& entry) {
    const DimensionInfo& info = inner.dimensions[entry.second];
    if (!info.literal && !info.own_length && find_binding(entry.first) == nullptr)
      names.push_back(info.name);
  });
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) intern_dimension(name);
  if (machine.mesh_known()) return;
  for (const MeshAxis& axis : inner.mesh().axes) {
    if (!axis.length() && !mesh().find(axis.name)) machine.machine.mesh.axes.add(axis);
  }
}

Scope written_scope(const Scope& scope) {
  scope.supposed_arrays();  // of which those of the next block are made
  Scope written = scope;
  written.unknown.clear();
  written.bindings.clear();
  written.functions.clear();
  written.modules.clear();
  written.chips.clear();
  written.reads = nullptr;
  return written;
}

Scope supposition_scope(const Scope& written, const Scope& read) {
  Scope scope = written;
  scope.supposition = true;
  scope.depth = read.depth + 1;
  scope.unknown = read.unknown;
  scope.bindings = read.outside ? read.outside->bindings : read.bindings;
  if (read.outside) {
    read.bindings.visit_changed(read.outside->bindings, [&](const auto& entry) {
      scope.bindings.insert_or_assign(entry.first, entry.second);
    });
  }
  scope.functions = read.functions;
  scope.modules = read.modules;
  scope.module_failed = read.module_failed;
  scope.chips = read.chips;
  scope.machine = read.machine;
  if (written.mesh() == read.mesh()) {
    scope.arrays = written.supposed_arrays();
  } else {
    scope.adopt_mesh(written.mesh());
  }
  return scope;
}

}  // namespace shard

// What becomes of arrays when another mesh is declared.
#include <algorithm>
#include <set>
#include <utility>

#include "grammar/tree/names.h"
#include "interpreter/ir/symbols.h"

namespace shard {

namespace {

// The axes of `from` by the ids of `to`, matched by name. Arrays that a pass over another mesh made have axes that are
// of neither.
std::optional<AxisId> translate(AxisId axis, const Mesh& from, const Mesh& to) {
  if (static_cast<std::size_t>(axis.value) >= from.axes.size()) return std::nullopt;
  return to.find(from.axes[axis].name);
}

std::optional<std::vector<AxisId>> translate(const std::vector<AxisId>& axes, const Mesh& from,
                                             const Mesh& to) {
  std::vector<AxisId> result;
  for (const AxisId axis : axes) {
    const auto found = translate(axis, from, to);
    if (!found) return std::nullopt;
    result.push_back(*found);
  }
  return result;
}

std::optional<Layout> translate(const Layout& layout, const Mesh& from, const Mesh& to) {
  Layout result;
  for (const auto& axes : layout.dims) {
    auto moved = translate(axes, from, to);
    if (!moved) return std::nullopt;
    result.dims.edit().push_back(std::move(*moved));
  }
  auto unreduced = translate(layout.unreduced, from, to);
  if (!unreduced) return std::nullopt;
  result.unreduced = std::move(*unreduced);
  result.unreduced.sort();
  result.combination = layout.combination;
  for (const Placement& place : layout.placed) {
    const auto axis = translate(place.axis, from, to);
    const auto length = axis ? to.axes[*axis].length() : std::nullopt;
    if (!axis || (length && place.coordinate >= *length)) return std::nullopt;
    result.placed.edit().push_back({*axis, place.coordinate});
  }
  result.placed.sort();
  return result;
}

// Whether each layout over the one mesh is a layout over the other just as it is.
bool keeps_layouts(const Mesh& from, const Mesh& to) {
  if (to.axes.size() < from.axes.size()) return false;
  return std::equal(from.axes.begin(), from.axes.end(), to.axes.begin(),
                    [](const MeshAxis& old, const MeshAxis& axis) {
                      const auto length = axis.length();
                      // Not where a placement would lie behind the end, or an axis has become one of no account.
                      return axis.name == old.name && length && old.length() &&
                             *length >= *old.length() && (*length == 1) == (*old.length() == 1);
                    });
}

}  // namespace

std::map<std::string, ArrayId> Scope::arrays_to_adopt(const Mesh& before) const {
  std::map<std::string, ArrayId> found;
  if (supposition || names.outside || !keeps_layouts(before, mesh())) {
    for (const auto& [key, array] : names.array_names) found.emplace(key, array);
    return found;
  }
  names.array_names.visit_changed(held.names_adopted(),
                                  [&](const auto& entry) { found.insert(entry); });
  held.visit_changed_since_adopted([&](ArrayId id) {
    const std::string key = name_key(store.arrays[id].name);
    const auto named = names.array_names.find(key);
    if (named != names.array_names.end() && named->second == id) found.emplace(key, id);
  });
  return found;
}

void Scope::adopt_mesh(ArrayId id, const Mesh& before) {
  // What is whole on every device and in no plan yet, as most inputs are, is the same on any mesh.
  const auto stays = [&](const LiveCopy& copy) {
    return axes_used(copy.layout).empty() && copy.layout.placed.empty() && !copy.copy.valid() &&
           (!copy.made || supposition);
  };
  const LiveCopies& copies = held.of(id);
  if (std::all_of(copies.begin(), copies.end(), stays)) return;
  LiveCopies kept;
  for (const LiveCopy& copy : copies) {
    if (copy.made && !supposition) continue;
    auto layout = translate(copy.layout, before, mesh());
    if (layout)
      kept.push_back(
          {.layout = without_trivial_axes(*layout, mesh()), .copy = {}, .inferred = copy.inferred});
  }
  held.change(id) = std::move(kept);
}

void Scope::adopt_forms(const std::vector<ArrayId>& declared, const Mesh& before) {
  for (const ArrayId id : declared) {
    const std::shared_ptr<const DeclaredForm> form = std::as_const(store.arrays)[id].form;
    if (form == nullptr) continue;
    const auto layout = translate(form->layout, before, mesh());
    store.arrays[id].form =
        layout ? std::make_shared<const DeclaredForm>(DeclaredForm{
                     form->dimensions, without_trivial_axes(*layout, mesh()), form->span})
               : nullptr;
  }
}

void Scope::adopt_mesh(const Mesh& before) {
  const std::map<std::string, ArrayId> named = arrays_to_adopt(before);
  if (!keeps_layouts(before, mesh())) {
    std::vector<ArrayId> declared = names.named_arrays();
    for (const auto& [key, id] : names.ended_by_machine) {
      if (names.array_names.find(key) == names.array_names.end()) declared.push_back(id);
    }
    adopt_forms(declared, before);
  }
  std::set<ArrayId> each;  // an array of the script may have its name within a function, too
  for (const auto& [key, id] : named) each.insert(id);
  if (names.outside) {
    for (const auto& [key, id] : names.outside->array_names) each.insert(id);
  }
  for (const ArrayId id : each) adopt_mesh(id, before);
  for (const auto& [key, id] : named) {
    const bool is_computed = std::as_const(store.arrays)[id].computed;
    if (!held.of(id).empty() && (!is_computed || supposition)) continue;
    names.ended_by_machine[key] = id;
    names.array_names.erase(key);
  }
  held.note_adopted(names.array_names);
}

}  // namespace shard

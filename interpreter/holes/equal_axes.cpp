#include "interpreter/holes/equal_axes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/holes/walk_block.h"
#include "runtime/plan/layout.h"

namespace shard {

namespace {

bool are_alike(MeshAxis one, const MeshAxis& other) {
  one.name = other.name;
  return one == other;
}

// Arrays of before the block may be read in it.
bool splits_an_array(const Scope& scope) {
  const auto& arrays = scope.names.array_names;
  return std::any_of(arrays.begin(), arrays.end(), [&](const auto& entry) {
    const ArrayInfo& array = scope.store.arrays[entry.second];
    if (array.form && !axes_used(array.form->layout).empty()) return true;
    const LiveCopies& copies = scope.held.of(entry.second);
    return std::any_of(copies.begin(), copies.end(), [](const LiveCopy& copy) {
      return !axes_used(copy.layout).empty() || !copy.layout.placed.empty();
    });
  });
}

// Its statements may name axes.
bool calls_a_script(const OpenBlock& block, const Scope& scope) {
  bool found = false;
  std::vector<ast::Statement> body = block.body();
  walk_block(body, {.statement = {}, .array = {}, .shaped = {}, .call = [&](const ast::Call& call) {
                      const std::string& name = call.function.text;
                      found = found || scope.names.functions.contains(name_key(name)) ||
                              name.find('.') != std::string::npos;
                    }});
  return found;
}

bool is_written(const std::string& axis, const OpenBlock& block) {
  return std::any_of(block.body().begin(), block.body().end(), [&](const auto& statement) {
    return print(statement, Spelling::Unicode).find(axis) != std::string::npos;
  });
}

// By axis the number of those that are alike to it.
std::vector<std::size_t> classes_of(const Mesh& mesh, const OpenBlock& block) {
  std::vector<std::size_t> classes;
  for (const MeshAxis& axis : mesh.axes) {
    std::size_t number = classes.size();
    if (!is_written(axis.name, block)) {
      for (std::size_t other = 0; other < classes.size(); ++other) {
        const auto& known = mesh.axes[AxisId{static_cast<std::int32_t>(other)}];
        if (classes[other] != other || !are_alike(axis, known) || is_written(known.name, block))
          continue;
        number = other;
        break;
      }
    }
    classes.push_back(number);
  }
  return classes;
}

}  // namespace

std::vector<std::vector<std::size_t>> mirrored_rows(const OpenBlock& block, const Scope& scope) {
  const Machine& machine = scope.hardware();
  constexpr std::size_t kMostAxes = 4;  // rows have them in any order up to here
  if (machine.model != CostModel::Book || has_faults(machine) ||
      machine.mesh.axes.size() > kMostAxes || scope.names.outside != nullptr ||
      calls_a_script(block, scope) || splits_an_array(scope))
    return {};
  const auto classes = classes_of(machine.mesh, block);
  std::map<AxisRow, std::size_t> places;
  for (std::size_t row = 0; row < block.rows().size(); ++row) places[block.rows()[row]] = row;
  std::vector<std::vector<std::size_t>> mirrors;
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  while (std::next_permutation(order.begin(), order.end())) {
    std::map<std::string, std::string> other;
    bool is_alike = true;
    for (std::size_t axis = 0; axis < order.size(); ++axis) {
      is_alike = is_alike && classes[axis] == classes[order[axis]];
      const auto name = [&](std::size_t at) {
        return machine.mesh.axes[AxisId{static_cast<std::int32_t>(at)}].name;
      };
      other[name(axis)] = name(order[axis]);
    }
    if (!is_alike) continue;
    std::vector<std::size_t> mirrored;
    for (AxisRow row : block.rows()) {
      for (std::string& axis : row) axis = other.contains(axis) ? other[axis] : axis;
      const auto at = places.find(row);
      if (at != places.end()) mirrored.push_back(at->second);
    }
    if (mirrored.size() == block.rows().size()) mirrors.push_back(std::move(mirrored));
  }
  return mirrors;
}

}  // namespace shard

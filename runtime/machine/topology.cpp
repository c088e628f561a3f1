#include "runtime/machine/topology.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "base/words.h"
#include "runtime/machine/torus_fit.h"

namespace shard {
namespace {

using Lengths = std::vector<std::int64_t>;

Lengths without_ones(Lengths lengths) {
  lengths.erase(std::remove(lengths.begin(), lengths.end(), 1), lengths.end());
  return lengths;
}

// The product, or nullopt if it does not fit.
std::optional<std::int64_t> product(const Lengths& lengths) {
  std::int64_t result = 1;
  for (const std::int64_t length : lengths) {
    if (__builtin_mul_overflow(result, length, &result)) return std::nullopt;
  }
  return result;
}

// An axis of length 1 does not count: 4x4x1 is 4x4.
bool fits_cubes(std::int64_t length) { return length == 1 || length % 4 == 0; }

bool wraps_by_rule(const Chip& chip, const Lengths& slice, std::size_t axis) {
  switch (chip.wrap) {
    case WrapRule::Pod:
      return axis < chip.pod.size() && slice[axis] == chip.pod[axis];
    case WrapRule::Cube4:
      return slice[axis] != 1 && std::all_of(slice.begin(), slice.end(), fits_cubes);
    case WrapRule::Axis16:
      return slice[axis] == 16;
    case WrapRule::Switch:
    case WrapRule::Full:
      return false;
  }
  SHARD_CHECK(!"a wrap rule is one of the table");
}

// A chip without a name is unknown: so is its torus, and every axis is a ring (cost model, "Symbols").
bool is_known(const Chip& chip) { return !chip.name.empty(); }

// Whether its slices are nodes rather than tori.
bool is_node(const Chip& chip) { return is_known(chip) && !has_torus(chip.wrap); }

AxisKind kind_on(const Chip& chip, const DeclaredAxis& axis) {
  return is_node(chip) && axis.kind == AxisKind::Ici ? AxisKind::Switch : axis.kind;
}

// The torus axes under the mesh: those of the slice, or without one the factors of the mesh itself.
std::vector<TorusAxis> torus_under(const Chip& chip, const std::optional<Slice>& slice,
                                   const std::vector<DeclaredAxis>& axes) {
  std::vector<TorusAxis> torus;
  if (slice) {
    torus = torus_of(chip, *slice);
  } else {
    Lengths own;
    for (const DeclaredAxis& axis : axes) {
      if (kind_on(chip, axis) != AxisKind::Ici) continue;
      const Lengths factors = without_ones(axis.sizes);
      own.insert(own.end(), factors.begin(), factors.end());
    }
    torus = torus_of(chip, {own, is_known(chip) ? std::nullopt : std::optional(true)});
  }
  torus.erase(
      std::remove_if(torus.begin(), torus.end(), [](const TorusAxis& a) { return a.length == 1; }),
      torus.end());
  return torus;
}

// What each mesh axis requires of the torus; nothing for Dcn and Switch axes.
std::vector<TorusDemand> demands_of(const Chip& chip, const std::vector<DeclaredAxis>& axes) {
  std::vector<TorusDemand> demands;
  for (const DeclaredAxis& axis : axes) {
    TorusDemand demand{1, {}};
    if (kind_on(chip, axis) == AxisKind::Ici) {
      demand.size = product(axis.sizes).value_or(0);
      if (axis.sizes.size() > 1) demand.lengths = without_ones(axis.sizes);
    }
    demands.push_back(std::move(demand));
  }
  return demands;
}

// Without a slice there is nothing to choose: every written factor is one torus axis, in order.
TorusFit own_torus(const Chip& chip, const std::vector<DeclaredAxis>& axes,
                   const std::vector<TorusAxis>& torus) {
  TorusFit fit;
  auto next = torus.begin();
  for (const DeclaredAxis& axis : axes) {
    const bool on_torus = kind_on(chip, axis) == AxisKind::Ici;
    const auto count = on_torus ? static_cast<std::ptrdiff_t>(without_ones(axis.sizes).size()) : 0;
    fit.emplace_back(next, next + count);
    next += count;
  }
  return fit;
}

MeshAxis mesh_axis(const Chip& chip, const DeclaredAxis& declared, std::vector<TorusAxis> torus) {
  if (declared.ring) {
    for (TorusAxis& axis : torus) axis.wraps = *declared.ring;
  }
  MeshAxis result{declared.name, 1, kind_on(chip, declared), std::move(torus), declared.bandwidth};
  for (const std::int64_t size : declared.sizes) result.size = result.size * Amount(size);
  return result;
}

Mesh mesh_of(const Chip& chip, const std::vector<DeclaredAxis>& axes, const TorusFit& fit) {
  Mesh mesh;
  for (std::size_t i = 0; i < axes.size(); ++i) mesh.axes.add(mesh_axis(chip, axes[i], fit[i]));
  return mesh;
}

std::string lengths_text(const Lengths& lengths) {
  std::vector<std::string> words;
  for (const std::int64_t length : lengths) words.push_back(std::to_string(length));
  return words.empty() ? "1" : join(words, "x");
}

std::string axis_text(const Chip& chip, const DeclaredAxis& axis,
                      const std::vector<TorusAxis>& torus) {
  if (axis.kind != AxisKind::Ici) {
    const char* const kind = axis.kind == AxisKind::Dcn    ? " dcn"
                             : axis.kind == AxisKind::Core ? " core"
                                                           : " switch";
    return axis.name + ": " + lengths_text(axis.sizes) + kind;
  }
  if (kind_on(chip, axis) != AxisKind::Ici) return axis.name + ": " + lengths_text(axis.sizes);
  Lengths lengths;
  for (const TorusAxis& part : torus) lengths.push_back(part.length);
  const std::string shape = axis.ring ? (*axis.ring ? " ring" : " line") : "";
  return axis.name + ": " + lengths_text(lengths) + shape;
}

std::string mesh_text(const Chip& chip, const std::vector<DeclaredAxis>& axes,
                      const TorusFit& fit) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < axes.size(); ++i) words.push_back(axis_text(chip, axes[i], fit[i]));
  return "{" + join(words, ", ") + "}";
}

// Without a torus any division of the node works, as long as it uses all of it.
bool fills_node(const Chip& chip, const Slice& slice, const std::vector<DeclaredAxis>& axes) {
  Lengths sizes;
  for (const DeclaredAxis& axis : axes) {
    if (kind_on(chip, axis) == AxisKind::Switch)
      sizes.insert(sizes.end(), axis.sizes.begin(), axis.sizes.end());
  }
  return product(sizes) == product(slice.lengths);
}

std::string default_name(std::size_t index) {
  constexpr std::string_view kLetters = "XYZ";
  return index < kLetters.size() ? std::string(1, kLetters[index])
                                 : "X" + std::to_string(index + 1);
}

// An axis over cores has all cores of a chip. Those of an unknown chip are as many as are written.
bool fits_cores(const Chip& chip, const std::vector<DeclaredAxis>& axes) {
  const auto is_core = [](const DeclaredAxis& axis) { return axis.kind == AxisKind::Core; };
  if (!is_known(chip)) return true;
  if (std::count_if(axes.begin(), axes.end(), is_core) > 1) return false;
  const auto axis = std::find_if(axes.begin(), axes.end(), is_core);
  return axis == axes.end() || product(axis->sizes) == chip.cores.value_or(1).to_int64();
}

}  // namespace

std::vector<TorusAxis> torus_of(const Chip& chip, const Slice& slice) {
  std::vector<TorusAxis> torus;
  for (std::size_t i = 0; i < slice.lengths.size(); ++i) {
    const std::int64_t length = slice.lengths[i];
    const bool wraps = slice.wraparound.value_or(wraps_by_rule(chip, slice.lengths, i));
    torus.push_back({length, wraps && length > 1});
  }
  return torus;
}

bool exceeds_pod(const Chip& chip, const Slice& slice) {
  if (chip.pod.empty()) return false;
  Lengths wanted = without_ones(slice.lengths);
  Lengths pod = chip.pod;
  std::sort(wanted.rbegin(), wanted.rend());
  std::sort(pod.rbegin(), pod.rend());
  if (!has_torus(chip.wrap))
    return product(wanted) > product(pod);  // a node is divided as one likes
  pod.resize(std::max(pod.size(), wanted.size()), 1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] > pod[i]) return true;
  }
  return false;
}

Fit fit_mesh(const Chip& chip, const std::optional<Slice>& slice,
             const std::vector<DeclaredAxis>& axes) {
  if (!fits_cores(chip, axes)) return NoFit{};
  const std::vector<TorusAxis> torus = torus_under(chip, slice, axes);
  if (!slice) return mesh_of(chip, axes, own_torus(chip, axes, torus));
  if (is_node(chip)) {
    if (!fills_node(chip, *slice, axes)) return NoFit{};
    return mesh_of(chip, axes, TorusFit(axes.size()));
  }
  const std::vector<TorusFit> fits = torus_fits(torus, demands_of(chip, axes));
  if (fits.empty()) return NoFit{};
  if (fits.size() == 1) return mesh_of(chip, axes, fits.front());
  SeveralFits several;
  for (const TorusFit& fit : fits) {
    several.meshes.push_back(mesh_text(chip, axes, fit));
    several.laid.push_back(mesh_of(chip, axes, fit));
  }
  return several;
}

Mesh default_mesh(const Chip& chip, const Slice& slice) {
  Lengths lengths = without_ones(slice.lengths);
  if (lengths.empty()) lengths.push_back(1);
  std::vector<TorusAxis> torus = torus_of(chip, slice);
  torus.erase(
      std::remove_if(torus.begin(), torus.end(), [](const TorusAxis& a) { return a.length == 1; }),
      torus.end());
  Mesh mesh;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const DeclaredAxis axis{
        default_name(i), {lengths[i]}, AxisKind::Ici, std::nullopt, std::nullopt};
    const bool on_torus = kind_on(chip, axis) == AxisKind::Ici && i < torus.size();
    mesh.axes.add(
        mesh_axis(chip, axis, on_torus ? std::vector{torus[i]} : std::vector<TorusAxis>{}));
  }
  const auto cores = chip.cores.value_or(1).to_int64();
  if (cores && *cores > 1) {
    const DeclaredAxis axis{
        default_name(lengths.size()), {*cores}, AxisKind::Core, std::nullopt, std::nullopt};
    mesh.axes.add(mesh_axis(chip, axis, {}));
  }
  return mesh;
}

Chip chip_of_device(const Chip& chip, const Mesh& mesh) {
  const bool has_cores = std::any_of(mesh.axes.begin(), mesh.axes.end(), [](const MeshAxis& axis) {
    return axis.kind == AxisKind::Core;
  });
  return has_cores ? one_core_of(chip) : chip;
}

}  // namespace shard

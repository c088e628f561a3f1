// Random meshes, and layouts of arrays on them.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/array/block_copy.h"
#include "runtime/array/device_array.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/mesh.h"
#include "tests/property.h"
#include "tests/runtime/support/meshes.h"

namespace shard {

// An array that goes from one layout to another, along some axes.
struct Case {
  Mesh mesh;
  Extents shape;
  Layout from;
  Layout to;
  std::vector<AxisId> axes;
  DType dtype = DType::Fp32;
};

inline int pick(int below) { return *rc::gen::resize(100, rc::gen::inRange(0, below)); }

inline Mesh random_mesh() {
  std::vector<std::int64_t> sizes;
  std::int64_t devices = 1;
  const int axes = 1 + pick(4);
  for (int a = 0; a < axes; ++a) {
    const int size = 1 + pick(4);
    sizes.push_back(devices * size <= 48 ? size : 1);
    devices *= sizes.back();
  }
  return mesh_of(sizes);
}

// Deals all axes out: to a dimension, to `unreduced`, or to nothing.
inline Layout random_layout(const Mesh& mesh, std::size_t rank) {
  Layout layout = replicated(rank);
  std::vector<AxisId> axes;
  for (std::size_t a = 0; a < mesh.axes.size(); ++a)
    axes.push_back(AxisId{static_cast<std::int32_t>(a)});
  for (std::size_t a = axes.size(); a > 1; --a)
    std::swap(axes[a - 1], axes[static_cast<std::size_t>(pick(static_cast<int>(a)))]);
  for (AxisId axis : axes) {
    const int where = pick(static_cast<int>(rank) + 2);
    if (where < static_cast<int>(rank))
      layout.dims.edit()[static_cast<std::size_t>(where)].push_back(axis);
    if (where == static_cast<int>(rank)) layout.unreduced.edit().push_back(axis);
  }
  std::sort(layout.unreduced.edit().begin(), layout.unreduced.edit().end());
  return layout;
}

inline Extents random_shape(const Case& c) {
  Extents shape;
  for (std::size_t d = 0; d < c.from.rank(); ++d) {
    const std::int64_t both =
        std::lcm(length_of(c.from.dims[d], c.mesh), length_of(c.to.dims[d], c.mesh));
    shape.push_back(both * (pick(20) == 0 ? 0 : 1 + pick(2)));
  }
  return shape;
}

// Rings, lines, networks and fully linked nodes, fast ones and slow ones.
inline Machine machine_with_random_links(const Mesh& mesh) {
  Machine machine;
  machine.mesh = mesh;
  // Into how many chunks blocks are cut hangs on the rates.
  if (pick(2) == 0) machine.chip.wrap = WrapRule::Full;
  if (pick(3) != 0) machine.chip.ici_one_way = pick(2) == 0 ? 1'000'000'000 : 1'000'000'000'000;
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
    MeshAxis& axis = machine.mesh.axes[AxisId{static_cast<std::int32_t>(a)}];
    if (pick(4) == 0) axis.kind = AxisKind::Dcn;
    if (axis.kind == AxisKind::Ici && pick(2) == 0) axis.torus = {{*axis.length(), false}};
    if (axis.kind == AxisKind::Ici && pick(4) == 0) {
      axis.kind = AxisKind::Switch;
      axis.torus.clear();
    }
  }
  return machine;
}

}  // namespace shard

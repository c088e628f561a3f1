// The machine: a chip, the mesh on its slice, and its faults.
//
// In this folder:
//   machine.h                the machine, as a value
//   chip.h, chip_figure.h    the figures of a chip, and their names
//   wrap_rule.h              how its chips are joined
//   mesh.h, mesh_text.h      named axes over the torus of a slice, and how they are written
//   topology.h, torus_fit.h  how a mesh is laid over its slice, and which axes wrap
//   mesh_splits.h            the sizes that the axes of a mesh can have together
//   fault.h                  links and devices that fail or are slow
#pragma once

#include <memory>

#include "runtime/machine/chip.h"
#include "runtime/machine/fault.h"
#include "runtime/machine/mesh.h"

namespace shard {

// How collectives are timed: by formulas, or by their hops on the links (cost model, "Time of a collective", "Time of a
// collective on the links").
enum class CostModel { Book, Links };

class LinkTimes;

// What costs and execution need to know about the hardware.
struct Machine {
  Chip chip = unknown_chip();
  Mesh mesh;
  CostModel model = CostModel::Book;
  Faults faults = {};  // apart from links missing or slow from the start, which are in the mesh
  // Link times found so far, shared by copies of the machine; null: nothing is cached.
  std::shared_ptr<LinkTimes> link_times = nullptr;

  friend bool operator==(const Machine& a, const Machine& b) {
    return a.chip == b.chip && a.mesh == b.mesh && a.model == b.model && a.faults == b.faults;
  }
};

}  // namespace shard

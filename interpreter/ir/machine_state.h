// The machine that a script declares.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "grammar/source/source.h"
#include "runtime/machine/chip.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/mesh.h"
#include "runtime/machine/topology.h"

namespace shard {

// `hardware` and `mesh` as written, and what they come to.
struct MachineState {
  std::optional<Chip> chip;
  std::optional<Slice> slice;
  Span hardware_span;
  std::optional<bool> wraparound;  // `wrap` or `nowrap`
  bool failed = false;  // a mistake was reported in `hardware`: its figures are not missed
  std::vector<DeclaredAxis> declared_axes;  // of the `mesh` statement
  std::optional<Span> mesh_span;
  Machine machine;                // the mesh grows by symbolic axes while none is declared
  bool has_given_faults = false;  // those of the command line are in the machine

  bool mesh_known() const {
    return mesh_span.has_value() || (slice && machine.mesh.axes.size() > 0);
  }
  // The later of its two statements; of none if there are none.
  Span last_statement() const {
    const Span mesh = mesh_span.value_or(hardware_span);
    const bool mesh_is_later = std::pair(mesh.file.value, mesh.begin) >
                               std::pair(hardware_span.file.value, hardware_span.begin);
    return mesh_is_later ? mesh : hardware_span;
  }
};

}  // namespace shard

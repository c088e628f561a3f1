// Links and devices of the emulated machine that fail or are slow (cost model, "Faults").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rational.h"
#include "runtime/machine/mesh.h"

namespace shard {

struct Machine;

// The links of one place of a torus axis, in every ring or line of it: they join the places `position` and
// `position` + 1, around the end, in both directions.
struct LinkPlace {
  AxisId axis;
  std::size_t torus = 0;  // of MeshAxis::torus
  std::int64_t position = 0;
  friend bool operator==(const LinkPlace&, const LinkPlace&) = default;
};

// Seconds are counted from the start of the program's run.
struct LinkFault {
  LinkPlace link;
  Rational at;
  friend bool operator==(const LinkFault&, const LinkFault&) = default;
};
struct DeviceFault {
  std::int64_t device = 0;
  Rational at;
  friend bool operator==(const DeviceFault&, const DeviceFault&) = default;
};
// It computes and reads its memory at 1/by of the pace. Its links are as they were.
struct SlowDevice {
  std::int64_t device = 0;
  Rational by;
  friend bool operator==(const SlowDevice&, const SlowDevice&) = default;
};

// Links that are missing or slow from the start are part of the mesh (TorusAxis).
struct Faults {
  std::vector<LinkFault> links;  // that fail later
  std::vector<DeviceFault> devices;
  std::vector<SlowDevice> slow_devices;
  friend bool operator==(const Faults&, const Faults&) = default;
};

// Something that misbehaves, and from when on.
struct FaultMark {
  std::string text;  // "link X[3] fails", "device 5 is slow by 2"
  double at = 0;     // seconds
};

// Changes what is at the place from the start on. REQUIRES: the link is there.
void cut_link(Mesh& mesh, const LinkPlace& link);
void slow_link(Mesh& mesh, const LinkPlace& link, const Rational& by);

// "X[3]", "X.1[3]" for the second torus axis of X.
std::string link_text(const LinkPlace& link, const Mesh& mesh);
// All that misbehaves, in order of time.
std::vector<FaultMark> fault_marks(const Machine& machine);
bool has_faults(const Machine& machine);
// The machine as it was built.
Machine without_faults(Machine machine);
// The times after the start at which links fail, each once, in order.
std::vector<Rational> link_fault_times(const Machine& machine);
// The machine with the links missing that have failed by then.
Machine machine_at(Machine machine, const Rational& seconds);
// Why devices along these axes do not reach each other: "links X[1] and X[3] have failed", and when the last one did if
// that is given, in seconds; empty if they do.
std::string severed_text(const std::vector<AxisId>& axes, const Mesh& mesh,
                         std::optional<double> at = std::nullopt);

}  // namespace shard

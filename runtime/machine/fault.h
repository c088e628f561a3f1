// Failing and slow links and devices of the emulated machine (cost model, "Faults").
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

// The links at one place of a torus axis, in every ring or line along it: they join the places `position` and
// `position` + 1, or the ends of the ring, in both directions.
struct LinkPlace {
  AxisId axis;
  std::size_t torus = 0;  // index into MeshAxis::torus
  std::int64_t position = 0;
  friend bool operator==(const LinkPlace&, const LinkPlace&) = default;
};

// Seconds count from the start of the program's run.
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
// Computes and reads its memory at 1/by of the normal pace. Its links are unaffected.
struct SlowDevice {
  std::int64_t device = 0;
  Rational by;
  friend bool operator==(const SlowDevice&, const SlowDevice&) = default;
};

// Links missing or slow from the start are part of the mesh (TorusAxis).
struct Faults {
  std::vector<LinkFault> links;  // failing later
  std::vector<DeviceFault> devices;
  std::vector<SlowDevice> slow_devices;
  friend bool operator==(const Faults&, const Faults&) = default;
};

// Something that misbehaves, and since when.
struct FaultMark {
  std::string text;  // "link X[3] fails", "device 5 is slow by 2"
  double at = 0;     // seconds
};

// Change the link from the start on. REQUIRES: the link exists.
void cut_link(Mesh& mesh, const LinkPlace& link);
void slow_link(Mesh& mesh, const LinkPlace& link, const Rational& by);

// "X[3]"; "X.1[3]" for the second torus axis of X.
std::string link_text(const LinkPlace& link, const Mesh& mesh);
// Everything that misbehaves, ordered by time.
std::vector<FaultMark> fault_marks(const Machine& machine);
bool has_faults(const Machine& machine);
// The machine without any faults.
Machine without_faults(Machine machine);
// The times after the start at which links fail: distinct, ascending.
std::vector<Rational> link_fault_times(const Machine& machine);
// The machine without the links that have failed by `seconds`.
Machine machine_at(Machine machine, const Rational& seconds);
// Why devices along these axes cannot reach each other: "links X[1] and X[3] have failed", with the time at which the
// last one did if `at`, in seconds, is given. Empty if they can.
std::string severed_text(const std::vector<AxisId>& axes, const Mesh& mesh,
                         std::optional<double> at = std::nullopt);

}  // namespace shard

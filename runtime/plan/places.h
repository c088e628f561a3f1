// The places that arrays distinguish: sets of devices that do and hold the same.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "runtime/machine/mesh.h"
#include "runtime/plan/plan.h"

namespace shard {

// The name of a place whose devices share no coordinate.
inline constexpr const char* kElsewhere = "elsewhere";

// "at Z=0", "elsewhere".
std::string at_place(const std::string& place);

// Where a step runs: where its result is, for a move also where its operand is, and for an Update where what it puts in is.
struct StepEnds {
  std::vector<Placement> to;
  std::vector<Placement> from;
  friend auto operator<=>(const StepEnds&, const StepEnds&) = default;
};
// REQUIRES: the step makes a copy.
StepEnds ends_of(const Step& step, const Plan& plan);

// The sets of devices that a plan's placed arrays distinguish: devices that hold the same placed arrays do the same.
class Places {
 public:
  Places(const Plan& plan, const Mesh& mesh);

  // By place: the coordinates its devices share, "Z=0"; kElsewhere if there are none; empty if nothing is placed.
  const std::vector<std::string>& names() const { return names_; }
  // The places that hold an array of the plan with this placement, ascending.
  const std::vector<std::size_t>& of(const std::vector<Placement>& placed) const {
    return of_.at(placed);
  }
  // The places at which a step with these ends runs, ascending.
  std::vector<std::size_t> of(const StepEnds& ends) const;

 private:
  std::vector<std::string> names_;
  std::map<std::vector<Placement>, std::vector<std::size_t>> of_;
};

}  // namespace shard

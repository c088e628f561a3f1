// What the steps of a plan run on (cost model, "The timeline").
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/mesh.h"
#include "runtime/plan.h"
#include "runtime/timeline.h"

namespace shard {

// The place of what shares no coordinate.
inline constexpr const char* kElsewhere = "elsewhere";

// The sets of devices that a plan's placed arrays tell apart: devices that lie in the same ones do the same.
class Places {
 public:
  Places(const Plan& plan, const Mesh& mesh);

  // By place: the coordinates that its devices share, "Z=0"; kElsewhere if none; without a name if nothing is placed.
  const std::vector<std::string>& names() const { return names_; }
  // Those that hold an array of the plan that is placed so.
  const std::vector<std::size_t>& of(const std::vector<Placement>& placed) const {
    return of_.at(placed);
  }

 private:
  std::vector<std::string> names_;
  std::map<std::vector<Placement>, std::vector<std::size_t>> of_;
};

// Those of one device, once for every place.
class Streams {
 public:
  Streams(const Plan& plan, const Mesh& mesh);

  std::vector<Stream> all() const;
  const std::vector<std::string>& places() const { return places_.names(); }
  // Computing runs at the places of its result; moving also at those of what it moves.
  const std::vector<std::size_t>& of(const Step& step);

 private:
  // What tells steps apart: the axes of a collective, where the result lies, where what is moved lies.
  using Kind = std::tuple<std::vector<AxisId>, std::vector<Placement>, std::vector<Placement>>;
  std::vector<std::size_t> at(const Kind& kind) const;

  const Plan& plan_;
  Places places_;
  std::vector<Stream> device_;
  std::vector<std::vector<std::size_t>> moving_;  // by axis: streams of a device
  std::map<Kind, std::vector<std::size_t>> known_;
};

}  // namespace shard

// What the steps of a plan run on (cost model, "The timeline").
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/timeline.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/places.h"
#include "runtime/plan/plan.h"

namespace shard {

// The streams of one device, repeated for every place.
class Streams {
 public:
  Streams(const Plan& plan, const Mesh& mesh);

  std::vector<Stream> all() const;
  const std::vector<std::string>& places() const { return places_.names(); }
  const std::vector<std::size_t>& of(const Step& step);

 private:
  // What distinguishes steps: the axes of a collective, and where it runs.
  using Kind = std::pair<std::vector<AxisId>, StepEnds>;
  std::vector<std::size_t> at(const Kind& kind) const;

  const Plan& plan_;
  Places places_;
  std::vector<Stream> device_;
  std::vector<std::vector<std::size_t>> moving_;  // by axis: the streams of a device
  std::map<Kind, std::vector<std::size_t>> known_;
};

}  // namespace shard

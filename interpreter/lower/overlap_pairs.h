// Which products of a statement can be taken in parts, each alongside a step of a collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plan/plan.h"

namespace shard {

// A product and the collective alongside it.
struct OverlapPair {
  std::size_t product = 0;
  std::size_t collective = 0;
  int label = 0;             // whose parts are taken one after the other
  std::vector<AxisId> axes;  // over which they lie, in this order
};

struct OverlapPairs {
  std::vector<OverlapPair> pairs = {};
  // Why a collective was left: the product's result is the same along the axes; it moves along several dimensions.
  bool replicated = false;
  bool along_several = false;
};

// Products among the steps, with collectives over these axes: gathers of an operand, sums of the result. `length` is the number
// of devices along the axes.
OverlapPairs overlap_pairs(const std::vector<Step>& steps, const std::vector<AxisId>& axes,
                           std::int64_t length, const Plan& plan, const Mesh& mesh);

}  // namespace shard

// Costs as comparable numbers.
#pragma once

#include <compare>

#include "runtime/cost/cost.h"

namespace shard::planning {

// What a plan is chosen by: its time, then the bytes that it moves, then the number of its steps.
struct Weight {
  double seconds = 0;
  double bytes = 0;
  int steps = 0;

  Weight& operator+=(const Weight& other);
  Weight& operator-=(const Weight& other);
  friend Weight operator+(Weight a, const Weight& b) { return a += b; }
};

// Times within a billionth of each other count as equal: they are sums of the same terms in a different order.
bool lighter(const Weight& a, const Weight& b);

// A cost with missing sizes is weighed at reference sizes: dimensions of 65,536, axes of 4, and a chip with the figures
// of a TPU v5p. The choice is then the documents' one for dimensions of similar size, and `why` says so. Whatever
// failed links make impossible is heavier than anything else.
Weight weigh(const Cost& cost);
// A formula at these sizes, of which those of the mesh's axes are known to be axes.
double at_reference(const Formula& formula, const Mesh& mesh);
// Whether weighing it needed a reference size.
bool needs_reference(const Cost& cost);

}  // namespace shard::planning

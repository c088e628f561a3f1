// Costs as numbers that can be compared.
#pragma once

#include <compare>

#include "runtime/cost/cost.h"

namespace shard::planning {

// What a plan is chosen by: its time; then the bytes it moves, then how many steps it takes.
struct Weight {
  double seconds = 0;
  double bytes = 0;
  int steps = 0;

  Weight& operator+=(const Weight& other);
  friend Weight operator+(Weight a, const Weight& b) { return a += b; }
};

// Times within a billionth of each other are equal: they are sums of the same terms in another order.
bool lighter(const Weight& a, const Weight& b);

// A cost with sizes missing is weighed at reference sizes: every dimension 65,536 long, every axis 4, a chip with the
// figures of a TPU v5p. What failed links make impossible is heavier than anything else. The choice is then the documents' one for dimensions of like size; `why` says so.
Weight weigh(const Cost& cost);
// Whether weighing it needed a reference size.
bool needs_reference(const Cost& cost);

}  // namespace shard::planning

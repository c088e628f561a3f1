// Costs as comparable numbers.
#pragma once

#include <cmath>
#include <compare>
#include <map>
#include <string>

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

// What plans are chosen by (docs/language.md, "The cheapest plan").
enum class Objective {
  Time,      // Σ of the steps' times
  Timeline,  // when the last step ends, if what is independent overlaps
  Bytes,     // moved between devices
  Memory,    // of what one step reads and writes, at most, on each device
};

struct Aim {
  Objective objective = Objective::Time;
  double most_held = HUGE_VAL;  // bytes on a device that one step may read and write together
};

// For the search, which minimises what stands in the place of the seconds: under `Bytes` these two change places.
// What cannot be done stays heavier than anything else.
Weight ordered(const Weight& weight, Objective objective);

// Whether a and b are further apart than sums of the same terms in different orders may be.
bool differ(double a, double b);
// Times within a billionth of each other count as equal: they are sums of the same terms in a different order.
bool lighter(const Weight& a, const Weight& b);

// While it lives, these sizes, which have no value, are weighed at its numbers instead of the reference ones: what is chosen on this
// thread is what would be chosen there, and what it costs stays a formula of them. It is thread-local as `Cancellation` is: whoever
// asks is many layers above what weighs.
class TrialSizes {
 public:
  using Numbers =
      std::map<std::string, double, std::less<>>;  // by symbol; under "" of other dimensions
  explicit TrialSizes(Numbers numbers);
  ~TrialSizes();
  TrialSizes(const TrialSizes&) = delete;
  TrialSizes& operator=(const TrialSizes&) = delete;

  // nullptr: the symbol has no number.
  static const double* find(const std::string& symbol);

 private:
  Numbers numbers_;
  const TrialSizes* outer_;
};

// A cost with missing sizes is weighed at reference sizes: dimensions of 65,536, axes of 4, and a chip with the figures
// of a TPU v5p. The choice is then the documents' one for dimensions of similar size, and `why` says so. Whatever
// failed links make impossible is heavier than anything else.
Weight weigh(const Cost& cost);
// A formula at these sizes, of which those of the mesh's axes are known to be axes.
double at_reference(const Formula& formula, const Mesh& mesh);
// Whether weighing it needed a reference size.
bool needs_reference(const Cost& cost);

}  // namespace shard::planning

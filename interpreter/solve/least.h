// What `minimize` finds from a formula.
#pragma once

#include <optional>
#include <string>

#include "runtime/algebra/formula.h"

namespace shard {

// Where the formula is least among positive values of the symbol. `sqrt(b / a)` of a·X + b / X, with formulas for a and b; of
// other formulas the number, where nothing else is open.
struct Least {
  enum class Kind { At, Falls, Rises, Flat, Endless, Unknown };
  Kind kind = Kind::
      Unknown;  // Falls, Rises: least at no size, as it does so all the way; Endless: it falls without bound next to `at`, where it
                // divides by zero; Unknown: other sizes are open
  Formula at = {};
  bool without_latency = false;  // the formula is that where bandwidth decides
};
Least least_of(const Formula& formula, const std::string& symbol);

}  // namespace shard

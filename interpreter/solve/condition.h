// What `when` finds: for which sizes one formula is larger than another.
#pragma once

#include <optional>
#include <string>

#include "interpreter/ir/value.h"
#include "interpreter/solve/open_size.h"
#include "runtime/algebra/formula.h"

namespace shard {

// Said of a formula without its latencies.
inline constexpr const char* kBandwidthRemark = "without latency";

// What of a comparison is known before its answer.
struct Asked {
  Formula difference;                  // is to be positive
  bool strict = true;                  // and not zero
  std::optional<AskedSize> size = {};  // that is to stand alone; none: what reads best
  std::string sides;                   // both with their values
};

// Where no size is left, for all sizes or for none; where one is left, as ranges of it; else as a formula, if the sizes only
// multiply and divide. nullopt if it is none of these: then `raw_condition` says it.
std::optional<Condition> condition_of(const Asked& asked, const Scope& scope);
// The comparison as it is.
Condition raw_condition(const Asked& asked, const Formula& left, const Formula& right);

// Where both hold, or with `all` not set one of them: one range of sizes where both are of one size, else with the word between them.
struct PartOfCondition {
  const Asked& asked;
  const Condition& condition;
};
Condition joined_condition(const PartOfCondition& one, const PartOfCondition& other, bool all);

// "B > 108,800", "12 < B < 96": where the sign is positive.
Condition ranges_of(const Formula& difference, const std::string& symbol, bool strict);

// A number without a unit, as it is printed.
std::string size_text(const Rational& number);

}  // namespace shard

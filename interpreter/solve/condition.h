// What `when` finds: for which sizes one formula is larger than another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/ir/value.h"
#include "interpreter/solve/open_size.h"
#include "interpreter/solve/size_signs.h"
#include "runtime/algebra/formula.h"

namespace shard {

// Said of a formula without its latencies.
inline constexpr const char* kBandwidthRemark = "without latency";
// Said of a formula that is that of one plan, where other sizes have others.
inline constexpr const char* kPlanRemark =
    "as planned for sizes of 65,536; smaller or larger ones have other plans";

// What of a comparison is known before its answer.
struct Asked {
  Formula difference;                  // is to be positive
  bool strict = true;                  // and not zero
  std::optional<AskedSize> size = {};  // that is to stand alone; none: what reads best
  std::string sides;                   // both with their values
};

// Where no size is left, for all sizes or for none; else as a formula, if the sizes only multiply and divide. nullopt if it is none of these: then `raw_condition` says it.
std::optional<Condition> condition_of(const Asked& asked, const Scope& scope);
// The comparison as it is.
Condition raw_condition(const Asked& asked, const Formula& left, const Formula& right);

// Where both hold, or with `all` not set one of them, with the word between them.
struct PartOfCondition {
  const Asked& asked;
  const Condition& condition;
};
Condition joined_condition(const PartOfCondition& one, const PartOfCondition& other, bool all);

// For which sizes a comparison holds: between cuts, and at each of them.
struct Holds {
  struct Cut {
    Root at;
    bool holds = false;
  };
  std::vector<Cut> cuts = {};           // ascending
  std::vector<bool> between = {false};  // one more than cuts

  // Without cuts at which nothing changes.
  void simplify();
};
// Where the sign is positive, or with `more` not set negative; `strict`: not where it is 0.
Holds holds_of(const SizeSigns& signs, bool more, bool strict);
// Where both hold, or with `all` not set one of them.
Holds joined_holds(const Holds& one, const Holds& other, bool all);
// "B > 108,800", "12 < B < 96", "always", "never".
Condition ranges_of(const Holds& holds, const std::string& symbol);

// A number without a unit, as it is printed.
std::string size_text(const Rational& number);

}  // namespace shard

// What one sign of a product sums over (design: language, "What is checked", rule 3).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/check/operation.h"

namespace shard {

// A sign between two operands. `behind`: labels of the operands that come after; `last`: none do.
struct SignedPair {
  const ast::Product& sign;
  const checked::Operation& left;
  const checked::Operation& right;
  const std::set<DimensionId>& behind;
  bool last = false;
};

// The index as written, or the shared dimensions that nothing after the sign needs. Reports UnknownDimension,
// BadContraction, AmbiguousContraction, NoSharedDimension, and the warning KeptDimension.
std::optional<std::vector<DimensionId>> summed_labels(const SignedPair& pair,
                                                      const TargetHint& target,
                                                      CheckContext& context);

// "`I`, `J` and `K`".
std::string quoted_names(const std::vector<DimensionId>& labels, const Scope& scope);
// "`A[I_X, J]`" as the subject of a message; what has neither a name nor dimensions is "a single element".
std::string subject_text(const checked::Operation& operand, const Scope& scope);
// "`s[]` has no dimension `K`", and which dimensions it has.
std::string lacks_dimension(const checked::Operation& operand, std::string_view name,
                            const Scope& scope);
std::string own_dimensions(const std::vector<DimensionId>& labels, const Scope& scope);

}  // namespace shard

// What statements are planned by (docs/language.md, "The cheapest plan").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

// The documents' cases of a product, or of all ways the one of least time, least time on the timeline, fewest bytes moved or least
// memory.
enum class PlanRule {
#define SHARD_PLAN_RULE(name, word) name,
#include "base/plan_rules.def"
};

std::string_view name_of(PlanRule rule);  // "cases"
std::optional<PlanRule> plan_rule_named(std::string_view word);
std::vector<std::string> plan_rule_names();

}  // namespace shard

#include "base/plan_rule.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shard {
namespace {

constexpr std::array kRules = {
#define SHARD_PLAN_RULE(name, word) std::pair(PlanRule::name, std::string_view(word)),
#include "base/plan_rules.def"
};

}  // namespace

std::string_view name_of(PlanRule rule) { return kRules[static_cast<std::size_t>(rule)].second; }

std::optional<PlanRule> plan_rule_named(std::string_view word) {
  const auto* found = std::find_if(kRules.begin(), kRules.end(),
                                   [&](const auto& rule) { return rule.second == word; });
  if (found == kRules.end()) return std::nullopt;
  return found->first;
}

std::vector<std::string> plan_rule_names() {
  std::vector<std::string> names;
  for (const auto& [rule, word] : kRules) names.emplace_back(word);
  return names;
}

}  // namespace shard

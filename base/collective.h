// The collectives by name, from base/collectives.def. runtime/plan/plan.h says what they do.
#pragma once

#include <span>
#include <string_view>

namespace shard {

enum class CollectiveKind {
#define SHARD_COLLECTIVE(name, example, meaning) name,
#define SHARD_COLLECTIVE_ALIAS(word, name)
#include "base/collectives.def"
};

struct CollectiveInfo {
  CollectiveKind kind;
  std::string_view name;     // "AllGather"
  std::string_view example;  // shown by `shard help collectives`
  std::string_view meaning;
};
std::span<const CollectiveInfo> collectives();
std::string_view name_of(CollectiveKind kind);
// The collective of that name, in any letter case; null if there is none.
const CollectiveInfo* find_collective(std::string_view word);

// What a collective is called elsewhere: lower case, without hyphens or underscores.
struct CollectiveAlias {
  std::string_view word;
  CollectiveKind kind;
};
std::span<const CollectiveAlias> collective_aliases();

}  // namespace shard

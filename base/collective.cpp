#include "base/collective.h"

namespace shard {
namespace {

constexpr CollectiveInfo kCollectives[] = {
#define SHARD_COLLECTIVE(name, example, meaning) {CollectiveKind::name, #name, example, meaning},
#define SHARD_COLLECTIVE_ALIAS(word, name)
#include "base/collectives.def"
};

constexpr CollectiveAlias kAliases[] = {
#define SHARD_COLLECTIVE(name, example, meaning)
#define SHARD_COLLECTIVE_ALIAS(word, name) {word, CollectiveKind::name},
#include "base/collectives.def"
};

}  // namespace

std::span<const CollectiveInfo> collectives() { return kCollectives; }

std::string_view name_of(CollectiveKind kind) {
  return kCollectives[static_cast<std::size_t>(kind)].name;
}

std::span<const CollectiveAlias> collective_aliases() { return kAliases; }

}  // namespace shard

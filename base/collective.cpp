#include "base/collective.h"

#include <algorithm>
#include <iterator>

namespace shard {
namespace {

constexpr CollectiveInfo kCollectives[] = {
#define SHARD_COLLECTIVE(name, example, meaning) {CollectiveKind::name, #name, example, meaning},
#define SHARD_COLLECTIVE_ALIAS(word, name)
#include "base/collectives.def"
};

constexpr CollectiveAlias kCollectiveAliases[] = {
#define SHARD_COLLECTIVE(name, example, meaning)
#define SHARD_COLLECTIVE_ALIAS(word, name) {word, CollectiveKind::name},
#include "base/collectives.def"
};

}  // namespace

std::span<const CollectiveInfo> collectives() { return kCollectives; }

std::string_view name_of(CollectiveKind kind) {
  return kCollectives[static_cast<std::size_t>(kind)].name;
}

const CollectiveInfo* find_collective(std::string_view word) {
  const auto alike = [](char c, char letter) { return (c | ' ') == (letter | ' '); };
  const auto at = std::find_if(
      std::begin(kCollectives), std::end(kCollectives), [&](const CollectiveInfo& collective) {
        return std::equal(word.begin(), word.end(), collective.name.begin(), collective.name.end(),
                          alike);
      });
  return at == std::end(kCollectives) ? nullptr : at;
}

std::span<const CollectiveAlias> collective_aliases() { return kCollectiveAliases; }

}  // namespace shard

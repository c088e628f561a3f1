#include "base/collective.h"

#include <algorithm>
#include <iterator>

namespace shard {
namespace {

constexpr CollectiveInfo kCollectives[] = {
#define SHARD_COLLECTIVE(name, subscript, travel, way, makes, example, meaning) \
  {CollectiveKind::name,                                                        \
   #name,                                                                       \
   CollectiveSubscript::subscript,                                              \
   CollectiveTravel::travel,                                                    \
   CollectiveWay::way,                                                          \
   CollectiveResult::makes,                                                     \
   example,                                                                     \
   meaning},
#define SHARD_COLLECTIVE_ALIAS(word, name)
#include "base/collectives.def"
};

constexpr CollectiveAlias kCollectiveAliases[] = {
#define SHARD_COLLECTIVE(...)
#define SHARD_COLLECTIVE_ALIAS(word, name) {word, CollectiveKind::name},
#include "base/collectives.def"
};

}  // namespace

std::span<const CollectiveInfo> collectives() { return kCollectives; }

const CollectiveInfo& info_of(CollectiveKind kind) {
  return kCollectives[static_cast<std::size_t>(kind)];
}

std::string_view name_of(CollectiveKind kind) { return info_of(kind).name; }

bool names_dimension(CollectiveKind kind) {
  return info_of(kind).subscript == CollectiveSubscript::AxesAndDimension;
}
bool names_step(CollectiveKind kind) {
  return info_of(kind).subscript == CollectiveSubscript::AxisAndStep;
}
bool exchanges(CollectiveKind kind) { return info_of(kind).travel == CollectiveTravel::Exchanging; }
bool goes_by_routes(CollectiveKind kind) {
  return info_of(kind).travel == CollectiveTravel::Routes;
}
int times_of(CollectiveKind kind) {
  return info_of(kind).way == CollectiveWay::BackAndForth ? 2 : 1;
}
bool adds_up(CollectiveKind kind) { return info_of(kind).makes == CollectiveResult::Sum; }
bool makes_other_array(CollectiveKind kind) {
  return info_of(kind).makes == CollectiveResult::OtherArray;
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

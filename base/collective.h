// The collectives by name, from base/collectives.def. runtime/plan/plan.h says what they do.
#pragma once

#include <span>
#include <string_view>

namespace shard {

enum class CollectiveKind {
#define SHARD_COLLECTIVE(name, ...) name,
#define SHARD_COLLECTIVE_ALIAS(word, name)
#include "base/collectives.def"
};

enum class CollectiveSubscript { Axes, AxesAndDimension, AxisAndStep };
enum class CollectiveTravel { Gathering, Exchanging, Routes };
enum class CollectiveWay { Forwards, Backwards, BackAndForth };
enum class CollectiveResult { Copy, Sum, OtherArray };

struct CollectiveInfo {
  CollectiveKind kind;
  std::string_view name;  // "AllGather"
  CollectiveSubscript subscript;
  CollectiveTravel travel;
  CollectiveWay way;
  CollectiveResult makes;
  std::string_view example;  // shown by `shard help collectives`
  std::string_view meaning;
};
std::span<const CollectiveInfo> collectives();
const CollectiveInfo& info_of(CollectiveKind kind);
std::string_view name_of(CollectiveKind kind);
bool names_dimension(CollectiveKind kind);
bool names_step(CollectiveKind kind);
bool exchanges(CollectiveKind kind);
bool goes_by_routes(CollectiveKind kind);
// How often blocks travel: twice, back and forth.
int times_of(CollectiveKind kind);
bool adds_up(CollectiveKind kind);
// Whether the result is another array, with values at other places.
bool makes_other_array(CollectiveKind kind);
// The collective of that name, in any letter case; null if there is none.
const CollectiveInfo* find_collective(std::string_view word);

// What a collective is called elsewhere: lower case, without hyphens or underscores.
struct CollectiveAlias {
  std::string_view word;
  CollectiveKind kind;
};
std::span<const CollectiveAlias> collective_aliases();

}  // namespace shard

#include "base/id.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace shard::id_test {
namespace {

struct ThingTag;
using Thing = Id<ThingTag>;

TEST(IdMap, HasAValueForSomeIds) {
  IdMap<Thing, int> map;
  map.set(Thing{3}, 30);
  map.set(Thing{1}, 10);
  ASSERT_NE(map.find(Thing{3}), nullptr);
  EXPECT_EQ(*map.find(Thing{3}), 30);
  EXPECT_FALSE(map.contains(Thing{2}));
  EXPECT_FALSE(map.contains(Thing{4}));
  EXPECT_FALSE(map.contains(Thing{}));
  EXPECT_EQ(map.size(), 2U);
}

TEST(IdMap, SetsTheFirstValueOnce) {
  IdMap<Thing, int> map;
  map.set_first(Thing{2}, 20);
  map.set_first(Thing{2}, 21);
  EXPECT_EQ(*map.find(Thing{2}), 20);
  map.set(Thing{2}, 22);
  EXPECT_EQ(*map.find(Thing{2}), 22);
  EXPECT_EQ(map.size(), 1U);
}

TEST(IdMap, ForgetsAValue) {
  IdMap<Thing, int> map;
  map.set(Thing{0}, 1);
  map.erase(Thing{0});
  map.erase(Thing{0});
  map.erase(Thing{7});
  EXPECT_FALSE(map.contains(Thing{0}));
  EXPECT_EQ(map.size(), 0U);
}

TEST(IdMap, VisitsInTheOrderOfTheIds) {
  IdMap<Thing, int> map;
  map.set(Thing{5}, 50);
  map.set(Thing{2}, 20);
  map.set(Thing{4}, 40);
  map.erase(Thing{4});
  std::vector<std::pair<int, int>> seen;
  map.for_each([&](Thing thing, int value) { seen.emplace_back(thing.value, value); });
  EXPECT_EQ(seen, (std::vector<std::pair<int, int>>{{2, 20}, {5, 50}}));
}

}  // namespace
}  // namespace shard::id_test

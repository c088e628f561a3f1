#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/persistent_map.h"
#include "base/persistent_vector.h"

namespace shard::persistent_test {
namespace {

struct ItemTag;
using ItemId = Id<ItemTag>;

// Counts how often values are copied: the work that copies and changes of a container are.
struct Counted {
  int value = 0;
  Counted() = default;
  explicit Counted(int number) : value(number) {}
  Counted(const Counted& other) : value(other.value) { ++copied; }
  Counted(Counted&&) = default;
  Counted& operator=(const Counted& other) {
    value = other.value;
    ++copied;
    return *this;
  }
  Counted& operator=(Counted&&) = default;
  ~Counted() = default;
  static int copied;
};
int Counted::copied = 0;

template <class Key, class Value>
std::map<Key, Value> plain(const PersistentMap<Key, Value>& map) {
  return {map.begin(), map.end()};
}

RC_GTEST_PROP(PersistentMap, IsAStdMap, ()) {
  std::map<int, int> expected;
  PersistentMap<int, int> map;
  // Copies of before stay as they were.
  std::vector<std::pair<std::map<int, int>, PersistentMap<int, int>>> before;
  const auto changes = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 5), rc::gen::inRange(0, 40)));
  for (const auto& [change, key] : changes) {
    switch (change) {
      case 0:
        RC_ASSERT(map.erase(key) == expected.erase(key));
        break;
      case 1:
        before.emplace_back(expected, map);
        break;
      case 2: {
        const bool is_new = expected.try_emplace(key, 7).second;
        const auto [entry, made] = map.try_emplace(key, 7);
        RC_ASSERT(made == is_new);
        RC_ASSERT(entry->second == expected.at(key));
        break;
      }
      default:
        map[key] = expected[key] = static_cast<int>(expected.size()) + key;
    }
    RC_ASSERT(map.size() == expected.size());
    RC_ASSERT(map.contains(key) == (expected.count(key) != 0));
  }
  RC_ASSERT(plain(map) == expected);
  for (const auto& [was, copy] : before) {
    RC_ASSERT(plain(copy) == was);
    RC_ASSERT((copy == map) == (was == expected));
    // Every change is told, and what was visited puts the map together again.
    std::map<int, int> changed;
    map.visit_changed(copy, [&](const auto& entry) { changed.insert(entry); });
    for (const auto& [key, value] : expected) {
      const auto old = was.find(key);
      if (old == was.end() || old->second != value) RC_ASSERT(changed.count(key) == 1U);
    }
    for (const auto& entry : changed) RC_ASSERT(expected.at(entry.first) == entry.second);
  }
  const auto is_odd = [](const auto& entry) { return entry.first % 2 != 0; };
  RC_ASSERT(erase_if(map, is_odd) == std::erase_if(expected, is_odd));
  RC_ASSERT(plain(map) == expected);
}

TEST(PersistentMap, ACopyTakesNoWorkAndAChangeLogarithmicWork) {
  constexpr int kEntries = 10'000;
  PersistentMap<std::string, Counted> map;
  for (int i = 0; i < kEntries; ++i) map[std::to_string(i)].value = i;
  Counted::copied = 0;
  auto copy = map;
  EXPECT_EQ(Counted::copied, 0);
  copy["new"].value = 1;
  // log2(10,000) is 13.3; treaps of random priorities are up to some three times as deep.
  EXPECT_LE(Counted::copied, 45);
  EXPECT_GE(Counted::copied, 1);
  int visited = 0;
  copy.visit_changed(map, [&](const auto&) { ++visited; });
  EXPECT_LE(visited, 45);
  EXPECT_FALSE(map.contains("new"));
}

TEST(PersistentMap, AnOwnEntryIsChangedInItsPlace) {
  PersistentMap<std::string, Counted> map;
  Counted& value = map["a"];
  Counted::copied = 0;
  for (int i = 0; i < 100; ++i) map[std::to_string(i)].value = i;
  value.value = 3;
  EXPECT_EQ(map.at("a").value, 3);
  EXPECT_EQ(Counted::copied, 0);
}

TEST(PersistentSet, HoldsWhatWasPutIn) {
  PersistentSet<std::string> set;
  EXPECT_TRUE(set.insert("b"));
  EXPECT_TRUE(set.insert("a"));
  EXPECT_FALSE(set.insert("b"));
  const auto copy = set;
  EXPECT_EQ(set.erase("b"), 1U);
  EXPECT_EQ(set.erase("b"), 0U);
  std::vector<std::string> keys;
  copy.for_each([&](const std::string& key) { keys.push_back(key); });
  EXPECT_EQ(keys, std::vector<std::string>({"a", "b"}));
  EXPECT_EQ(set.size(), 1U);
}

RC_GTEST_PROP(PersistentIdVector, IsAVector, ()) {
  std::vector<int> expected;
  PersistentIdVector<ItemId, int> vector;
  std::vector<std::pair<std::vector<int>, PersistentIdVector<ItemId, int>>> before;
  // Beyond 1,024 elements there are three levels.
  const int most = *rc::gen::element(3, 33, 1'100);
  for (int i = 0; i < most; ++i) {
    RC_ASSERT(vector.add(i).value == i);
    expected.push_back(i);
  }
  const auto changes = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 3), rc::gen::inRange(0, most)));
  for (const auto& [change, index] : changes) {
    switch (change) {
      case 0:
        before.emplace_back(expected, vector);
        break;
      case 1:
        vector.add(-index);
        expected.push_back(-index);
        break;
      default:
        vector[ItemId{index}] += 1;
        expected[static_cast<std::size_t>(index)] += 1;
    }
  }
  before.emplace_back(expected, vector);
  for (const auto& [was, copy] : before) {
    RC_ASSERT(copy.size() == was.size());
    RC_ASSERT(std::vector<int>(copy.begin(), copy.end()) == was);
    std::vector<int> made = was;
    made.resize(expected.size());
    vector.visit_changed(
        copy, [&made](ItemId id, int item) { made[static_cast<std::size_t>(id.value)] = item; });
    RC_ASSERT(made == expected);
  }
}

TEST(PersistentIdVector, ACopyTakesNoWorkAndAChangeThatOfOneLeaf) {
  PersistentIdVector<ItemId, Counted> vector;
  for (int i = 0; i < 10'000; ++i) vector.add(Counted(i));
  Counted::copied = 0;
  auto copy = vector;
  EXPECT_EQ(Counted::copied, 0);
  copy[ItemId{5'000}].value = 1;
  EXPECT_EQ(Counted::copied, 32);
  copy[ItemId{5'001}].value = 1;
  EXPECT_EQ(Counted::copied, 32);
  EXPECT_EQ(std::as_const(vector)[ItemId{5'000}].value, 5'000);
}

}  // namespace
}  // namespace shard::persistent_test

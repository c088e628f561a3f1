#include "base/cow_vector.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace shard::cow_vector_test {
namespace {

using Words = SharedList<std::string>;

TEST(SharedList, IsReadLikeAVector) {
  const Words words = {"a", "b", "c"};
  EXPECT_EQ(words.size(), 3U);
  EXPECT_FALSE(words.empty());
  EXPECT_EQ(words[1], "b");
  EXPECT_EQ(words.front(), "a");
  EXPECT_EQ(words.back(), "c");
  const std::vector<std::string>& items = words;
  EXPECT_EQ(items, std::vector<std::string>(words.begin(), words.end()));
}

TEST(SharedList, CopiesShareTheirElements) {
  const Words words = std::vector<std::string>{"a", "b"};
  const Words copy = words;
  EXPECT_EQ(&copy[0], &words[0]);
}

TEST(SharedList, ACopyDoesNotChangeWithTheOriginal) {
  Words words = {"a", "b"};
  const Words copy = words;
  words.edit()[0] = "z";
  words.edit().push_back("c");
  EXPECT_EQ(copy, Words({"a", "b"}));
  EXPECT_EQ(words, Words({"z", "b", "c"}));
}

TEST(SharedList, AListOfItsOwnIsChangedWhereItIs) {
  Words words = {"a", "b"};
  { const Words copy = words; }
  const std::string* const first = &words[0];
  words.edit()[0] = "z";
  EXPECT_EQ(&words[0], first);
}

TEST(SharedList, IsSortedByItself) {
  Words words = {"b", "a", "c"};
  const Words copy = words;
  words.sort();
  EXPECT_EQ(words, Words({"a", "b", "c"}));
  EXPECT_EQ(copy, Words({"b", "a", "c"}));
}

TEST(SharedList, WhatIsSortedAnywayIsNotCopied) {
  Words one = {"a"};
  const Words copy = one;
  one.sort();
  EXPECT_EQ(&one[0], &copy[0]);
}

TEST(SharedList, AnEmptyListMayBeRead) {
  Words words;
  EXPECT_TRUE(words.empty());
  EXPECT_EQ(words.begin(), words.end());
  EXPECT_EQ(words, Words(std::vector<std::string>{}));
  words.edit().clear();
  EXPECT_EQ(words, Words{});
  words.edit().push_back("a");
  EXPECT_EQ(words, std::vector<std::string>{"a"});
}

TEST(SharedList, IsComparedByElements) {
  const SharedList<int> list = {1, 2};
  EXPECT_EQ(list, SharedList<int>({1, 2}));
  EXPECT_LT(list, SharedList<int>({1, 3}));
  EXPECT_GT(list, SharedList<int>({1}));
  EXPECT_EQ(list <=> SharedList<int>(list), std::strong_ordering::equal);
}

TEST(SharedList, IsAssignedAndMoved) {
  Words words = {"a"};
  Words other = {"b"};
  const Words& itself = words;
  words = itself;
  EXPECT_EQ(words, Words{"a"});
  other = words;
  EXPECT_EQ(&other[0], &words[0]);
  const Words moved = std::move(other);
  EXPECT_EQ(moved, Words{"a"});
  words = {};
  EXPECT_TRUE(words.empty());
  EXPECT_EQ(moved, Words{"a"});
}

TEST(SharedList, SeveralThreadsTakeAndChangeCopies) {
  const SharedList<int> list = {1, 2, 3};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread, mine = list]() mutable {
      for (int i = 0; i < 1000; ++i) {
        SharedList<int> changed = mine;
        changed.edit()[0] = thread;
        mine = i % 2 == 0 ? changed : mine;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(list, SharedList<int>({1, 2, 3}));
}

}  // namespace
}  // namespace shard::cow_vector_test

#include "base/contains.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace shard::contains_test {
namespace {

const std::vector<int> kNumbers = {3, 1, 4, 1};

TEST(Find, ContainsAValueOfAnyEqualType) {
  EXPECT_TRUE(contains(kNumbers, 4));
  EXPECT_FALSE(contains(kNumbers, 2));
  EXPECT_TRUE(contains(std::vector<std::string>{"exp", "max"}, std::string_view("max")));
}

TEST(Find, TheFirstPosition) {
  EXPECT_EQ(position_of(kNumbers, 1), 1U);
  EXPECT_EQ(position_of(kNumbers, 2), std::nullopt);
}

TEST(Find, ContainsAllInAnyOrder) {
  EXPECT_TRUE(contains_all(kNumbers, std::vector<int>{4, 3}));
  EXPECT_TRUE(contains_all(kNumbers, std::vector<int>{}));
  EXPECT_FALSE(contains_all(kNumbers, std::vector<int>{4, 2}));
}

}  // namespace
}  // namespace shard::contains_test

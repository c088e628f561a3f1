#include "base/cow_value.h"

#include <gtest/gtest.h>

#include <string>

namespace shard::cow_value_test {
namespace {

TEST(SharedValue, IsTheEmptyOneAtFirst) {
  const SharedValue<std::string> none;
  EXPECT_EQ(*none, "");
  EXPECT_TRUE(none->empty());
}

TEST(SharedValue, CopiesShareItAndAreReplacedAlone) {
  SharedValue<std::string> value = std::string("long");
  const SharedValue<std::string> copy = value;
  EXPECT_EQ(&*copy, &*value);
  value = std::string("other");
  EXPECT_EQ(*copy, "long");
  EXPECT_EQ(static_cast<const std::string&>(value), "other");
}

}  // namespace
}  // namespace shard::cow_value_test

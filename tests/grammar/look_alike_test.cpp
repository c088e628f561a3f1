#include "grammar/look_alike.h"

#include <gtest/gtest.h>

#include "reading.h"

namespace shard {
namespace {

TEST(LookAlike, KnowsLettersOfOtherScripts) {
  EXPECT_EQ(look_alike("А[I]")->meant, 'A');
  EXPECT_EQ(look_alike("А[I]")->code_point, U'\u0410');
  EXPECT_EQ(look_alike("Χ")->meant, 'X');
  EXPECT_EQ(look_alike("［")->meant, '[');
  EXPECT_EQ(look_alike("～")->meant, '~');
  EXPECT_FALSE(look_alike("A"));
  EXPECT_FALSE(look_alike("ж"));
  EXPECT_FALSE(look_alike(""));
  EXPECT_FALSE(look_alike("\xD0"));
}

TEST(LookAlike, IsNamedWhereItStands) {
  EXPECT_EQ(read("C[I_Х] → D[I]").diagnostics.at(0).message,
            "`Х` (U+0425) looks like `X`, and is another letter");
  EXPECT_EQ(read("A［I］").diagnostics.at(0).help, std::vector<std::string>{"write `[`"});
}

}  // namespace
}  // namespace shard

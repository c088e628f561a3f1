#include "grammar/source/code_point.h"

#include <gtest/gtest.h>

#include "grammar/lex/word.h"

namespace shard::code_point_test {
namespace {

TEST(CodePoint, IsReadWhole) {
  EXPECT_EQ(first_code_point("→ B"), U'→');
  EXPECT_EQ(code_point_length("→ B"), 3U);
  EXPECT_EQ(first_code_point("𝐀"), U'𝐀');
  EXPECT_EQ(code_point_length("é"), 2U);
  EXPECT_EQ(letter_length("é"), 2U);
}

// `É`, `Î` of Latin-1, and characters that are cut off.
TEST(CodePoint, IsAByteWhereTheTextIsNoUtf8) {
  for (const char* text : {"\xC9", "\xC9\n", "\xCE<", "\xE2", "\xE2\x86", "\xE2\x86]",
                           "\xF0\x9F\x8E", "\x80", "\xFF"}) {
    EXPECT_EQ(code_point_length(text), 1U) << text;
    EXPECT_EQ(first_code_point(text), U'\0') << text;
    EXPECT_EQ(letter_length(text), 0U) << text;
  }
}

}  // namespace
}  // namespace shard::code_point_test

#include "grammar/source/visible.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/words.h"
#include "tests/property.h"

namespace shard::visible_test {
namespace {

using namespace std::string_literals;  // NOLINT(google-build-using-namespace)

TEST(Visible, TextOfAllScriptsStaysAsItIs) {
  for (const char* text :
       {"A[I_X] · B → C", "größer ≤ 日本語", "⚠\xEF\xB8\x8F", "", "\xF0\x9F\x98\x80"})
    EXPECT_EQ(visible_line(text), text);
}

// They went to the terminal as they are, from messages, paths and comments.
TEST(Visible, WhatActsOnATerminalIsWrittenAsItsNumber) {
  EXPECT_EQ(visible_line("a\x1b]0;title\x07"), "a\\u{1b}]0;title\\u{7}");
  EXPECT_EQ(visible_line("\x7f"), "\\u{7f}");
  EXPECT_EQ(visible_line("a\xC2\x9B"
                         "31m"),
            "a\\u{9b}31m");
  EXPECT_EQ(visible_line("\xE2\x80\xAE"
                         "evil"),
            "\\u{202e}evil");
  EXPECT_EQ(visible_line("\xE2\x81\xA6\xE2\x80\x8B\xEF\xBB\xBF"), "\\u{2066}\\u{200b}\\u{feff}");
  EXPECT_EQ(visible_line("\xF3\xA0\x81\x81"), "\\u{e0041}");
  EXPECT_EQ(visible_line("a\0b"s), "a\\u{0}b");
}

TEST(Visible, WhatIsNoUtf8IsWrittenByteByByte) {
  EXPECT_EQ(visible_line("\x9b"
                         "1m"),
            "\\x{9b}1m");
  EXPECT_EQ(visible_line("\xC0\x9B"), "\\x{c0}\\x{9b}") << "an escape, spelled too long";
  EXPECT_EQ(visible_line("\xE0\x80\x9B"), "\\x{e0}\\x{80}\\x{9b}");
  EXPECT_EQ(visible_line("\xED\xA0\x80"), "\\x{ed}\\x{a0}\\x{80}") << "half a pair";
  EXPECT_EQ(visible_line("\xF4\x90\x80\x80"), "\\x{f4}\\x{90}\\x{80}\\x{80}") << "beyond Unicode";
  EXPECT_EQ(visible_line("\xFF\xE2\x86"), "\\x{ff}\\x{e2}\\x{86}") << "cut off";
}

TEST(Visible, EndsOfLinesStayInTextAlone) {
  EXPECT_EQ(visible_line("a\n\tb\r"), "a\\u{a}\\u{9}b\\u{d}");
  EXPECT_EQ(visible_text("a\n\tb\r"), "a\n\tb\\u{d}");
}

TEST(Visible, JsonStaysTheSameJson) {
  EXPECT_EQ(visible_json("{\n \"a→\": \"\xC2\x9B\x7f\xE2\x80\xAE\xF3\xA0\x81\x81\"\n}"),
            "{\n \"a→\": \"\\u009b\\u007f\\u202e\\udb40\\udc41\"\n}");
}

TEST(Visible, ColumnsAreThoseOfTheLine) {
  EXPECT_EQ(join(visible_columns("a\t·\x1b\xE3\x80\x80"), "|"), "a| |·|\\|u|{|1|b|}| ");
}

SHARD_PROPERTY(Visible, TextOfAnyBytesIsCleanAndStaysWhatItIs, 20000) {
  const auto bytes = *rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
      {{3, rc::gen::arbitrary<char>()},
       {1, rc::gen::element('\xC2', '\xE2', '\xF3', '\x80', '\x9B', '\xAE', '\x1b', '\n')}}));
  const std::string text = visible_text(bytes);
  RC_ASSERT(visible_text(text) == text);
  RC_ASSERT(visible_line(text).find('\n') == std::string::npos);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    RC_ASSERT((byte >= 0x20 && byte != 0x7F) || byte == '\n' || byte == '\t');
    const bool starts_c1 = byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    RC_ASSERT(!starts_c1);
  }
}

}  // namespace
}  // namespace shard::visible_test

#include "grammar/document/fences.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shard::fences_test {
namespace {

using Words = std::vector<std::string>;

TEST(Fences, HaveWordsABodyAndAPlace) {
  const std::string text = "Text\n\n```shard run --verify\na\n\nb\n```\nEnd\n";
  const std::vector<Fence> fences = fences_of(text);
  ASSERT_EQ(fences.size(), 1U);
  EXPECT_EQ(fences[0].words, (Words{"shard", "run", "--verify"}));
  EXPECT_EQ(fences[0].body, "a\n\nb\n");
  EXPECT_EQ(fences[0].line, 3U);
  EXPECT_EQ(text.substr(fences[0].end), "End\n");
}

TEST(Fences, AreNamedInBracesAsWell) {
  for (const char* const name : {"{shard}", "{.shard}", " shard ", "{ .shard }"})
    EXPECT_EQ(fences_of("```" + std::string(name) + "\n```\n")[0].words, Words{"shard"}) << name;
  EXPECT_EQ(fences_of("```.shard\n```\n")[0].words, Words{".shard"});
  EXPECT_TRUE(fences_of("```\n```\n")[0].words.empty());
}

TEST(Fences, EndWithAsManyMarksOfTheirKind) {
  const auto fences = fences_of("````md\n```shard\n```\n````\n~~~shard\n```\n~~~ no\n~~~~\n");
  ASSERT_EQ(fences.size(), 2U);
  EXPECT_EQ(fences[0].body, "```shard\n```\n");
  EXPECT_EQ(fences[1].body, "```\n~~~ no\n");
  EXPECT_TRUE(fences[0].is_closed_by("a\n`````\n"));
  EXPECT_FALSE(fences[0].is_closed_by("a\n```\n"));
}

TEST(Fences, AreNoCodeWithinALine) {
  EXPECT_TRUE(fences_of("```a``` and ``b``\n").empty());
  EXPECT_TRUE(fences_of("``a\n").empty());
}

TEST(Fences, ThatAreOpenEndWithTheText) {
  const auto fences = fences_of("```shard\na");
  ASSERT_EQ(fences.size(), 1U);
  EXPECT_EQ(fences[0].body, "a\n");
  EXPECT_TRUE(fences_of("").empty());
}

TEST(Fences, KnowWhereTheirLinesStand) {
  const std::string text = "> ```shard\r\n> ab\r\n>\r\n> c\r\n> ```\r\n";
  const Fence fence = fences_of(text)[0];
  EXPECT_EQ(fence.body, "ab\n\nc\n");
  EXPECT_EQ(text.substr(fence.place_of(1), 1), "b");
  EXPECT_EQ(text.substr(fence.place_of(4), 1), "c");
  EXPECT_EQ(fences_of("```\n```\n")[0].place_of(0), 4U);
}

TEST(Fences, HaveTheirOutputBeneath) {
  const auto has_output = [](const std::string& text) {
    return output_beneath(text, fences_of(text), 0) != nullptr;
  };
  EXPECT_TRUE(has_output("```shard\n```\n\n```json\n```\n"));
  EXPECT_TRUE(has_output("> ```shard\n> ```\n>\n> ```text\n> ```\n"));
  EXPECT_FALSE(has_output("```shard\n```\nso\n```text\n```\n"));
  EXPECT_FALSE(has_output("```shard\n```\n```python\n```\n"));
  EXPECT_FALSE(has_output("```shard\n```\n"));
}

TEST(Fences, GetAnotherBodyInTheirOwnForm) {
  const std::string list = "- A\n  ```text\n  old\n  ```\n";
  EXPECT_EQ(with_body(list, fences_of(list)[0], "one\n\n two\n"),
            "- A\n  ```text\n  one\n\n   two\n  ```\n");
  const std::string windows = "```text\r\nold\r\n```\r\n";
  EXPECT_EQ(fences_of(windows)[0].body, "old\n");
  EXPECT_EQ(with_body(windows, fences_of(windows)[0], "new\n"), "```text\r\nnew\r\n```\r\n");
  const std::string empty = "```text\n```\n";
  EXPECT_EQ(with_body(empty, fences_of(empty)[0], ""), empty);
}

}  // namespace
}  // namespace shard::fences_test

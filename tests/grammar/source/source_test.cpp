#include "grammar/source/source.h"

#include <gtest/gtest.h>

namespace shard::source_test {
namespace {

TEST(SourceMap, CountsColumnsInCodePoints) {
  SourceMap sources;
  const FileId file = sources.add("a", "x\nA → B");
  const LineColumn place = sources.position(file, 8);
  EXPECT_EQ(place.line, 2U);
  EXPECT_EQ(place.column, 5U);
}

TEST(SourceMap, EndsLinesAtEveryKindOfLineEnd) {
  SourceMap sources;
  const FileId file = sources.add("a", "one\r\ntwo\rthree\nfour");
  EXPECT_EQ(sources.line(file, 1), "one");
  EXPECT_EQ(sources.line(file, 2), "two");
  EXPECT_EQ(sources.line(file, 3), "three");
  EXPECT_EQ(sources.line(file, 4), "four");
}

TEST(SourceMap, HasOneEmptyLineInAnEmptyText) {
  SourceMap sources;
  const FileId file = sources.add("a", "");
  EXPECT_EQ(sources.line(file, 1), "");
  EXPECT_EQ(sources.position(file, 0).column, 1U);
}

TEST(Cover, IgnoresAnInvalidSpan) {
  const Span span{FileId{0}, 2, 5};
  EXPECT_EQ(cover(Span{}, span), span);
  EXPECT_EQ(cover(span, Span{}), span);
  EXPECT_EQ(cover(span, Span{FileId{0}, 7, 9}), (Span{FileId{0}, 2, 9}));
}

}  // namespace
}  // namespace shard::source_test

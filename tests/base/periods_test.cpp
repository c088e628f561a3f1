#include "base/periods.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace shard {
namespace {

// "0–4/2": begin, end and period of each part.
std::string parts_of(const std::vector<std::size_t>& sequence, std::size_t longest = 32) {
  std::string text;
  for (const PeriodicPart& part : periodic_parts(sequence, longest)) {
    text += (text.empty() ? "" : " ") + std::to_string(part.begin) + "-" +
            std::to_string(part.end) + "/" + std::to_string(part.period);
  }
  return text;
}

TEST(Periods, OfEqualElementsAreOneLong) {
  EXPECT_EQ(parts_of({}), "");
  EXPECT_EQ(parts_of({7}), "0-1/1");
  EXPECT_EQ(parts_of({7, 7, 7}), "0-3/1");
  EXPECT_EQ(parts_of({7, 7, 7, 8, 8}), "0-3/1 3-5/1");
}

TEST(Periods, ReachAsFarAsTheyCanAndAreAsShortAsTheyCan) {
  EXPECT_EQ(parts_of({0, 1, 0, 1, 0, 1}), "0-6/2");
  EXPECT_EQ(parts_of({0, 0, 0, 1, 0, 0, 0, 1}), "0-8/4");
  EXPECT_EQ(parts_of({5, 0, 1, 0, 1}), "0-1/1 1-5/2");
}

TEST(Periods, AreWhole) { EXPECT_EQ(parts_of({0, 1, 0, 1, 0}), "0-4/2 4-5/1"); }

TEST(Periods, LongerThanAskedForAreNotSeen) {
  EXPECT_EQ(parts_of({0, 1, 2, 0, 1, 2}, 2), "0-1/1 1-2/1 2-3/1 3-4/1 4-5/1 5-6/1");
}

}  // namespace
}  // namespace shard

#include "base/check_failure.h"

#include <gtest/gtest.h>

#include <string>

#include "base/check.h"

namespace shard {
namespace {

TEST(CheckFailure, IsThrownWhereASessionWouldBeLost) {
  const ThrownChecks checks;
  try {
    SHARD_CHECK(1 > 2);
    FAIL() << "nothing was thrown";
  } catch (const CheckFailure& failure) {
    EXPECT_TRUE(std::string(failure.what()).starts_with("internal error: 1 > 2 does not hold"))
        << failure.what();
  }
}

TEST(CheckFailureDeathTest, EndsTheProcessElse) { EXPECT_DEATH(SHARD_CHECK(1 > 2), "1 > 2"); }

}  // namespace
}  // namespace shard

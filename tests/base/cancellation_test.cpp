#include "base/cancellation.h"

#include <gtest/gtest.h>

#include <thread>

namespace shard::cancellation_test {
namespace {

TEST(Cancellation, OfTheInnermostIsAsked) {
  EXPECT_NO_THROW(throw_if_cancelled());
  bool stop = false;
  const Cancellation outer([&] { return stop; });
  EXPECT_NO_THROW(throw_if_cancelled());
  stop = true;
  EXPECT_THROW(throw_if_cancelled(), Cancelled);
  {
    const Cancellation inner(nullptr);
    EXPECT_NO_THROW(throw_if_cancelled());
  }
  EXPECT_THROW(throw_if_cancelled(), Cancelled);
}

TEST(Cancellation, IsThatOfAThread) {
  const Cancellation here([] { return true; });
  std::thread([] { EXPECT_NO_THROW(throw_if_cancelled()); }).join();
  EXPECT_THROW(throw_if_cancelled(), Cancelled);
}

}  // namespace
}  // namespace shard::cancellation_test

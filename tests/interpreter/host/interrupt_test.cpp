#include "interpreter/host/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

namespace shard::interrupt_test {
namespace {

// The flag was one that only the thread of the handler may look at: the threads of a run do as well, which was a data race.
TEST(Interrupts, AreSeenByThreadsThatTheSignalDoesNotInterrupt) {
  catch_interrupts(Interrupts::First);
  EXPECT_FALSE(interrupted());
  {
    const std::jthread other([] {
      while (!interrupted()) std::this_thread::yield();
    });
    std::raise(SIGINT);
  }
  EXPECT_TRUE(interrupted());
  clear_interrupt();
  EXPECT_FALSE(interrupted());
}

}  // namespace
}  // namespace shard::interrupt_test

// What a session draws: hints, another size of the window, blocks, terminals that act on nothing; and keys.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/interpreter/driver/repl.h"

namespace shard::repl_test {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The prompt was drawn again behind what was typed.
TEST_F(Repl, AHintLeavesTheLineWhereItIs) {
  Terminal terminal(state_, {}, {.colour = true});
  terminal.await(kPrompt);
  terminal.enter("Batch = 4");
  const std::size_t prompts = count_of(terminal.bytes(), "shard>");
  terminal.type("Batch");
  terminal.await("= 4");
  terminal.type(" + 1");
  terminal.await("= 5");
  EXPECT_EQ(count_of(terminal.bytes(), "shard>"), prompts) << terminal.rest();
  EXPECT_TRUE(contains(terminal.enter(""), "Batch + 1 = 5"));
}

TEST_F(Repl, AnotherWidthDrawsTheLineAtItsBeginning) {
  Terminal terminal(state_, {}, {.columns = 80});
  terminal.await(kPrompt);
  terminal.enter(":set hints off");
  terminal.type("print 3*5");
  terminal.await("3*5");
  terminal.resize(70);
  terminal.await("shard> print 3*5");
  EXPECT_TRUE(contains(terminal.bytes(), "\r\x1b[Jshard> print 3*5")) << terminal.rest();
  EXPECT_TRUE(contains(terminal.enter(""), "15"));
}

// What stood below the cursor was left there, and the next prompt was drawn into it.
TEST_F(Repl, CtrlCLeavesALongLineAsAWhole) {
  Terminal terminal(state_, {}, {.columns = 60});
  terminal.await(kPrompt);
  const std::string kHome = "\x1b[H";
  terminal.type("print \"" + std::string(150, 'a'));
  terminal.await("aaaa");
  terminal.type(kHome);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  terminal.type(kInterrupt);
  terminal.await("\n\n\n" + std::string(kPrompt));
  EXPECT_TRUE(contains(terminal.bytes(), "\n\x1b[J"));
}

TEST_F(Repl, ATerminalThatActsOnNothingGetsTextAlone) {
  for (const char* kind : {"dumb", static_cast<const char*>(nullptr), "nosuchterminal"}) {
    Terminal terminal(state_, {}, {.colour = true, .kind = kind});
    terminal.await(kPrompt);
    terminal.enter("mesh {X: 2}; I = 8");
    terminal.type("A[I_X] → B[I]");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_TRUE(contains(terminal.enter(""), "within bf16 rounding")) << terminal.rest();
    EXPECT_FALSE(contains(terminal.bytes(), "\x1b")) << (kind == nullptr ? "none" : kind);
    EXPECT_FALSE(contains(terminal.bytes(), "→ bf16[I]"));
  }
}

}  // namespace
}  // namespace shard::repl_test

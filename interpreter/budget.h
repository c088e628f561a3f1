// What running a script may take. Loops and functions end, and Ctrl-C ends them before.
#pragma once

#include <cstdint>
#include <functional>

namespace shard {

// Limits of a script; each has a diagnostic.
inline constexpr std::int64_t kMaxStatements = 100'000;  // run in loops and functions: TooManySteps
inline constexpr std::size_t kMaxOpenSizes = 500;        // dimensions without a size: TooLarge
inline constexpr std::int64_t kMaxPasses = 10'000;       // of one loop: TooManyPasses
inline constexpr int kMaxCalls = 64;                     // inside each other: TooMuchRecursion

// One for each input of a session, shared by everything that the input runs.
struct Budget {
  std::int64_t statements = 0;
  int calls = 0;
  bool exhausted = false;  // too many statements, which was reported
  bool unwinding =
      false;  // too many calls, which was reported: those that run end without a result
  bool interrupted = false;
  std::function<bool()> cancelled;

  // Whether nothing more is to be run.
  bool stopped() {
    interrupted = interrupted || (cancelled && cancelled());
    return exhausted || unwinding || interrupted;
  }
};

}  // namespace shard

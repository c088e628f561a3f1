// What running a script may take. Loops and functions end, and Ctrl-C ends them before.
#pragma once

#include <cstdint>
#include <functional>

namespace shard {

// Limits of a script; each has a diagnostic.
inline constexpr std::int64_t kMaxStatements =
    1'000'000;                                     // in loops, functions, cost blocks: TooManySteps
inline constexpr std::size_t kMaxOpenSizes = 500;  // dimensions without a size: TooLarge
inline constexpr std::int64_t kMaxTrials =
    1'000;  // of lines that a help would offer, after mistakes
inline constexpr std::int64_t kMaxPasses = 10'000;  // of one loop: TooManyPasses
inline constexpr int kMaxCalls = 64;                // inside each other: TooMuchRecursion
inline constexpr int kMaxLevels =
    1'024;  // of anything inside each other: TooMuchRecursion, TooDeep

// Of one formula in sizes that have no value: TooLarge, TooDeep. Formulas are compared pairwise and drawn by recursion; a
// script's own have some tens of terms.
inline constexpr std::int64_t kMaxFormulaSize = 10'000;
inline constexpr int kMaxFormulaHeight = 256;

// One for each input of a session, shared by everything that the input runs.
struct Budget {
  std::int64_t statements = 0;
  std::int64_t trials = 0;  // of lines that a help would offer
  int calls = 0;
  int levels = 0;          // `Level`s that exist
  bool exhausted = false;  // too many statements, which was reported
  bool unwinding = false;  // too many calls or levels, which was reported: those that run end
                           // without a result
  bool interrupted = false;
  std::function<bool()> cancelled;

  // Whether nothing more is to be run.
  bool stopped() {
    interrupted = interrupted || (cancelled && cancelled());
    return exhausted || unwinding || interrupted;
  }
};

}  // namespace shard

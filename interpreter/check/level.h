// How deep things that run stand inside each other: operands, blocks, calls, cost blocks, modules.
#pragma once

#include "interpreter/check/brackets.h"
#include "interpreter/ir/budget.h"

namespace shard {

// One more of them, as long as the object lives. Once a budget is passed, everything up to the outermost one unwinds.
class Level {
 public:
  explicit Level(Budget* budget);
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level();

  // Whether it may begin. Reports, once for what unwinds: TooMuchRecursion inside of a call, TooDeep elsewhere.
  bool check(Span span, CheckContext& context) const;

 private:
  Budget* budget_;
};

}  // namespace shard

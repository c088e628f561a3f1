// What is said of an `expect` that does not hold.
#pragma once

#include <string>

#include "interpreter/evaluate/evaluator.h"

namespace shard {

// Values of both sides of a comparison, and how far they are apart; empty of anything else.
struct SideTexts {
  std::string left;
  std::string right;
  std::string difference;  // of the left side from the right one
};
SideTexts sides_of(const ast::Expr& condition, EvaluationContext& context);

// Reports ExpectFailed, or Undecidable of a condition that depends on sizes that are not given: with both sides, what they are
// made of, where their numbers came from, and what was probably meant.
void report_failed(const ast::Expr& condition, bool is_decided, const SideTexts& sides,
                   EvaluationContext& context);

}  // namespace shard

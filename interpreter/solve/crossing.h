// What `solve` finds: sizes at which two sides are equal, and whole ones from which one is larger.
#pragma once

#include <string>

#include "interpreter/ir/value.h"
#include "interpreter/solve/size_signs.h"

namespace shard {

// Where both sides are equal, or by `op` the whole sizes at which the comparison begins or ends to hold; a word where there is none.
Value crossings_of(const SizeComparison& comparison, const SizeSigns& signs);

// "from 77,632 on, a multiple of 32": the whole sizes on the side of a crossing that is meant; empty where it is one of them.
std::string whole_text(const Root& root, bool above, std::int64_t step);
// ", a multiple of 32"; empty where that is every size.
std::string multiple_text(std::int64_t step);

// "c.math = 1.2 ns·B, c.comms = 27 ns·B".
std::string sides_text(const ast::Expr& left, const ast::Expr& right, const Sides& sides);
// The same of what was found, "at B = 1,024: …" where several plans have formulas of their own.
std::string sides_text(const SizeComparison& asked, const SizeSigns& signs);

// Said of signs that are sampled.
std::string sampled_text();

}  // namespace shard

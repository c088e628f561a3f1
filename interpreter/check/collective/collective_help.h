// The collective that was meant by one that its operand does not fit.
#pragma once

#include <string>
#include <vector>

#include "interpreter/check/operation.h"

namespace shard {

// "ReduceScatter_{X,K}", "Shift_{X,2}".
std::string collective_text(const ast::Collective& collective, const std::vector<std::string>& axes,
                            const std::string& dimension);

// What makes the statement right in which the collective stands: another one in its place, or none where the change is made
// without one. Empty if nothing shows what was meant. `target` is the layout of its result; null if nothing says it.
std::vector<Edit> collective_edits(const ast::Collective& collective,
                                   const checked::Operation& operand, const Layout* target,
                                   const Scope& scope);

// The same where the way to `target` is asked for, whatever collective stands there.
std::vector<Edit> edits_towards(const ast::Collective& collective,
                                const checked::Operation& operand, const Layout& target,
                                const Scope& scope);

// Why no CollectivePermute leads from one layout of the operand to the other, as the end of a sentence: ", and there are 4 of
// `I`, not 2". REQUIRES: moves_whole_blocks(now, then) is false.
std::string what_keeps_blocks(const checked::Operation& operand, const Layout& now,
                              const Layout& then, const Scope& scope);

// An AllReduce of an operand that is used before its sum is complete: as a line of its own where the operand is read by its
// bare name, else in its place.
struct ReduceFirst {
  std::vector<std::string> help;
  std::vector<Edit> edits;
};
ReduceFirst reduce_first(const checked::Operation& operand, const Scope& scope);

}  // namespace shard

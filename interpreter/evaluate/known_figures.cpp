#include "interpreter/evaluate/known_figures.h"

#include <unordered_set>

namespace shard {

// The blocks are many and read one another, so that there is a list of those to look at, and no recursion. They were read on this
// machine, with these functions.
bool SupposedFigures::hold_for(const Scope& scope) const {
  if (figures == nullptr || asked != scope.asked || !(machine == scope.hardware()) ||
      !(functions == scope.names.functions))
    return false;
  std::vector<std::shared_ptr<const SupposedFigures>> held;  // while they are looked at
  std::vector<const SupposedFigures*> open = {this};
  std::unordered_set<const SupposedFigures*> seen = {this};
  while (!open.empty()) {
    const SupposedFigures& one = *open.back();
    open.pop_back();
    if (!one.reads.names_hold_for(scope)) return false;
    for (const BindingReads::Block& block : one.reads.blocks()) {
      auto known = block.known.lock();
      if (known == nullptr || known->figures != block.figures) return false;
      if (!seen.insert(known.get()).second) continue;
      open.push_back(known.get());
      held.push_back(std::move(known));
    }
  }
  return true;
}

}  // namespace shard

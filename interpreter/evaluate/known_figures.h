// What a cost block came to, and what it read for that: where it would read the same again, it comes to the same.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/ir/binding_reads.h"
#include "interpreter/ir/symbols.h"
#include "runtime/machine/machine.h"

namespace shard {

// The newest figures of a cost block.
struct SupposedFigures {
  std::shared_ptr<const Figures> figures = nullptr;  // null: there are none
  std::vector<Diagnostic> notes = {};                // about the block, for all who read a figure
  BindingReads reads{0};
  Machine machine = {};
  bool own_mesh = false;             // the block has a `mesh`
  std::set<std::string> asked = {};  // sizes that a question had open
  PersistentMap<std::string, std::shared_ptr<const ast::Function>> functions = {};

  // What blocks that were read have read themselves is looked at, too.
  bool hold_for(const Scope& scope) const;
};

}  // namespace shard

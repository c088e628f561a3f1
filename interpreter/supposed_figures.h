// What a cost block came to, and what it read for that: where it would read the same again, it comes to the same.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grammar/diagnostic.h"
#include "interpreter/figures.h"
#include "interpreter/scope.h"
#include "runtime/machine.h"

namespace shard {

// The sizes and scalars of outside that were read while a block was priced. A name that had no value is one of them.
class BindingReads {
 public:
  // What is bound in blocks of that depth or deeper is the cost block's own.
  explicit BindingReads(int depth) : depth_(depth) {}

  void note(const std::string& key, const BindingInfo* binding);
  // Whether they would be the same there.
  bool hold_for(const Scope& scope) const;
  // They are reads of what `scope` belongs to, too.
  void tell(const Scope& scope) const;

 private:
  struct Read {
    std::optional<Value> value;  // not of a cost block
    // A cost block, which is itself as long as its tree is the same. Nothing is kept alive here: of blocks that read the
    // one before each would keep all others.
    std::weak_ptr<const ast::BlockExpr> block;
  };
  static Read read(const BindingInfo* binding);
  static bool are_same(const Read& one, const Read& other);

  int depth_;
  std::map<std::string, Read> reads_;  // by name_key
};

// The newest figures of a cost block.
struct SupposedFigures {
  std::shared_ptr<const Figures> figures = nullptr;  // null: there are none
  std::vector<Diagnostic> notes = {};                // about the block, for all who read a figure
  BindingReads reads{0};
  Machine machine = {};
  PersistentMap<std::string, std::shared_ptr<const ast::Function>> functions = {};

  bool hold_for(const Scope& scope) const {
    return figures != nullptr && machine == scope.hardware() && functions == scope.functions &&
           reads.hold_for(scope);
  }
};

}  // namespace shard

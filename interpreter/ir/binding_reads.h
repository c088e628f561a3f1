// What a cost block reads of outside while it is priced.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "interpreter/ir/symbols.h"

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

}  // namespace shard

// What a cost block reads of outside while it is priced.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/ir/symbols.h"

namespace shard {

struct Figures;
struct SupposedFigures;

// The sizes and scalars of outside that were read while a block was priced. A name that had no value is one of them.
class BindingReads {
 public:
  // What is bound in blocks of that depth or deeper is the cost block's own.
  explicit BindingReads(int depth) : depth_(depth) {}

  // Another cost block of which a figure was read. What that one had read is its own: of blocks that read the one before, each
  // would have the reads of all others.
  struct Block {
    std::weak_ptr<const SupposedFigures> known;
    std::shared_ptr<const Figures> figures;  // that it had come to
  };

  void note(const std::string& key, const BindingInfo* binding);
  void note_block(Block block) { blocks_.push_back(std::move(block)); }
  // Whether the names would be the same there.
  bool names_hold_for(const Scope& scope) const;
  const std::vector<Block>& blocks() const { return blocks_; }
  // They are reads of what `scope` belongs to, too: of a block inside of it.
  void tell(const Scope& scope) const;
  int depth() const { return depth_; }

 private:
  struct Read {
    std::optional<Value> value;  // not of a cost block
    // A cost block, which is itself as long as its tree is the same. Nothing is kept alive here: of blocks that read the
    // one before each would keep all others.
    std::weak_ptr<const ast::BlockExpr> block;
  };
  static Read read(const BindingInfo* binding);
  static bool is_read(const BindingInfo* binding, const Read& known);

  int depth_;
  std::map<std::string, Read> reads_;  // by name_key
  std::vector<Block> blocks_;
};

}  // namespace shard

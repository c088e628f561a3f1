// Brackets that were checked, by what stands in them: most of a script's brackets recur, in its other lines or in the next pass
// of a loop.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// `[I_X, J]{U_Y}` with its names looked up.
struct Brackets {
  std::vector<DimensionId> labels;
  Layout layout;
};

// Holds while the names of dimensions, the mesh and the lengths in the brackets are the same.
class BracketsCache {
 public:
  // The brackets as a key; empty if they are read each time: with lengths that are computed, places or `…`, and where a cost
  // block notes what it reads.
  static std::string key_of(const ast::ArrayRef& array, const Scope& scope);
  // Null if there are none. REQUIRES: the key is not empty.
  const Brackets* find(const std::string& key, const Scope& scope);
  // REQUIRES: they were checked without a mistake since `find`.
  void add(std::string key, const Brackets& brackets, const Scope& scope);

 private:
  struct Checked {
    Brackets brackets;
    std::vector<std::optional<Rational>> lengths;      // by label
    PersistentMap<std::string, BindingInfo> bindings;  // that gave them
  };
  // Whether the names in brackets mean what they meant.
  bool holds(const Scope& scope) const;

  std::unordered_map<std::string, Checked> checked_;
  // What the brackets were checked with. That these are kept makes a changed table another one.
  PersistentMap<std::string, DimensionId> dimensions_;
  std::shared_ptr<const OuterNames> outside_;
  std::size_t identified_ = 0;
  Mesh mesh_;
};

}  // namespace shard

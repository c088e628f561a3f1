// Dimensions and arrays by id. Plans refer to them: ids are given out one after the other and never taken back, whatever becomes
// of the names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cow_vector.h"
#include "base/dtype.h"
#include "base/id.h"
#include "base/name_index.h"
#include "base/persistent_map.h"
#include "base/persistent_vector.h"
#include "grammar/source/source.h"
#include "grammar/tree/names.h"
#include "runtime/plan/layout.h"
#include "runtime/plan/plan.h"

namespace shard {

struct DimensionTag;
using DimensionId = Id<DimensionTag>;
struct ArrayTag;
using ArrayId = Id<ArrayTag>;

// Dimensions as the labels of a computation.
std::vector<int> numbered(const std::vector<DimensionId>& ids);

// A name that stands in brackets, or a length written there (`48k_X`).
struct DimensionInfo {
  std::string name;
  std::string key = name_key(name);
  std::optional<std::int64_t> literal;     // the length, if it was written instead of a name
  std::optional<std::int64_t> own_length;  // of a name that a block gave a length of its own
  DimensionId
      same_as;  // a dimension of the same length, where brackets renamed one of unknown length
  bool coordinate = false;  // the places of an axis: `coord(X)` in an index
  bool stands_in = false;   // inside a function, for the dimension `same_as` of an argument
};

namespace checked {
struct Origin;
}  // namespace checked

// The dimensions of an array, and how its declaration lays them out.
struct DeclaredForm {
  std::vector<DimensionId> dimensions;
  Layout layout;
  Span span;
};

// One logical array. A name that is computed anew gets a new one.
struct ArrayInfo {
  std::string name;
  SharedList<DimensionId> dimensions;
  DType dtype = DType::Bf16;
  bool declared = false;                               // by a declaration, not by its first use
  std::shared_ptr<const DeclaredForm> form = nullptr;  // as declared, while that still holds
  Span declaration = {};  // where it was declared, last for this and the arrays that it replaced
  bool read = false;      // by a statement: what was declared is an input
  bool computed = false;  // by a statement; otherwise an input of the script
  bool anonymous = false;
  std::shared_ptr<const InputStep> values = nullptr;  // of an input whose values the script gives
  bool own_fill = false;  // with a constant, by a function or `backward` for itself: no input
  // What made it, as far as gradients go back (docs: language, "Gradients"); null of inputs.
  std::shared_ptr<const checked::Origin> origin = nullptr;
  bool of_gradients = false;  // it is a gradient, or was made of one
  bool has_gradient = false;  // `backward` came to it
  // It was made of such a one and of gradients, `W - 0.1 ⊙ dW`: gradients of what is made of it end here.
  bool is_moved_state = false;
  Span dropped = {};         // by `drop`
  Span differentiated = {};  // the `backward` that began with it
  Span span;
};

// Names of arrays that another may be a slip of. All copies of a scope share it: some of the arrays may have ended.
struct ArrayNameIndex {
  static constexpr std::size_t kShortest = 5;  // letters; shorter names are often alike on purpose
  NameIndex names;
  PersistentMap<std::string, ArrayId> taken;  // the names of arrays, up to where they were read
};

struct Arrays {
  PersistentIdVector<DimensionId, DimensionInfo> dimensions;
  PersistentIdVector<ArrayId, ArrayInfo> arrays;
  std::size_t identified = 0;  // how many dimensions took the length of another, so far

  std::vector<std::string> names_of(const std::vector<DimensionId>& dimensions_of_array) const;
  // The known array that a name without digits is probably a slip of; nullopt if it is too short to tell. `names` are those of
  // arrays, by name_key.
  std::optional<std::string> nearest_long_name(
      const std::string& name, const PersistentMap<std::string, ArrayId>& names) const;
  // Appends what `later`, a copy of this that has grown, has more: plans refer to it.
  void append_from(const Arrays& later);

 private:
  std::shared_ptr<ArrayNameIndex> name_index_ = std::make_shared<ArrayNameIndex>();
};

}  // namespace shard

// What names mean at a point of a script.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/persistent_map.h"
#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/foreign_array.h"
#include "interpreter/ir/arrays.h"
#include "interpreter/ir/value.h"
#include "runtime/machine/chip.h"

namespace shard {

struct BindingInfo {
  std::string name;
  Value value;
  Span span;
  int depth = 0;        // of the block that bound it
  bool counts = false;  // the passes of a loop over a range: an index, and the length of nothing
};

// Where an array was dropped, and whether by a new size instead of by `drop`.
struct DropPlace {
  Span span;
  bool by_size = false;
};

// What the script's own names mean outside of the function that runs: a function sees these, and not its caller's.
struct OuterNames {
  PersistentMap<std::string, DimensionId> dimension_names;
  PersistentMap<std::string, ArrayId> array_names;
  PersistentMap<std::string, BindingInfo> bindings;
  PersistentSet<std::string> unknown;
  PersistentMap<std::string, DropPlace> dropped;
};

// Behind a length: of several in one array not the first.
inline constexpr char kBeside = '\'';

// Names by name_key. What is put back where a block or a call ends stands in frames.h.
struct Environment {
  PersistentMap<std::string, DimensionId> dimension_names;
  PersistentMap<std::string, ArrayId> array_names;  // the newest of that name
  PersistentMap<std::string, BindingInfo> bindings;
  PersistentMap<std::string, std::shared_ptr<const ast::Function>> functions;
  PersistentMap<std::string, Chip> chips;
  bool catalogue_loaded = false;                     // those of the library are among the chips
  std::set<std::string> modules;                     // that were used
  PersistentMap<std::string, ForeignArray> foreign;  // arrays that lines of other languages would
                                                     // have made

  // Names that mean nothing any more, and why.
  PersistentMap<std::string, DropPlace> dropped;
  PersistentMap<std::string, ArrayId> ended_by_machine;  // arrays that ended with another mesh
  PersistentMap<std::string, Span>
      ended;  // that a block or function gave a value and that ended with it

  // Where this point stands.
  int depth = 0;                              // how many blocks it stands in
  int loops = 0;                              // how many loops
  std::shared_ptr<const OuterNames> outside;  // inside a function
  // Axes that the function's parameters name: one for `D_Y`, and however many there are for `D_{Y…}`.
  std::map<std::string, std::vector<AxisId>> axis_names;
  std::size_t first_own_array =
      0;  // of the group or function that runs: those before are not its own
  PersistentMap<std::pair<std::string, std::int64_t>, DimensionId> own_dimensions;  // of blocks
  std::vector<DimensionId> kept_lengths;  // dimensions of outside whose names are a block's own
  // By key, `D'`: dimensions of functions that stand for one of an argument (Scope::stand_in).
  PersistentMap<std::string, DimensionId> stand_ins;

  std::optional<ArrayId> find_array(const std::string& name) const;
  // Whether the group or function that runs made it.
  bool is_own(ArrayId array) const {
    return static_cast<std::size_t>(array.value) >= first_own_array;
  }
  // Inside a function: whether the name means the script's array there, or no array at all. A parameter or an array that the
  // function made may have the name of one.
  bool is_of_outside(const std::string& name) const;
  // Inside a function: the name is a size or a dimension of the script, and none that the function has given a length.
  bool is_length_of_outside(const std::string& name) const;
  // The array that the function now means by the name is the script's from here on: elements of that have changed.
  void change_outside(const std::string& name);
  // Inside a function: the name is a number or a dimension of its own from here on, and not the script's array.
  void hide_outer_array(const std::string& name);
  // The array whose declaration holds for what is made under the name: also one that ended with another mesh.
  std::optional<ArrayId> find_declared(const std::string& name) const;
  // Of equal lengths in one array, `x[4, 4]`, the second goes by `4'` (Scope::index_name).
  std::optional<DimensionId> find_dimension(const std::string& name) const;
  // Inside a function: the name is an array that it made or was given, and a scalar or a size of the script outside only.
  bool hides_outer_scalar(const std::string& name) const;
  // Those that a name reaches, of a function's caller as well. Plans refer to many more: all that were computed so far.
  std::vector<ArrayId> named_arrays() const;
  // Names that mean something now and did not in `before` have ended.
  void note_ended(const PersistentMap<std::string, BindingInfo>& before);
  void note_ended(const PersistentMap<std::string, ArrayId>& before, const Arrays& store);
};

}  // namespace shard

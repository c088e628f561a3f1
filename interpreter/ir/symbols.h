// The tables of a script: what its names mean at a point of it. A value: copying one starts a supposition. Tables that grow
// with the script are persistent, so that a copy takes neither time nor memory for what it does not change.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cow_vector.h"
#include "base/id.h"
#include "base/name_index.h"
#include "base/persistent_map.h"
#include "base/persistent_vector.h"
#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/foreign_array.h"
#include "grammar/tree/names.h"
#include "interpreter/ir/value.h"
#include "runtime/machine/chip.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/mesh.h"
#include "runtime/machine/topology.h"
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
};

// A copy that the devices hold. `copy` is invalid until a plan uses it: an input appears at its first use.
struct LiveCopy {
  Layout layout;  // without axes of size 1
  CopyId copy;
  bool made = false;      // by a step, and not given as an input
  bool inferred = false;  // on the way of a statement that does not write it: no name means it
};

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
  bool read = false;      // by a statement: what was declared is an input
  bool computed = false;  // by a statement; otherwise an input of the script
  bool anonymous = false;
  std::shared_ptr<const InputStep> values = nullptr;  // of an input whose values the script gives
  Span span;
  std::vector<LiveCopy> copies;  // newest last

  // The copy that a bare name means: the newest one that the script wrote, whatever planning made besides; null if there is
  // none.
  const LiveCopy* newest_written() const;
};

struct BindingInfo {
  std::string name;
  Value value;
  Span span;
  int depth = 0;  // of the block that bound it
};

// `hardware` and `mesh` as written, and what they come to.
struct MachineState {
  std::optional<Chip> chip;
  std::optional<Slice> slice;
  Span hardware_span;
  std::optional<bool> wraparound;  // `wrap` or `nowrap`
  bool failed = false;  // a mistake was reported in `hardware`: its figures are not missed
  std::vector<DeclaredAxis> declared_axes;  // of the `mesh` statement
  std::optional<Span> mesh_span;
  Machine machine;                // the mesh grows by symbolic axes while none is declared
  bool has_given_faults = false;  // those of the command line are in the machine

  bool mesh_known() const {
    return mesh_span.has_value() || (slice && machine.mesh.axes.size() > 0);
  }
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

// The sizes and scalars of a point of the script, put back where the block that begins there ends.
struct BlockNames {
  PersistentMap<std::string, DimensionId> dimension_names;
  PersistentMap<std::string, BindingInfo> bindings;
  std::size_t kept_lengths = 0;
};

// The arrays of a scope as a supposition begins with them, kept for the next one.
struct SupposedArrays {
  Mesh mesh;
  PersistentIdVector<ArrayId, ArrayInfo> written;  // that they were made of
  PersistentIdVector<ArrayId, ArrayInfo> arrays;
};

// The arrays as the last mesh left them, and those that had names then: what did not change since is as a mesh leaves it.
struct AdoptedArrays {
  PersistentIdVector<ArrayId, ArrayInfo> arrays;
  PersistentMap<std::string, ArrayId> names;
};

// Names of arrays that another may be a slip of. All copies of a scope share it: some of the arrays may have ended.
struct ArrayNameIndex {
  static constexpr std::size_t kShortest = 5;  // letters; shorter names are often alike on purpose
  NameIndex names;
  PersistentMap<std::string, ArrayId> taken;  // array_names, up to where they were read
};

class BindingReads;

struct Scope {
  PersistentIdVector<DimensionId, DimensionInfo> dimensions;
  PersistentIdVector<ArrayId, ArrayInfo> arrays;
  PersistentMap<std::string, DimensionId> dimension_names;  // by name_key
  PersistentMap<std::string, ArrayId> array_names;          // by name_key: the newest of that name
  PersistentMap<std::string, BindingInfo> bindings;         // by name_key
  PersistentMap<std::string, Chip> chips;                   // by name_key
  PersistentSet<CopyId> shared_copies;  // of an array and of the parameter that it was passed for
  PersistentSet<std::string> unknown;   // by name_key: a mistake was reported where they were to be
                                        // made, so using them is no second mistake
  PersistentMap<std::string, ForeignArray> foreign;  // by name_key: arrays that lines of other
                                                     // languages would have made
  PersistentSet<std::string>
      misread_inputs;  // by name_key: a mistake was reported in their brackets,
                       // and other brackets make them known
  std::set<std::pair<DimensionId, std::string>>
      indivisible;  // dimensions, and into how many parts, that were reported as not dividing
  std::set<std::vector<DimensionId>>
      oversized;  // sorted dimensions of arrays that were reported as too large
  std::set<std::string>
      unknown_axes;  // axes whose absence, or a mistake in their `mesh`, was reported
  std::set<std::pair<std::string, DType>>
      rates_missed;  // chips, and element types for which another rate is used, which was said
  PersistentMap<std::string, DropPlace> dropped;  // by name_key
  PersistentSet<std::string> ended_by_machine;  // by name_key: arrays that ended with another mesh
  PersistentMap<std::string, Span>
      ended;  // by name_key: names that a block or function gave a value
              // and that ended with it
  PersistentMap<std::string, std::shared_ptr<const ast::Function>> functions;  // by name_key
  std::shared_ptr<const OuterNames> outside;                                   // inside a function
  std::map<std::string, AxisId> axis_names;  // axes that the function's parameters name
  std::set<std::string> modules;             // that were used
  bool module_failed = false;  // a module could not be read: what it would have made is not missed
  PersistentMap<std::pair<std::string, std::int64_t>, DimensionId> own_dimensions;  // of blocks
  std::vector<DimensionId> kept_lengths;  // dimensions of outside whose names are a block's own
  std::size_t first_own_array =
      0;                       // of the group or function that runs: those before are not its own
  int loops = 0;               // how many loops this point stands in
  std::size_t identified = 0;  // how many dimensions took the length of another, so far
  MachineState machine;
  ast::PlanRule rule = ast::PlanRule::Cases;
  bool strict = false;
  int depth = 0;  // how many blocks this one stands in
  bool catalogue_loaded = false;
  bool supposition = false;          // inside a block that never executes
  bool axis_count_reported = false;  // more axes than there may be, without a mesh
  mutable SupposedArrays supposed_arrays_known;
  AdoptedArrays adopted;
  std::shared_ptr<ArrayNameIndex> array_name_index = std::make_shared<ArrayNameIndex>();
  BindingReads* reads = nullptr;  // of the cost block that is priced: what it reads is written down

  const Machine& hardware() const { return machine.machine; }
  const Mesh& mesh() const { return machine.machine.mesh; }
  std::optional<ArrayId> find_array(const std::string& name) const;
  std::optional<DimensionId> find_dimension(const std::string& name) const;
  const BindingInfo* find_binding(const std::string& name) const;
  // The known array that a name without digits is probably a slip of; nullopt if it is too short to tell.
  std::optional<std::string> nearest_long_name(const std::string& name) const;
  // An axis of the mesh; inside a function also one that a parameter names.
  std::optional<AxisId> find_axis(const std::string& name) const;
  BlockNames block_names() const { return {dimension_names, bindings, kept_lengths.size()}; }
  // A mistake was reported where the array was to be made: what it would be now is not known.
  void forget_array(const std::string& name);
  // Whether a mistake was reported where the name was to be made.
  bool was_reported(const std::string& name) const;
  // The same, or it may have been to come from a module that has mistakes.
  bool is_unknown(const std::string& name) const;

  // The dimension of that name, made known if it is new.
  DimensionId intern_dimension(const std::string& name);
  DimensionId intern_length(std::int64_t length);
  // Makes the name a dimension of this block's own, of that length. What it means outside stays as it is.
  // That dimension keeps the length it has, until the block ends. Blocks that give a name the same length share it.
  void intern_own_length(const std::string& name, std::int64_t length);
  // A block ends. Its sizes and scalars end with it; what it saw in brackets without giving it a size stays known.
  void end_block(BlockNames before);
  // Names that are bound now and were not in `before` have ended.
  void note_ended(const PersistentMap<std::string, BindingInfo>& before);
  void note_ended(const PersistentMap<std::string, ArrayId>& before);
  // Its length, if it is a number.
  std::optional<Rational> length_of(DimensionId dimension) const;
  // The same, or a symbol.
  Amount size_of(DimensionId dimension) const;
  // The symbol that stands for a dimension without a length. `|C|` where an axis or a figure of the chip has that name.
  std::string symbol_of(DimensionId dimension) const;
  // Brackets gave the one the other's place: whichever has no length of its own takes the other's.
  void identify_lengths(DimensionId a, DimensionId b);
  std::vector<Amount> shape_of(const std::vector<DimensionId>& dimensions_of_array) const;
  std::vector<std::string> names_of(const std::vector<DimensionId>& dimensions_of_array) const;
  // Those that a name reaches, of a function's caller as well. Plans refer to many more: all that were computed so far.
  std::vector<ArrayId> named_arrays() const;
  // Another mesh is in force: computed arrays and copies are gone with their devices; inputs stay, laid out by axes of the same
  // name, and those whose axes are gone are forgotten.
  void adopt_mesh(const Mesh& before);
  // The named arrays that may not be as they are to be on the mesh in force, by name_key.
  std::map<std::string, ArrayId> arrays_to_adopt(const Mesh& before) const;
  // Brings the copies of one of them to it.
  void adopt_mesh(ArrayId array, const Mesh& before);
  // The arrays with copies that no plan has yet. What did not change since it was last asked is not made again.
  const PersistentIdVector<ArrayId, ArrayInfo>& supposed_arrays() const;
  // The scope as it was before, with the arrays and dimensions that were made since: plans refer to them.
  void go_back_to(Scope before);
  // Makes the names that `inner` has seen in brackets known here.
  void learn_names(const Scope& inner);
  // "A[I_X, J]{U_Y}".
  std::string describe(ArrayId array, const Layout& layout) const;
};

// What a supposition that is written here keeps of the scope: nothing of what it takes from where it is read.
Scope written_scope(const Scope& scope);
// The scope in which a figure of a supposition is read: arrays as where the block was written, sizes, chips and mesh as
// where it is read. Arrays laid out over axes that are gone are forgotten.
Scope supposition_scope(const Scope& written, const Scope& read);

}  // namespace shard

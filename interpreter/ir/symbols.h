// The tables of a script at a point of it: what names mean, the arrays, which copies of them are held, the machine, and what was said of all this. A value:
// copying one starts a supposition. Tables that grow with the script are persistent, so that a copy takes neither time nor memory
// for what it does not change.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/plan_rule.h"
#include "grammar/tree/ast.h"
#include "interpreter/ir/arrays.h"
#include "interpreter/ir/environment.h"
#include "interpreter/ir/holdings.h"
#include "interpreter/ir/machine_state.h"
#include "interpreter/ir/told.h"

namespace shard {

class BindingReads;

// Its own functions are those that need more than one of the parts.
struct Scope {
  Environment names;
  Arrays store;
  Holdings held;
  MachineState machine;
  Told told;
  PlanRule rule = PlanRule::Cases;
  bool strict = false;
  bool supposition = false;  // inside a block that never executes
  bool asks = false;         // inside a question: names without a value are open sizes
  std::set<std::string>
      asked;  // sizes that a question has open, or at numbers of its own, by name_key
  BindingReads* reads = nullptr;  // of the cost block that is priced: what it reads is written down

  const Machine& hardware() const { return machine.machine; }
  const Mesh& mesh() const { return machine.machine.mesh; }
  const BindingInfo* find_binding(const std::string& name) const;
  // The axes that the name stands for: one of the mesh; inside a function also those that a parameter names so, which may be
  // several or none.
  std::optional<std::vector<AxisId>> find_axes(const std::string& name) const;
  // The same where it is a single one.
  std::optional<AxisId> find_axis(const std::string& name) const;
  // A name by which it is found: not that of the mesh where the parameters of a function have that for other axes.
  std::string name_of(AxisId axis) const;
  // A mistake was reported where the array was to be made: what it would be now is not known.
  void forget_array(const std::string& name);

  // Whether a mistake in it, or in the mesh, was reported: figures are not those of the machine that is meant.
  bool lacks_machine() const { return machine.failed || !told.unknown_axes.empty(); }

  // The dimension of that name, made known if it is new.
  DimensionId intern_dimension(const std::string& name);
  DimensionId intern_length(std::int64_t length);
  // Another dimension of that length where `others` have the first: the two parts of `A[0:4, 0:4]` are both called 4, and told
  // apart by their order.
  DimensionId intern_length_beside(const std::vector<DimensionId>& others, std::int64_t length);
  // What an index calls the dimension by: its name, and of an equal length beside it `4'`.
  std::string index_name(DimensionId dimension) const;
  // Makes the name a dimension of this block's own, of that length. What it means outside stays as it is.
  // That dimension keeps the length it has, until the block ends. Blocks that give a name the same length share it.
  void intern_own_length(const std::string& name, std::int64_t length);
  // Another dimension that is as long as `dimension` is now.
  DimensionId add_beside(const std::string& name, DimensionId dimension);
  // A dimension as long as `dimension` with a name that functions have for it, as its own means something else there. Its key
  // is that of no other dimension. Calls of functions that have the same name for the same dimension share it.
  DimensionId stand_in(const std::string& name, DimensionId dimension);
  // Lengths that blocks gave a name that a question asks for are none inside of it.
  void open_asked_lengths();
  // Its length, if it is a number.
  std::optional<Rational> length_of(DimensionId dimension) const;
  // The same, or a symbol.
  Amount size_of(DimensionId dimension) const;
  // The symbol that stands for a dimension without a length. `|C|` where an axis or a figure of the chip has that name.
  std::string symbol_of(DimensionId dimension) const;
  // Brackets gave the one the other's place: whichever has no length of its own takes the other's.
  void identify_lengths(DimensionId a, DimensionId b);
  std::vector<Amount> shape_of(const std::vector<DimensionId>& dimensions_of_array) const;
  // Another mesh is in force: computed arrays and copies are gone with their devices; inputs stay, laid out by axes of the same
  // name, and those whose axes are gone are forgotten.
  void adopt_mesh(const Mesh& before);
  // Declarations as they are to be on the mesh in force; those over axes that are gone say no layout any more.
  void adopt_forms(const std::vector<ArrayId>& declared, const Mesh& before);
  // The named arrays that may not be as they are to be on the mesh in force, by name_key.
  std::map<std::string, ArrayId> arrays_to_adopt(const Mesh& before) const;
  // Brings the copies of one of them to it.
  void adopt_mesh(ArrayId array, const Mesh& before);
  // "A[I_X, J]{U_Y}".
  std::string describe(ArrayId array, const Layout& layout) const;
};

}  // namespace shard

// What derived statements read of the forward pass, by names that differ: several arrays may have had one name, and what statements
// made on their way has none.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/gradient/piece.h"
#include "interpreter/ir/checked.h"

namespace shard::gradient {

// What an operation inside of a statement has left, as an array.
struct NamedPart {
  std::string name;
  ArrayId of;  // that the statement made
  int operation = 0;
  std::vector<DimensionId> labels;
  DType dtype = DType::Bf16;
  Layout layout;  // of the copy that is read
};

// Where an array is held for the backward pass.
struct HeldAs {
  ArrayId array;
  LiveCopies copies;
};

class Forward {
 public:
  // What a plan calls the result of an operation inside of a statement; empty if it does not know it.
  using PartName = std::function<std::string(ArrayId, int)>;

  // `named`: lengths written in brackets that have names in the statements.
  explicit Forward(const Scope& scope, PartName part_name = {},
                   const std::set<DimensionId>& named = {});

  // An array belongs to the history: no gradient takes its name.
  void add(ArrayId array);
  void keep(ArrayId array, const Layout& layout) { kept_.emplace_back(array, layout); }

  // The flow that made the array; null if none did.
  const checked::Flow* flow_of(ArrayId array);
  // The `fused` block that the array was made in; null if it was in none.
  const checked::Kernel* kernel_of(ArrayId array) const;
  // The array as it is read, its dimensions called as given, in this layout if it was moved to it.
  Piece read(ArrayId array, const std::vector<DimensionId>& labels, const Layout* layout = nullptr);
  // Whether a statement moved the array to this layout, in which it takes no more memory: so it stays there for the backward pass.
  bool is_moved(ArrayId array, const Layout& layout) const;
  // The layout in which it is, and its gradient will be: as it was made or given, summed up.
  Layout layout_of(ArrayId array) const;
  // What the operation of that number has left; null if it is not held.
  const NamedPart* part(ArrayId of, int operation);
  Piece read(const NamedPart& part);

  // A name that nothing has, as near to this as can be.
  std::string free_name(const std::string& called);
  // The name of the array's gradient, "dWin".
  std::string gradient_name(const std::string& of, bool lasts);
  // Whether a name of the script means the array.
  bool is_named(ArrayId array) const;
  // "[I_X, J]".
  std::string brackets(const std::vector<DimensionId>& labels, const Layout& layout);
  std::string brackets_of(const std::vector<DimensionId>& labels, const Layout& layout) const;
  // Of a dimension outside of brackets: its own, or that of a length which has one here.
  const std::string& name(DimensionId label) const;
  // In brackets, where a length is itself.
  const std::string& bracket_name(DimensionId label) const;
  // Whether the statements have one name for both.
  bool are_alike(DimensionId one, DimensionId other) const;
  // The statements name the dimensions. One that a function made may be called as another one is: it gets a name here, too.
  // `labels` meet in one array or one operation.
  void note(const std::vector<DimensionId>& labels);
  // Dimensions that were taken for one, and met another one of their name: they need a name here from the beginning.
  const std::set<DimensionId>& twins() const { return twins_; }

  const std::map<ArrayId, std::string>& names() const { return names_; }
  const std::map<std::pair<ArrayId, int>, NamedPart>& parts() const { return parts_; }
  const std::set<DimensionId>& dimensions() const { return dimensions_; }
  // By name_key what a name in the statements means: of dimensions that are called alike that of outside.
  const std::map<std::string, DimensionId>& named() const { return named_; }
  // Names that lengths have here, and dimensions with the name of another one.
  const std::map<DimensionId, std::string>& own_names() const { return own_names_; }
  // Of each array that is read, the copies that the backward pass may begin with.
  std::vector<HeldAs> held() const;

 private:
  const std::string& name_of(ArrayId array);
  DimensionId named_here(DimensionId label) const;
  void give_name(DimensionId label);
  bool is_size_of_another(DimensionId label) const;
  // The copy in the layout in which the array is, if there is one.
  const LiveCopy* own_copy(ArrayId array) const;
  bool takes_no_more(const Layout& layout, const Layout& own) const;
  LiveCopies held_as(ArrayId array) const;

  const Scope* scope_;
  PartName part_name_;
  std::set<ArrayId> history_;
  std::set<std::string> taken_;         // by name_key
  std::set<std::string> reserved_;      // for gradients of arrays with a name
  std::map<std::string, int> numbers_;  // the last one behind each of them
  std::vector<std::pair<ArrayId, Layout>> kept_;
  std::map<ArrayId, checked::Flow> flows_;
  std::map<ArrayId, std::string> names_;
  std::map<std::pair<ArrayId, int>, NamedPart> parts_;
  std::set<DimensionId> dimensions_;
  std::set<DimensionId> twins_;
  std::map<std::string, DimensionId> named_;  // by name_key
  std::map<DimensionId, std::string> own_names_;
};

}  // namespace shard::gradient

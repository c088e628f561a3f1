// What is put back where a block, a call, a pass of a loop or a supposition ends, and what of it lasts: each kind is a frame,
// which is pushed where the object is made.
//
// Frames that have a `pop` look into what they leave and take memory for it. They are popped by hand: where an exception leaves
// them instead (there is no memory, or Ctrl-C), the whole scope is given up, and nothing of it is to be touched. The others put
// back what takes no memory, in their destructor.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/ir/budget.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// ------------------------------------------------------------ groups and loops

// The sizes and scalars of a point of the script, put back where the block that begins there ends, and with them the modules that
// gave some. What the block saw in brackets without giving it a size stays known: what follows may use it as the block did.
class BlockNames {
 public:
  explicit BlockNames(const Scope& scope);
  void put_back(Scope& scope) const;

 private:
  PersistentMap<std::string, DimensionId> dimension_names_;
  PersistentMap<std::string, BindingInfo> bindings_;
  std::set<std::string> modules_;
  std::size_t kept_lengths_;  // dimensions that had a length kept for them before
};

// Braces that group statements. Arrays that the group made end with it as its scalars do; inputs that it was the first to use are
// the script's.
class GroupFrame {
 public:
  explicit GroupFrame(Scope& scope);
  // Returns the arrays that end.
  std::vector<ArrayId> pop();

 private:
  Scope& scope_;
  PersistentMap<std::string, ArrayId> array_names_;
  BlockNames names_;
  std::shared_ptr<const OuterNames> outside_;
  std::size_t first_own_array_;
};

// A loop, of either kind, around its passes: what a statement may do depends on how many there are around it.
class LoopFrame {
 public:
  // `variable`: by name_key. An array of that name has none inside.
  LoopFrame(Scope& scope, std::string variable);
  LoopFrame(const LoopFrame&) = delete;
  LoopFrame& operator=(const LoopFrame&) = delete;
  ~LoopFrame();

 private:
  Environment& names_;
  std::string variable_;
  std::optional<ArrayId> hidden_;
};

// The passes of a loop over a range. Each goes on with the arrays of the one before it, and its sizes and scalars are its own.
class RangePasses {
 public:
  explicit RangePasses(Scope& scope) : scope_(scope), names_(scope) {}
  void push() { ++scope_.names.depth; }
  void pop();

 private:
  Scope& scope_;
  BlockNames names_;  // before the first one: what only passes made is no name for the next one
};

// A loop over a list around its passes. They begin with the arrays of this point, but each is a program of its own, which holds no
// copies yet. Nothing of them stays, except what `learn_names` takes over and what plans refer to.
class ListFrame {
 public:
  explicit ListFrame(Scope& scope);
  void pop();

 private:
  Scope& scope_;
  Scope before_;
};

// One of these passes. The next one begins where it began.
class ListPass {
 public:
  explicit ListPass(Scope& scope);
  void pop();

 private:
  Scope& scope_;
  Scope before_;
};

// Makes the names that `inner` has seen in brackets known in `outer`, and its axes while no mesh is declared there.
void learn_names(const Scope& inner, Scope& outer);

// ------------------------------------------------------------ calls

// A call of a function. The names of where it stands are hidden, except those that every function sees: the script's own.
class FunctionFrame {
 public:
  explicit FunctionFrame(Scope& scope);
  // Inputs that the function was the first to use become the script's, and so do changes of elements of the script's arrays
  // (Environment::change_outside). Returns the arrays that no name means any more, the function's result among them.
  std::vector<ArrayId> pop();

 private:
  void keep_inputs(OuterNames& outer) const;
  void keep_changes();

  Scope& scope_;
  OuterNames names_;
  std::map<std::string, std::vector<AxisId>> axis_names_;
  std::shared_ptr<const OuterNames> outside_;
  int depth_;
  std::size_t first_own_array_;
};

// ------------------------------------------------------------ suppositions: frames over copies, which nobody has to pop

// What a supposition that is written here keeps of the scope: nothing of what it takes from where it is read.
Scope written_scope(const Scope& scope);
// The scope in which a figure of a supposition is read: arrays as where the block was written, sizes, chips and mesh as
// where it is read. Arrays laid out over axes that are gone are forgotten.
Scope supposition_scope(const Scope& written, const Scope& read);
// The scope in which a line of a help is tried. What plans made so far is theirs, and what it reads is no read of a cost block.
Scope trial_scope(const Scope& scope);

// ------------------------------------------------------------ limits

// A block whose mistake is expected. What it is stopped for is that mistake, and the script goes on after it; Ctrl-C stops both.
class ExpectedStop {
 public:
  explicit ExpectedStop(Budget* budget);
  ExpectedStop(const ExpectedStop&) = delete;
  ExpectedStop& operator=(const ExpectedStop&) = delete;
  ~ExpectedStop();

 private:
  Budget* budget_;  // nullptr: unlimited
  bool exhausted_;
  bool unwinding_;
};

}  // namespace shard

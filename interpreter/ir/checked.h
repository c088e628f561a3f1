// A statement after checking: names are ids, layouts are known where they were written, and what is contracted with
// what is decided. How it is communicated is not: that is planning.
//
// In this folder:
//   checked.h        a statement after checking
//   checked_program.h  a script after checking
//   symbols.h        the tables of a script at one point of it: the five that follow
//   environment.h    what names mean
//   arrays.h         dimensions and arrays by id
//   holdings.h       which copies of the arrays the devices hold
//   machine_state.h  the machine that is declared
//   told.h           what was reported already
//   frames.h         what is put back where a block, a call or a pass of a loop ends
//   value.h          values of scalars
//   chip_constant.h  figures of a chip as scalars
//   binding_reads.h  what a cost block has read of its surroundings
//   budget.h         how much a script may take
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/match.h"
#include "interpreter/ir/symbols.h"
#include "runtime/plan/layout.h"
#include "runtime/plan/plan.h"

namespace shard::checked {

struct Operation;

// An array where it is read. `labels` are the names its brackets gave to its dimensions.
struct Use {
  ArrayId array;
  Layout layout;
  bool written = true;  // the layout stands in the script; otherwise it is the newest copy's
};

// Sums over every label of the operands that is not in the operation's labels.
struct Product {
  Box<Operation> left;
  Box<Operation> right;
  bool local = false;
};

// A program over elements, rounded once: a chain of operations, whose operands are something else. An operand without
// one of the operation's labels is repeated along it.
struct Elementwise {
  ElementProgram program;
  std::vector<Operation> operands;
};

// `sum_J`, `mean_J`, `max_J`, `min_J`: over every label of the operand that is not in the operation's labels.
struct Reduction {
  ReductionKind kind;
  Box<Operation> operand;
};

// `softmax_S`, `softmax_{S,T}`: e / sum_S e with e = exp(x − max_S x).
struct Softmax {
  Box<Operation> operand;
  std::vector<DimensionId> along;
};

// Elements picked or put by their place (runtime/plan/plan.h, `SelectionStep`).
struct Selection {
  SelectionKind kind;
  std::vector<Operation> operands;
  std::vector<DimensionId> along;  // as those of the step
  Formula position;
};

// A collective as written. `layout` is what it leaves.
struct Collective {
  CollectiveKind kind;
  std::vector<AxisId> axes;
  int shift = 0;
  Box<Operation> operand;
  Layout layout;
  // `send`: what the first device keeps of the operand before it sends.
  std::optional<Layout> sent_from = std::nullopt;
};

struct Operation {
  std::variant<Use, Product, Elementwise, Reduction, Softmax, Selection, Collective> node;
  std::vector<DimensionId> labels;
  DType dtype = DType::Bf16;
  // What it leaves without any communication; nullopt if its operands do not fit each other locally.
  std::optional<Layout> layout;
  Span span;
};

// What an operation is made of: of a product the left and the right operand; nothing for a use.
std::vector<const Operation*> operands_of(const Operation& operation);

// `E → T`. A copy of the same array, or a new array.
struct Flow {
  Operation value;
  ArrayId target;
  ArrayId replaces = {};            // the array of that name that ends here
  std::vector<DimensionId> labels;  // of the target, in its order
  std::optional<Layout> layout;     // as written; nullopt for a bare name or no target
  bool is_copy = false;
  bool is_unnamed = false;      // no target was written: the result is not kept
  std::vector<AxisId> overlap;  // axes whose collective runs alongside the product, in parts
  Span overlap_span = {};
  Span span;
  Span target_span;
};

// The flow of a statement. Statements that differ in their arrays alone share one, whose places are those of the first.
class FlowOfStatement {
 public:
  FlowOfStatement() = default;
  FlowOfStatement(Flow flow)  // NOLINT(google-explicit-constructor)
      : form_(std::make_shared<const Flow>(std::move(flow))) {}
  // `arrays`: those of the form, and what stands for each.
  FlowOfStatement(std::shared_ptr<const Flow> form, std::vector<std::pair<ArrayId, ArrayId>> arrays)
      : form_(std::move(form)), arrays_(std::move(arrays)) {}

  const std::shared_ptr<const Flow>& form() const { return form_; }
  // What stands for an array of the form.
  ArrayId array(ArrayId of_form) const;
  // With its own arrays.
  Flow get() const;

 private:
  std::shared_ptr<const Flow> form_;
  SharedList<std::pair<ArrayId, ArrayId>> arrays_;
};

// What an operation inside a statement's value has made: another layout of it, or it itself. `operation` is its number in the value,
// where each operation comes before its operands, and these in order.
struct OnTheWay {
  int operation = 0;
  CopyId copy;
  Layout layout;  // without axes of size 1
};

// The `fused` block that an array was made in: gradients go back through it as one kernel, too.
struct Kernel {
  ArrayId first;        // what the block made begins here: each run of it is a kernel of its own
  bool inside = false;  // the array ended with the block, and no memory has it
};

// What made an array.
struct Origin {
  FlowOfStatement flow;
  std::vector<OnTheWay> on_the_way;
  std::optional<Kernel> kernel = std::nullopt;
};

// The operation of that number. REQUIRES: there is one.
const Operation& operation_at(const Operation& value, int number);
// How many operations it is, itself and its operands' included.
int operations_in(const Operation& operation);

// The arrays that the statement reads, each as often as it stands there.
std::vector<ArrayId> arrays_read(const FlowOfStatement& flow);

}  // namespace shard::checked

// The runtime's only input language: copies of arrays, and the steps that make them. A step depends only on earlier
// steps.
//
// In this folder:
//   plan.h                     copies of arrays, and the steps that make them
//   layout.h, device_layout.h  which axes split which dimension; which devices hold what part
//   places.h                   sets of devices that do and hold the same
//   run_values.h               what a run takes besides its plan, and what comes of it
//   fingerprint.h              problems as keys, under which prices and plans are cached
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/collective.h"
#include "base/cow_value.h"
#include "base/cow_vector.h"
#include "base/id.h"
#include "runtime/algebra/amount.h"
#include "runtime/element/dtype.h"
#include "runtime/element/element_program.h"
#include "runtime/plan/layout.h"

namespace shard {

struct CopyTag;
using CopyId = Id<CopyTag>;

// One array in one layout. `shape` is global; execution needs it to be numbers.
struct Copy {
  std::string name;                    // "Win", "Out'1" for an unnamed result
  SharedList<std::string> dimensions;  // names, for reports
  SharedList<Amount> shape;
  DType dtype = DType::Bf16;
  Layout layout;
  // A running sum: kept in the accumulation type, charged as `dtype`.
  bool unfinished = false;
  // Made and used within one kernel: it takes no HBM, and reading and writing it no time there.
  bool in_fast_memory = false;
  // While a step of a kernel is priced: the share of its elements that earlier steps have read.
  Rational at_hand = 0;
};

// Elements of the whole array. REQUIRES: its shape is numbers.
double elements_of(const Copy& copy);

// Where the elements of an input come from. `Hashed`: a function of `seed` (the array's name) and the global index, see
// RunOptions::inputs. `Random`: normally distributed, from `seed` and the index. `Iota`: the row-major index. `Given`:
// from outside, row-major. `Coordinate`: the coordinates along an axis. `Held`: the devices hold the copy already
// (RunOptions::held). The last two are no inputs of the script.
enum class InputKind { Hashed, Random, Iota, Zeros, Ones, Given, Coordinate, Held };
// Whether the values follow from nothing but the place of an element: such an array is made where it is first read.
constexpr bool is_fill(InputKind kind) {
  return kind == InputKind::Iota || kind == InputKind::Zeros || kind == InputKind::Ones;
}

// An input of the script appears on the devices. All layouts of one input hold the same array.
struct InputStep {
  CopyId result;
  std::string seed;
  InputKind kind = InputKind::Hashed;
  std::shared_ptr<const std::vector<double>> given = nullptr;  // Given
  double factor = 1;                                           // of each value
};

// One of the |axes| parts in which a product is computed while a collective's hops proceed (collective matmul): along
// the label `along`, each device computes with part (its place on `axes` + turn) mod |axes|. A copy whose layout splits
// `along` by these axes holds just one part; from any other copy with the label, the part is sliced.
struct Piece {
  SharedList<AxisId> axes;  // major first
  int along = -1;
  std::int64_t turn = 0;
  // The result of the previous turn. If the result lacks the label, this turn adds to it; if it has the label, the
  // other parts are taken over. Invalid in the first turn, and for parts that are kept separate.
  CopyId onto = {};
};

// Local contraction over labels: result[r…] = Σ left[l…] · right[r…], summing over every label not in the result. A
// label that is in both operands and the result is a batch dimension. Each operand's labels are distinct.
struct ContractStep {
  CopyId left;
  CopyId right;
  CopyId result;
  SharedList<int> left_labels;
  SharedList<int> right_labels;
  SharedList<int> result_labels;
  std::optional<Piece> piece = std::nullopt;  // which part of the product; without it, the whole
};

// Local elementwise computation: result[r…] = program(operand[o…], …). An operand is broadcast along labels it lacks;
// each operand's labels are distinct. Layouts agree label by label.
struct ElementwiseStep {
  SharedList<CopyId> operands;  // a copy appears once for each order of labels in which it is read
  CopyId result;
  SharedList<std::vector<int>> operand_labels;
  SharedList<int> result_labels;
  SharedList<ElementInstruction> program;
  // The operand whose memory the result may take: an array assigned to itself is changed in place if nothing reads the
  // old one later. Invalid if there is none.
  CopyId in_place;
};

enum class ReductionKind { Sum, Mean, Max, Min };
std::string_view name_of(ReductionKind kind);  // "sum", "mean", "max", "min"
// How the devices' parts combine: as sums, maxima or minima.
Combination combination_of(ReductionKind kind);

// Local sum, mean, maximum or minimum over the labels missing from the result. The result is unreduced over the axes
// that split them.
struct ReductionStep {
  ReductionKind kind;
  CopyId operand;
  CopyId result;
  SharedList<int> operand_labels;
  SharedList<int> result_labels;
};

// Elements read or written by position.
//   Gather: result[…] = operand[… i …], where i, an index into a dimension of `along`, is an element of the operand that belongs
//     to it, the second one for the first dimension and so on, or `position`. Labels common to operands are batch
//     dimensions. Where the result has a label that no operand has, the elements from `position` on stand along it. If axes split
//     the dimension, a single `position` is held at one place on them, where the result is placed; else devices that do not hold
//     i contribute 0, and the result is unreduced over these axes.
//   Update: the first operand, with the second written at [… i …]; i is as above, from the operands that follow, or where there are
//     none `position`. A label that only the second has, then, stands for the elements from `position` on. Where several elements are
//     written at one place, the last in the order of the second's labels stands. Devices that do not hold i keep their part.
//   Reshape: splits and merges dimensions, row-major; local elements stay local.
//   Top: for each row along `along` the indices of its largest elements, largest first, ties by the smaller index; NaN
//     counts as largest. The length of the result's own label says how many; without one it is the largest alone.
//   CumSum: the sums of each row along `along` up to each of its elements, that one included.
//   Concat: the operands one after the other along the result's label `along`, each with the label of its own that the result
//     lacks; then zeros.
//   Scatter: result[… i …] is the sum of the first operand's elements that belong to i, an index as of a Gather into a dimension
//     of `along`, all of which only the result has; the operands that follow are the indices. Each of their labels is one of the
//     first operand's. The elements are summed along labels that the result lacks, which becomes unreduced over the axes that split
//     them. Where the result is split along `along`, each device adds up for its own places.
// Negative indices count from the end. An index out of range is a fault.
enum class SelectionKind { Gather, Update, Reshape, Top, CumSum, Concat, Scatter };
std::string_view name_of(SelectionKind kind);  // "gather", …
struct SelectionStep {
  SelectionKind kind;
  SharedList<CopyId> operands;
  CopyId result;
  SharedList<std::vector<int>> operand_labels;
  SharedList<int> result_labels;
  SharedList<int> along;  // none of a Reshape, several with as many indices, else one
  SharedValue<Formula> position = {};
  CopyId in_place = {};  // as for an ElementwiseStep
  // What would be a view has memory of its own: what it is a view of is changed in place before it is read for the last time.
  bool is_kept = false;
};

// Whether what it makes lies in the memory of its first operand, and is read there: a Reshape, and the elements at one `position`.
// Not with a change of type, where devices contribute 0 for what others hold, nor what is kept apart from a change.
bool is_view(const SelectionStep& step, const Copy& operand, const Copy& result);

// A collective between two layouts of one array. The two layouts determine all data movement; `axes` are the axes it
// runs over, major first.
struct CollectiveStep {
  CollectiveKind kind;
  SharedList<AxisId> axes;
  CopyId operand;
  CopyId result;
  int shift = 0;  // Shift: each block moves this many devices up the axis
  // Elements of a device's block for which the schedule is the cheapest, if the arrays were cut since (interpreter/program/cut_sizes.h);
  // else the operand's own.
  std::optional<std::int64_t> planned_elements = std::nullopt;
};

// Each device keeps its own part, at no cost.
struct SliceStep {
  SharedList<AxisId> axes;
  CopyId operand;
  CopyId result;
};

// Permutes dimensions: result dimension i is operand dimension order[i]. The layouts agree, so nothing is communicated.
struct TransposeStep {
  CopyId operand;
  CopyId result;
  SharedList<std::size_t> order;
};

// The copy has been used for the last time.
struct FreeStep {
  CopyId copy;
};

struct Step {
  std::variant<InputStep, ContractStep, ElementwiseStep, ReductionStep, SelectionStep,
               CollectiveStep, SliceStep, TransposeStep, FreeStep>
      action;
  int statement = -1;  // index into the statements of the report
};

struct Plan {
  IdVector<CopyId, Copy> copies;
  std::vector<Step> steps;
};

// Whether the copy, with these labels, holds just one part along the piece's label.
bool holds_part(const Copy& copy, const std::vector<int>& labels, const Piece& piece);

// The copy that the step makes; invalid for a FreeStep.
CopyId result_of(const Step& step);
// The copies that the step reads.
std::vector<CopyId> operands_of(const Step& step);
// The axes over which the step communicates, major first; none if it is no collective.
const std::vector<AxisId>& communication_axes(const Step& step);
// Visits the copies that the step reads, in order, without building a list.
template <class Visit>
void for_each_operand(const Step& step, const Visit& visit) {
  if (const auto* contract = std::get_if<ContractStep>(&step.action)) {
    visit(contract->left);
    visit(contract->right);
    if (contract->piece && contract->piece->onto.valid()) visit(contract->piece->onto);
  } else if (const auto* elements = std::get_if<ElementwiseStep>(&step.action)) {
    for (const CopyId operand : elements->operands) visit(operand);
  } else if (const auto* selection = std::get_if<SelectionStep>(&step.action)) {
    for (const CopyId operand : selection->operands) visit(operand);
  } else if (const auto* reduction = std::get_if<ReductionStep>(&step.action)) {
    visit(reduction->operand);
  } else if (const auto* collective = std::get_if<CollectiveStep>(&step.action)) {
    visit(collective->operand);
  } else if (const auto* slice = std::get_if<SliceStep>(&step.action)) {
    visit(slice->operand);
  } else if (const auto* transpose = std::get_if<TransposeStep>(&step.action)) {
    visit(transpose->operand);
  }
}
// Replaces every copy in the step by `renamed(copy)`.
void rename_copies(Step& step, const std::function<CopyId(CopyId)>& renamed);

// What happens in a run, in sequence: a step runs, or a copy is freed.
struct Event {
  const Step* step = nullptr;
  CopyId freed;  // if there is no step
  int statement = -1;
};
// The plan's own steps, in order.
std::vector<Event> events_of(const Plan& plan);
// Whether the step is an input that is there from the beginning, as one that is filled is not: the gradients, or the sums, of a
// pass of a loop begin with it.
bool is_there_before(const Step& step);

// What is there before first; every copy neither in `keep` nor freed by the plan is freed after its last use. A copy that no step
// reads is a result, which lives until the statement in `ended`, or to the end (language, "Arrays, layouts and
// copies").
std::vector<Event> run_order(const Plan& plan, const std::vector<CopyId>& keep,
                             const IdMap<CopyId, int>& ended = {});
// Rewrites the plan in `run_order`, with a FreeStep for each copy freed.
void free_after_last_use(Plan& plan, const std::vector<CopyId>& keep,
                         const IdMap<CopyId, int>& ended = {});

}  // namespace shard

// The runtime's only input language: copies of arrays, and steps that make them. A step waits only
// on smaller steps.
//
// In this folder:
//   plan.h                     copies of arrays, and the steps that make them
//   layout.h, device_layout.h  which axes split which dimension; which devices hold what part
//   places.h                   sets of devices that do and hold the same
//   fingerprint.h              problems as keys, under which prices and plans are remembered
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

// One array held in one layout. `shape` is global; executing needs it in numbers.
struct Copy {
  std::string name;                    // "Win", "Out'1" for an unnamed result
  SharedList<std::string> dimensions;  // names, for reports
  SharedList<Amount> shape;
  DType dtype = DType::Bf16;
  Layout layout;
  // Sums that go on: kept in the type that they are added in, charged as `dtype`.
  bool unfinished = false;
};

// Of the whole array. REQUIRES: its shape is in numbers.
double elements_of(const Copy& copy);

// Where the elements of an input come from. `Hashed`: a function of `seed` (the array's name) and the
// global index, as RunOptions::inputs says. `Random`: normal, of `seed` and the index. `Iota`: the
// row-major index. `Given`: from outside, row-major. `Coordinate`: the places of an axis, no input of the script's own.
enum class InputKind { Hashed, Random, Iota, Zeros, Ones, Given, Coordinate };

// An input of the script appears on the devices. Every layout of one input holds the same array.
struct InputStep {
  CopyId result;
  std::string seed;
  InputKind kind = InputKind::Hashed;
  std::shared_ptr<const std::vector<double>> given = nullptr;  // Given
};

// One of the |axes| parts in which a product is computed beside the hops of a collective (collective matmul): of the
// label `along` each device computes with the part (its place on `axes` + turn) mod |axes|. A copy whose layout splits
// `along` by these axes holds one part; of any other copy with this label the part is taken.
struct Piece {
  SharedList<AxisId> axes;  // major first
  int along = -1;
  std::int64_t turn = 0;
  // The result of the turn before: where the result has not the label, this one is added to it; where it has, the other
  // parts are taken from it. Invalid in the first turn, and for parts that are kept apart.
  CopyId onto = {};
};

// Local contraction over labels: result[r…] = Σ left[l…] · right[r…], summing every label that is
// not in the result. A label shared by both operands and the result is batch. Each operand's labels
// are distinct.
struct ContractStep {
  CopyId left;
  CopyId right;
  CopyId result;
  SharedList<int> left_labels;
  SharedList<int> right_labels;
  SharedList<int> result_labels;
  std::optional<Piece> piece = std::nullopt;  // of the product; else the whole of it
};

// Local computation on elements: result[r…] = program(operand[o…], …). An operand that lacks a label of
// the result is repeated along it; each operand's labels are distinct. Layouts agree label by label.
struct ElementwiseStep {
  SharedList<CopyId> operands;  // a copy stands once for each order of labels that it is read in
  CopyId result;
  SharedList<std::vector<int>> operand_labels;
  SharedList<int> result_labels;
  SharedList<ElementInstruction> program;
  // The operand whose memory the result may take: assigned to its own operand, an array is changed in
  // place if nothing reads the old one later. Invalid if there is none.
  CopyId in_place;
};

enum class ReductionKind { Sum, Mean, Max, Min };
std::string_view name_of(ReductionKind kind);  // "sum", "mean", "max", "min"
// What the devices' parts of it are: sums, maxima or minima.
Combination combination_of(ReductionKind kind);

// Local sum, mean, maximum or minimum over the labels that the result lacks. The result is unreduced over the
// axes that split them.
struct ReductionStep {
  ReductionKind kind;
  CopyId operand;
  CopyId result;
  SharedList<int> operand_labels;
  SharedList<int> result_labels;
};

// Elements taken or put by their place.
//   Gather: result[…] = operand[… i …], where i, an index of the dimension `along`, is an element of the
//     second operand or `position`. Labels that both operands have are batch. Of a dimension that axes
//     split, a `position` is held at one place of them, where the result is placed; for an index of many elements
//     devices that do not hold i hold 0, and the result is unreduced over these axes.
//   Update: the first operand with the second one put at [… i …], where i is as above (of a third
//     operand, whose labels the first has). Devices that do not hold i keep theirs.
//   Reshape: dimensions split and merged, row-major; what is local stays local.
//   Top: for each row along `along` the indices of its largest elements, largest first, the smaller
//     index first of equals; NaN is largest. How many, the length of the result's own label says.
// An index below 0 counts from the end. One outside of the dimension is a fault.
enum class SelectionKind { Gather, Update, Reshape, Top };
std::string_view name_of(SelectionKind kind);  // "gather", …
struct SelectionStep {
  SelectionKind kind;
  SharedList<CopyId> operands;
  CopyId result;
  SharedList<std::vector<int>> operand_labels;
  SharedList<int> result_labels;
  int along = -1;
  SharedValue<Formula> position = {};
  CopyId in_place = {};  // as of an ElementwiseStep
};

// A collective between two layouts of one array. Everything about the data follows from the two
// layouts; `axes` are the axes it runs over, major first.
struct CollectiveStep {
  CollectiveKind kind;
  SharedList<AxisId> axes;
  CopyId operand;
  CopyId result;
  int shift = 0;  // Shift: each block moves this many devices up the axis
};

// Each device keeps its own part: free.
struct SliceStep {
  SharedList<AxisId> axes;
  CopyId operand;
  CopyId result;
};

// result[…] = operand with dimensions in another order: result dimension i is operand dimension
// order[i]. Layouts agree, so nothing is communicated.
struct TransposeStep {
  CopyId operand;
  CopyId result;
  SharedList<std::size_t> order;
};

// The copy's last use has passed.
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

// Whether the copy, with these labels, holds one part of the piece's label.
bool holds_part(const Copy& copy, const std::vector<int>& labels, const Piece& piece);

// The copy a step makes; invalid for FreeStep.
CopyId result_of(const Step& step);
// The copies it reads.
std::vector<CopyId> operands_of(const Step& step);
// The same, one after the other.
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
// Every copy that the step names becomes what `renamed` says.
void rename_copies(Step& step, const std::function<CopyId(CopyId)>& renamed);

// What happens in a run, one after the other: a step of the plan runs, or a copy's last use has passed.
struct Event {
  const Step* step = nullptr;
  CopyId freed;  // without a step
  int statement = -1;
};
// The plan's own steps in their order.
std::vector<Event> events_of(const Plan& plan);
// Inputs first, and every copy that is not in `keep` and not freed by the plan freed behind its last use. What no step
// reads is a result, and lives until the statement in `ended`, or to the end (language, "Arrays, layouts and copies").
std::vector<Event> run_order(const Plan& plan, const std::vector<CopyId>& keep,
                             const IdMap<CopyId, int>& ended = {});
// Makes that order the plan's, with a FreeStep for each copy that is freed.
void free_after_last_use(Plan& plan, const std::vector<CopyId>& keep,
                         const IdMap<CopyId, int>& ended = {});

}  // namespace shard

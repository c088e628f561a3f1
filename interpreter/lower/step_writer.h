// Appends steps to a program: each is priced once, where it is written.
#pragma once

#include <string>
#include <vector>

#include "interpreter/planning/term.h"
#include "interpreter/program/program.h"

namespace shard {

// One operand of a computation: a copy, and the names its dimensions have in the statement.
struct ContractedOperand {
  CopyId copy;
  const std::vector<DimensionId>& labels;
};

// Writes the steps of one statement. What is held follows what is written; what the scope itself holds is not read.
class StepWriter {
 public:
  StepWriter(const Scope& scope, Holdings& held, Program& program)
      : scope_(scope), held_(held), program_(program) {}

  const Scope& scope() const { return scope_; }
  Holdings& held() { return held_; }
  Program& program() { return program_; }
  const Program& program() const { return program_; }
  const Mesh& mesh() const { return scope_.mesh(); }
  const Copy& copy(CopyId id) const { return program_.plan.copies[id]; }
  // Axes of size 1 are no axes: layouts in a plan do not have them.
  Layout trimmed(const Layout& layout) const { return without_trivial_axes(layout, mesh()); }

  // The live copy of an array in that layout; an input appears in the plan at its first use. REQUIRES: there is one.
  CopyId live_copy(ArrayId array, const Layout& layout);
  // The array holds the copy from now on; one in the same layout is replaced. It is the newest, unless it is `inferred`: then
  // what names mean stays as it is.
  void hold(ArrayId array, CopyId copy, bool inferred = false);
  // One move. The result is a live copy of `array` if that is valid, inferred as the move is.
  CopyId move(const planning::Move& move, CopyId operand, ArrayId array,
              const std::vector<std::string>& names, bool inferred);
  // left · right, in the layout that the product has locally.
  CopyId contract(const ContractedOperand& left, const ContractedOperand& right,
                  const std::vector<DimensionId>& labels, const Layout& layout, std::string name,
                  DType dtype);
  // program(operands), in a layout that it has locally. `in_place`: an operand whose memory the result may take.
  CopyId elements(const ElementProgram& program, const std::vector<ContractedOperand>& operands,
                  const std::vector<DimensionId>& labels, const Layout& layout, std::string name,
                  DType dtype, CopyId in_place = {});
  // sum, mean or maximum over the labels that the result lacks, in the layout that it has locally.
  CopyId reduce(ReductionKind kind, const ContractedOperand& operand,
                const std::vector<DimensionId>& labels, const Layout& layout, std::string name,
                DType dtype);
  // Elements picked or put by their place, in the layout that it has locally.
  CopyId select(const checked::Selection& selection, const std::vector<ContractedOperand>& operands,
                const std::vector<DimensionId>& labels, const Layout& layout, std::string name,
                DType dtype, CopyId in_place = {});
  // Blocks move along an axis, and make another array. `step`: of a Shift.
  CopyId move_blocks(CollectiveKind kind, AxisId axis, int step, CopyId operand, std::string name,
                     const std::vector<std::string>& names);
  // The array under another name; result dimension i is operand dimension order[i].
  CopyId rename(CopyId operand, const std::vector<std::size_t>& order, Copy result,
                const std::vector<std::string>& operand_names);

  // Any step, with a result of its own; or with one that is there already. `written`: its operands and its result, as
  // StepRecord::written; empty if they are written as their copies are kept.
  using Action = decltype(Step::action);
  CopyId append(Action action, Copy result, std::vector<WrittenArray> written = {},
                bool inferred = false);
  void append_into(Action action, CopyId result, std::vector<WrittenArray> written = {},
                   bool inferred = false);

  // Layouts of an array's live copies: the one that the use writes first, then those that the script wrote, then those that
  // were inferred, each the newest first.
  planning::Source source_of(const checked::Use& use) const;
  planning::Shape shape_of(const checked::Operation& operation) const;

 private:
  // Puts operands into a step; returns how they are written.
  template <class Step>
  std::vector<WrittenArray> add_operands(const std::vector<ContractedOperand>& operands,
                                         Step& step) const;
  // An outline of a result.
  Copy result_copy(std::string name, const std::vector<DimensionId>& labels, const Layout& layout,
                   DType dtype) const;
  WrittenArray as_written(const ContractedOperand& operand) const;
  bool are_as_kept(const std::vector<WrittenArray>& written, const Step& step) const;
  CopyId materialise(ArrayId array, LiveCopy& live);

  const Scope& scope_;
  Holdings& held_;
  Program& program_;
};

}  // namespace shard

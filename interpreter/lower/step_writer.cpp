#include "interpreter/lower/step_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/match.h"
#include "base/words.h"
#include "interpreter/program/ended_copies.h"
#include "interpreter/program/step_text.h"

namespace shard {

CopyId StepWriter::append(Action action, Copy result, std::vector<WrittenArray> written,
                          bool inferred) {
  const CopyId copy = program_.plan.copies.add(std::move(result));
  append_into(std::move(action), copy, std::move(written), inferred);
  return copy;
}

void StepWriter::append_into(Action action, CopyId result, std::vector<WrittenArray> written,
                             bool inferred) {
  match(
      action, [](FreeStep&) { SHARD_CHECK(!"a free makes no copy"); },
      [&](auto& makes) { makes.result = result; });
  Step step{.action = std::move(action), .statement = static_cast<int>(program_.statements.size())};
  if (are_as_kept(written, step)) written.clear();
  auto cost = program_.memo->price(step, program_.plan, program_.machine);
  program_.plan.steps.push_back(std::move(step));
  program_.steps.push_back(
      {.inferred = inferred, .written = std::move(written), .cost = std::move(cost)});
}

bool StepWriter::are_as_kept(const std::vector<WrittenArray>& written, const Step& step) const {
  std::size_t i = 0;
  bool same = true;
  const auto compare = [&](CopyId id) {
    if (i == written.size()) return;
    const Copy& kept = copy(id);
    same = same && written[i].dimensions == kept.dimensions && written[i].layout == kept.layout;
    ++i;
  };
  for_each_operand(step, compare);
  compare(result_of(step));
  return same;
}

CopyId StepWriter::live_copy(ArrayId array, const Layout& layout) {
  LiveCopies& copies = held_.change(array);
  const auto live = std::find_if(copies.begin(), copies.end(),
                                 [&](const LiveCopy& one) { return one.layout == layout; });
  SHARD_CHECK(live != copies.end());
  return materialise(array, *live);
}

CopyId StepWriter::materialise(ArrayId array, LiveCopy& live) {
  if (live.copy.valid()) return live.copy;
  const ArrayInfo& info = scope_.store.arrays[array];
  Copy copy{.name = info.name, .dimensions = scope_.store.names_of(info.dimensions)};
  copy.shape = scope_.shape_of(info.dimensions);
  copy.dtype = info.dtype;
  copy.layout = live.layout;
  const std::string seed =
      info.anonymous ? fmt::format("[{}]", join(copy.dimensions, ", ")) : info.name;
  InputStep input = info.values ? *info.values : InputStep{};
  if (!info.values) input.seed = seed;
  live.copy = append(std::move(input), std::move(copy));
  program_.owners.set(live.copy, array);
  return live.copy;
}

void StepWriter::hold(ArrayId array, CopyId id, bool inferred) {
  LiveCopies& copies = held_.change(array);
  const Layout& layout = copy(id).layout;
  end_replaced(array, id, program_.statements.size(), held_, program_);
  const auto same = std::find_if(copies.begin(), copies.end(),
                                 [&](const LiveCopy& live) { return live.layout == layout; });
  if (inferred && same != copies.end()) {
    same->copy = id;
  } else {
    if (same != copies.end()) copies.erase(same);
    copies.push_back({.layout = layout, .copy = id, .made = true, .inferred = inferred});
  }
  // A copy that a parameter shares stays that of the array that was passed.
  program_.owners.set_first(id, array);
}

CopyId StepWriter::move(const planning::Move& move, CopyId operand, ArrayId array,
                        const std::vector<std::string>& names, bool inferred) {
  Copy moved = copy(operand);
  moved.layout = move.to;
  const SharedList<std::string> dimensions = names;
  std::vector<WrittenArray> written = {{dimensions, move.from}, {dimensions, move.to}};
  CopyId result;
  if (move.kind) {
    result = append(CollectiveStep{.kind = *move.kind, .axes = move.axes, .operand = operand},
                    std::move(moved), std::move(written), inferred);
  } else {
    result = append(SliceStep{.axes = move.axes, .operand = operand}, std::move(moved),
                    std::move(written), inferred);
  }
  if (array.valid()) hold(array, result, inferred);
  return result;
}

CopyId StepWriter::contract(const ContractedOperand& left, const ContractedOperand& right,
                            const std::vector<DimensionId>& labels, const Layout& layout,
                            std::string name, DType dtype) {
  Copy result = result_copy(std::move(name), labels, layout, dtype);
  std::vector<WrittenArray> written = {as_written(left), as_written(right), as_kept(result)};
  ContractStep step{.left = left.copy, .right = right.copy};
  step.left_labels = numbered(left.labels);
  step.right_labels = numbered(right.labels);
  step.result_labels = numbered(labels);
  return append(std::move(step), std::move(result), std::move(written));
}

Copy StepWriter::result_copy(std::string name, const std::vector<DimensionId>& labels,
                             const Layout& layout, DType dtype) const {
  Copy result{.name = std::move(name),
              .dimensions = scope_.store.names_of(labels),
              .shape = scope_.shape_of(labels)};
  result.dtype = dtype;
  result.layout = trimmed(layout);
  return result;
}

WrittenArray StepWriter::as_written(const ContractedOperand& operand) const {
  return {scope_.store.names_of(operand.labels), copy(operand.copy).layout};
}

template <class Step>
std::vector<WrittenArray> StepWriter::add_operands(const std::vector<ContractedOperand>& operands,
                                                   Step& step) const {
  std::vector<WrittenArray> written;
  for (const ContractedOperand& operand : operands) {
    written.push_back(as_written(operand));
    step.operands.edit().push_back(operand.copy);
    step.operand_labels.edit().push_back(numbered(operand.labels));
  }
  return written;
}

// Spellings may differ and mean one copy: `C[I_X]` where `C[I]` is there already.
CopyId StepWriter::elements(const ElementProgram& program,
                            const std::vector<ContractedOperand>& operands,
                            const std::vector<DimensionId>& labels, const Layout& layout,
                            std::string name, DType dtype, CopyId in_place) {
  std::vector<ContractedOperand> distinct;
  std::vector<std::size_t> place_of;
  for (const ContractedOperand& operand : operands) {
    const auto same =
        std::find_if(distinct.begin(), distinct.end(), [&](const ContractedOperand& other) {
          return other.copy == operand.copy && other.labels == operand.labels;
        });
    place_of.push_back(static_cast<std::size_t>(same - distinct.begin()));
    if (same == distinct.end()) distinct.push_back(operand);
  }
  ElementProgram own = program;
  for (ElementInstruction& instruction : own) {
    if (instruction.op == ElementOp::Operand) instruction.operand = place_of[instruction.operand];
  }
  Copy result = result_copy(std::move(name), labels, layout, dtype);
  ElementwiseStep step{.program = {}, .in_place = in_place};
  step.result_labels = numbered(labels);
  std::vector<WrittenArray> written = add_operands(distinct, step);
  written.push_back(as_kept(result));
  step.program = std::move(own);
  return append(std::move(step), std::move(result), std::move(written));
}

CopyId StepWriter::reduce(ReductionKind kind, const ContractedOperand& operand,
                          const std::vector<DimensionId>& labels, const Layout& layout,
                          std::string name, DType dtype) {
  Copy result = result_copy(std::move(name), labels, layout, dtype);
  std::vector<WrittenArray> written = {as_written(operand), as_kept(result)};
  ReductionStep step{.kind = kind, .operand = operand.copy};
  step.operand_labels = numbered(operand.labels);
  step.result_labels = numbered(labels);
  return append(std::move(step), std::move(result), std::move(written));
}

CopyId StepWriter::select(const checked::Selection& selection,
                          const std::vector<ContractedOperand>& operands,
                          const std::vector<DimensionId>& labels, const Layout& layout,
                          std::string name, DType dtype, CopyId in_place) {
  Copy result = result_copy(std::move(name), labels, layout, dtype);
  SelectionStep step{.kind = selection.kind, .operands = {}, .result = {}};
  step.along = numbered(selection.along);
  step.position = selection.position;
  step.in_place = in_place;
  step.result_labels = numbered(labels);
  std::vector<WrittenArray> written = add_operands(operands, step);
  written.push_back(as_kept(result));
  return append(std::move(step), std::move(result), std::move(written));
}

CopyId StepWriter::move_blocks(CollectiveKind kind, AxisId axis, int step, CopyId operand,
                               std::string name, const std::vector<std::string>& names) {
  Copy moved = copy(operand);
  moved.name = std::move(name);
  CollectiveStep action{.kind = kind, .axes = {axis}, .operand = operand};
  action.shift = step;
  const WrittenArray written{names, moved.layout};
  return append(std::move(action), std::move(moved), {written, written});
}

CopyId StepWriter::rename(CopyId operand, const std::vector<std::size_t>& order, Copy result,
                          const std::vector<std::string>& operand_names) {
  result.layout = planning::reordered(copy(operand).layout, {order, result.dtype});
  std::vector<WrittenArray> written = {{operand_names, copy(operand).layout}, as_kept(result)};
  return append(TransposeStep{.operand = operand, .order = order}, std::move(result),
                std::move(written));
}

planning::Source StepWriter::source_of(const checked::Use& use) const {
  planning::Source source{.layouts = {trimmed(use.layout)}};
  const LiveCopies& copies = held_.of(use.array);
  for (const bool inferred : {false, true}) {
    for (auto live = copies.rbegin(); live != copies.rend(); ++live) {
      // A supposition begins with what it writes itself: other copies of outside would make it cheaper without a word.
      const bool is_there = live->copy.valid() || !scope_.supposition;
      if (is_there && live->inferred == inferred && live->layout != source.layouts.front())
        source.layouts.push_back(live->layout);
    }
    if (!inferred) source.written = source.layouts.size();
  }
  return source;
}

planning::Shape StepWriter::shape_of(const checked::Operation& operation) const {
  return {.lengths = scope_.shape_of(operation.labels), .dtype = operation.dtype};
}

}  // namespace shard

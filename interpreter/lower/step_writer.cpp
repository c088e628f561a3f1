#include "interpreter/lower/step_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/contains.h"
#include "base/match.h"
#include "base/words.h"
#include "interpreter/program/ended_copies.h"
#include "interpreter/program/step_text.h"

namespace shard {

namespace {

// "·_J", "·_{K,G}", or "·" for a product that sums over nothing.
std::string product_sign(const std::vector<DimensionId>& left,
                         const std::vector<DimensionId>& right,
                         const std::vector<DimensionId>& result, const Scope& scope) {
  std::vector<std::string> summed;
  for (const DimensionId label : left) {
    if (contains(right, label) && !contains(result, label))
      summed.push_back(scope.store.dimensions[label].name);
  }
  if (summed.empty()) return "·";
  return summed.size() == 1 ? "·_" + summed.front() : "·_{" + join(summed, ",") + "}";
}

std::string in_subscript(const std::vector<std::string>& names) {
  return names.size() == 1 ? names.front() : "{" + join(names, ",") + "}";
}

// "AllGather_X A[I_X] → A[I]" for a move of `from` to `to`.
std::string move_text(const planning::Move& move, const std::string& from, const std::string& to,
                      const std::vector<std::string>& dimensions, const Mesh& mesh) {
  return (move.kind ? planning::name_of(move, dimensions, mesh) + " " : std::string()) + from +
         to_string(move.from, dimensions, mesh) + " → " + to + to_string(move.to, dimensions, mesh);
}

// The notation of a selection, its operands as given: "E[V, D][V = Tok[B]]".
std::string selection_text(const checked::Selection& selection,
                           const std::vector<std::string>& operands,
                           const std::vector<DimensionId>& labels, const Scope& scope) {
  const auto index = [&](std::size_t array) {
    const std::string value =
        array < operands.size() ? operands[array] : selection.position.to_string();
    return fmt::format("{}[{} = {}]", operands[0], scope.store.dimensions[selection.along].name,
                       value);
  };
  switch (selection.kind) {
    case SelectionKind::Gather:
      return index(1);
    case SelectionKind::Update:
      return index(2) + " = " + operands[1];
    case SelectionKind::Reshape:
      return fmt::format("Reshape({})", operands[0]);
    case SelectionKind::Top: {
      const auto& own = selection.operands.front().labels;
      const auto found = std::find_if(labels.begin(), labels.end(), [&](DimensionId label) {
        return std::find(own.begin(), own.end(), label) == own.end();
      });
      return fmt::format("top_{{{},{}}}({})", scope.store.dimensions[selection.along].name,
                         scope.store.dimensions[*found].name, operands[0]);
    }
  }
  SHARD_CHECK(!"a selection has a text");
}

}  // namespace

std::string reduced_names(const std::vector<DimensionId>& operand,
                          const std::vector<DimensionId>& result, const Scope& scope) {
  std::vector<std::string> along;
  for (const DimensionId label : operand) {
    if (!contains(result, label)) along.push_back(scope.store.dimensions[label].name);
  }
  return in_subscript(along);
}

CopyId StepWriter::append(Action action, Copy result, std::string text, bool inferred,
                          std::vector<AxisId> axes) {
  const CopyId copy = program_.plan.copies.add(std::move(result));
  append_into(std::move(action), copy, std::move(text), inferred, std::move(axes));
  return copy;
}

void StepWriter::append_into(Action action, CopyId result, std::string text, bool inferred,
                             std::vector<AxisId> axes) {
  match(
      action, [](FreeStep&) { SHARD_CHECK(!"a free makes no copy"); },
      [&](auto& makes) { makes.result = result; });
  Step step{.action = std::move(action), .statement = static_cast<int>(program_.statements.size())};
  auto cost = program_.memo->price(step, program_.plan, program_.machine);
  program_.plan.steps.push_back(std::move(step));
  program_.steps.push_back(
      {.form = text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text)),
       .inferred = inferred,
       .axes = std::move(axes),
       .cost = std::move(cost)});
}

CopyId StepWriter::live_copy(ArrayId array, const Layout& layout) {
  auto& copies = scope_.store.arrays[array].copies;
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
  live.copy = append(std::move(input), std::move(copy), "", false);
  program_.owners.set(live.copy, array);
  return live.copy;
}

void StepWriter::hold(ArrayId array, CopyId id, bool inferred) {
  auto& copies = scope_.store.arrays[array].copies;
  const Layout& layout = copy(id).layout;
  end_replaced(array, id, program_.statements.size(), scope_, program_);
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
  std::string text = move_text(move, operand_mark(0), result_mark(), names, mesh());
  CopyId result;
  if (move.kind) {
    result = append(CollectiveStep{.kind = *move.kind, .axes = move.axes, .operand = operand},
                    std::move(moved), std::move(text), inferred, move.axes);
  } else {
    result = append(SliceStep{.axes = move.axes, .operand = operand}, std::move(moved),
                    std::move(text), inferred);
  }
  if (array.valid()) hold(array, result, inferred);
  return result;
}

CopyId StepWriter::contract(const ContractedOperand& left, const ContractedOperand& right,
                            const std::vector<DimensionId>& labels, const Layout& layout,
                            std::string name, DType dtype) {
  Copy result = result_copy(std::move(name), labels, layout, dtype);
  std::string text = text_of(0, left.copy, scope_.store.names_of(left.labels));
  text += ' ';
  text += product_sign(left.labels, right.labels, labels, scope_);
  text += ' ';
  text += text_of(1, right.copy, scope_.store.names_of(right.labels));
  text += arrow_text(result);
  ContractStep step{.left = left.copy, .right = right.copy};
  step.left_labels = numbered(left.labels);
  step.right_labels = numbered(right.labels);
  step.result_labels = numbered(labels);
  return append(std::move(step), std::move(result), std::move(text), false);
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

std::string StepWriter::arrow_text(const Copy& result) const {
  return " → " + result_mark() + to_string(result.layout, result.dimensions, mesh());
}

template <class Step>
std::vector<std::string> StepWriter::add_operands(const std::vector<ContractedOperand>& operands,
                                                  Step& step) const {
  std::vector<std::string> names;
  for (const ContractedOperand& operand : operands) {
    names.push_back(
        text_of(step.operands.size(), operand.copy, scope_.store.names_of(operand.labels)));
    step.operands.edit().push_back(operand.copy);
    step.operand_labels.edit().push_back(numbered(operand.labels));
  }
  return names;
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
  const std::vector<std::string> names = add_operands(distinct, step);
  std::string text = to_string(own, names) + arrow_text(result);
  step.program = std::move(own);
  return append(std::move(step), std::move(result), std::move(text), false);
}

CopyId StepWriter::reduce(ReductionKind kind, const ContractedOperand& operand,
                          const std::vector<DimensionId>& labels, const Layout& layout,
                          std::string name, DType dtype) {
  Copy result = result_copy(std::move(name), labels, layout, dtype);
  std::string text = fmt::format(
      "{}_{}({}){}", name_of(kind), reduced_names(operand.labels, labels, scope_),
      text_of(0, operand.copy, scope_.store.names_of(operand.labels)), arrow_text(result));
  ReductionStep step{.kind = kind, .operand = operand.copy};
  step.operand_labels = numbered(operand.labels);
  step.result_labels = numbered(labels);
  return append(std::move(step), std::move(result), std::move(text), false);
}

CopyId StepWriter::select(const checked::Selection& selection,
                          const std::vector<ContractedOperand>& operands,
                          const std::vector<DimensionId>& labels, const Layout& layout,
                          std::string name, DType dtype, CopyId in_place) {
  Copy result = result_copy(std::move(name), labels, layout, dtype);
  SelectionStep step{.kind = selection.kind, .operands = {}, .result = {}};
  step.along = selection.along.value;
  step.position = selection.position;
  step.in_place = in_place;
  step.result_labels = numbered(labels);
  const std::vector<std::string> names = add_operands(operands, step);
  std::string text = selection_text(selection, names, labels, scope_) + arrow_text(result);
  return append(std::move(step), std::move(result), std::move(text), false);
}

CopyId StepWriter::shift(AxisId axis, int distance, CopyId operand, std::string name,
                         const std::vector<std::string>& names) {
  Copy shifted = copy(operand);
  shifted.name = std::move(name);
  CollectiveStep step{.kind = CollectiveKind::Shift, .axes = {axis}, .operand = operand};
  step.shift = distance;
  const std::string& axis_name = mesh().axes[axis].name;
  const std::string verb = distance == 1 ? "Shift_" + axes_to_string({axis}, mesh())
                                         : fmt::format("Shift_{{{},{}}}", axis_name, distance);
  std::string text = verb + " " + text_of(0, operand, names) + " → " + result_mark() +
                     to_string(shifted.layout, names, mesh());
  return append(std::move(step), std::move(shifted), std::move(text), false, {axis});
}

CopyId StepWriter::rename(CopyId operand, const std::vector<std::size_t>& order, Copy result,
                          const std::vector<std::string>& operand_names) {
  result.layout = planning::reordered(copy(operand).layout, {order, result.dtype});
  std::string text = text_of(0, operand, operand_names) + " → " + result_mark() +
                     to_string(result.layout, result.dimensions, mesh());
  return append(TransposeStep{.operand = operand, .order = order}, std::move(result),
                std::move(text), false);
}

planning::Source StepWriter::source_of(const checked::Use& use) const {
  planning::Source source{.layouts = {trimmed(use.layout)}};
  const auto& copies = scope_.store.arrays[use.array].copies;
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

std::string StepWriter::text_of(std::size_t operand, CopyId id,
                                const std::vector<std::string>& names) const {
  return operand_mark(operand) + to_string(copy(id).layout, names, mesh());
}

}  // namespace shard

#include "interpreter/statements/gradient/history.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "interpreter/gradient/element_rules.h"

namespace shard {

namespace {

// The array that it was picked out of, or passed as; nullopt if it was made in any other way, or by no statement.
std::optional<ArrayId> picked_from(ArrayId array, const Scope& scope) {
  const ArrayInfo& info = std::as_const(scope.store).arrays[array];
  if (info.origin == nullptr) return std::nullopt;
  const checked::Flow flow = info.origin->flow.get();
  const checked::Operation* value = &flow.value;
  const auto* picked = std::get_if<checked::Selection>(&value->node);
  if (picked != nullptr && picked->kind == SelectionKind::Gather) value = &picked->operands.front();
  const auto* use = std::get_if<checked::Use>(&value->node);
  return use == nullptr ? std::nullopt : std::optional(use->array);
}

// Whether it is an input, what steps of a training have made of one, or was picked out of these.
bool is_state(ArrayId array, const Scope& scope) {
  std::optional<ArrayId> from = array;
  for (; from; from = picked_from(*from, scope)) {
    const ArrayInfo& info = std::as_const(scope.store).arrays[*from];
    if (info.of_gradients || is_integer(info.dtype)) return false;
    if (info.origin == nullptr) return true;
  }
  return false;
}

// Whether gradients move a state by this: `W = W - 0.1 ⊙ dW`, `W2 = W - 0.1 ⊙ grad(x, W)`; not `m = 0.9 ⊙ m + 0.1 ⊙ dW`, which is
// made of gradients and moves others.
bool moves_state(const StatementRecord& record, const Scope& scope) {
  const auto gradient =
      scope.names.find_array("d" + std::as_const(scope.store).arrays[record.target].name);
  if (gradient && std::as_const(scope.store).arrays[*gradient].of_gradients) return true;
  const checked::Flow flow = record.flow.get();
  const auto* elements = std::get_if<checked::Elementwise>(&flow.value.node);
  if (elements == nullptr) return false;
  for (std::size_t i = 0; i < elements->operands.size(); ++i) {
    const checked::Operation& operand = elements->operands[i];
    const auto* use = std::get_if<checked::Use>(&operand.node);
    if (use != nullptr && operand.labels.size() == flow.value.labels.size() &&
        std::as_const(scope.store).arrays[use->array].has_gradient && is_state(use->array, scope) &&
        gradient::is_term(elements->program, i))
      return true;
  }
  return false;
}

// Whether it puts such a state into elements of another one: `V[L = l] = a`.
bool keeps_state(const StatementRecord& record, const Scope& scope) {
  const checked::Flow flow = record.flow.get();
  const auto* update = std::get_if<checked::Selection>(&flow.value.node);
  if (update == nullptr || update->kind != SelectionKind::Update) return false;
  const auto* of = std::get_if<checked::Use>(&update->operands.front().node);
  if (of == nullptr || !is_state(of->array, scope)) return false;
  return std::any_of(
      update->operands.begin() + 1, update->operands.end(), [&](const checked::Operation& operand) {
        const auto* use = std::get_if<checked::Use>(&operand.node);
        return use != nullptr && std::as_const(scope.store).arrays[use->array].is_moved_state;
      });
}

}  // namespace

void note_gradient(ArrayId array, Scope& scope) {
  for (std::optional<ArrayId> from = array; from; from = picked_from(*from, scope))
    scope.store.arrays[*from].has_gradient = true;
}

void note_origin(const StatementRecord& record, RunContext& context) {
  Scope& scope = context.scope;
  const checked::Flow& form = *record.flow.form();
  if (form.is_copy || scope.store.arrays[record.target].name.empty()) return;
  const auto read = arrays_read(record.flow);
  const auto any = [&](bool ArrayInfo::*is) {
    return std::any_of(read.begin(), read.end(),
                       [&](ArrayId array) { return std::as_const(scope.store).arrays[array].*is; });
  };
  const bool of_gradients = any(&ArrayInfo::of_gradients);
  ArrayInfo& made = scope.store.arrays[record.target];
  if (context.state.derives) {
    made.of_gradients = true;
  } else if (of_gradients) {
    made.is_moved_state = moves_state(record, scope);
    made.of_gradients = !made.is_moved_state;
  } else if (any(&ArrayInfo::is_moved_state) && keeps_state(record, scope)) {
    made.is_moved_state = true;
  } else {
    const auto& ways = record.on_the_way;
    made.origin = std::make_shared<const checked::Origin>(
        checked::Origin{record.flow, {ways.begin(), ways.end()}});
  }
}

}  // namespace shard

#include "interpreter/lower/steps_in_place.h"

#include <variant>

namespace shard {

const SelectionStep* view_made_by(const Step& step, const Plan& plan) {
  const auto* selection = std::get_if<SelectionStep>(&step.action);
  if (selection == nullptr) return nullptr;
  return is_view(*selection, plan.copies[selection->operands.front()],
                 plan.copies[selection->result])
             ? selection
             : nullptr;
}

bool is_seen_through(const Step& step, const Plan& plan) {
  return std::holds_alternative<SliceStep>(step.action) || view_made_by(step, plan) != nullptr;
}

bool is_update(const Step& step) {
  const auto* selection = std::get_if<SelectionStep>(&step.action);
  return selection != nullptr && selection->kind == SelectionKind::Update;
}

CopyId updated_in_place(const Step& step) {
  return is_update(step) ? std::get<SelectionStep>(step.action).in_place : CopyId();
}

}  // namespace shard

// Which steps make nothing of their own: they change an array, or what they make lies where another array does.
#pragma once

#include "runtime/plan/plan.h"

namespace shard {

// The view that the step makes; null for another step.
const SelectionStep* view_made_by(const Step& step, const Plan& plan);

// Whether the step moves nothing, and what it makes is read where its operand lies: a view, or each device's own part.
bool is_seen_through(const Step& step, const Plan& plan);

// An assignment to a part or an element.
bool is_update(const Step& step);

// The array that such an assignment changes in place. Invalid for another step.
CopyId updated_in_place(const Step& step);

}  // namespace shard

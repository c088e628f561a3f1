// Steps as text. What many steps share is kept once: their texts without the names of the arrays.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/program/program.h"

namespace shard {

// What stands in StepRecord::form for the name of the step's operand number `operand`, or of its result.
std::string operand_mark(std::size_t operand);
std::string result_mark();

// A text with what `name` gives for each mark: of operand number k, or of the result for nullopt.
std::string filled(std::string_view form,
                   const std::function<std::string_view(std::optional<std::size_t>)>& name);

// "AllGather_X In[B_X, D_Y] → In[B_X, D]"; empty for a step that is not shown.
std::string text_of(const StepRecord& record, const Step& step, const Plan& plan);
std::string step_text(const Program& program, std::size_t step);

}  // namespace shard

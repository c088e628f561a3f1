// Steps as text. The part that many steps share, their text without the names of the arrays, is stored once.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/program/program.h"

namespace shard {

// The placeholder in StepRecord::form for the name of the step's operand number `operand`, or of its result.
std::string operand_mark(std::size_t operand);
std::string result_mark();

// A form with every placeholder replaced by `name` of it: of operand number k, or nullopt for the result.
std::string filled(std::string_view form,
                   const std::function<std::string_view(std::optional<std::size_t>)>& name);

// "AllGather_X In[B_X, D_Y] → In[B_X, D]"; empty for a step that is not shown.
std::string text_of(const StepRecord& record, const Step& step, const Plan& plan);
std::string step_text(const Program& program, std::size_t step);

}  // namespace shard

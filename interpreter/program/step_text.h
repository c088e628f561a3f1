// Steps in the notation. Nothing keeps a step's text: it is made of the step and its copies when it is shown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/program/program.h"

namespace shard {

// Inputs that appear and copies that are freed are no steps to a reader.
bool is_shown(const Step& step);
// The other ones of a statement, as indices into the plan's steps.
std::vector<std::size_t> shown_steps(const Program& program, const StatementRecord& record);

// As the copy is kept, with its own names of dimensions.
WrittenArray as_kept(const Copy& copy);
// How the statement writes the operands of a step, in order, and then its result.
std::vector<WrittenArray> arrays_written(const StepRecord& record, const Step& step,
                                         const Plan& plan);

// "AllGather_X In[B_X, D] → In[B_X, D]"; empty for a step that is not shown.
std::string text_of(const StepRecord& record, const Step& step, const Plan& plan, const Mesh& mesh);
std::string step_text(const Program& program, std::size_t step);
// Without the result: "AllGather_X In[B_X, D]".
std::string step_text_without_result(const Program& program, std::size_t step);

// As a line of a script, "A[I, J] ·_J B[J, K] → C[I, K]": of a part of a product, the product. Empty for what no line says,
// which is where the parts of an overlapped product are added up.
std::string step_line(const Program& program, std::size_t step);

// What equal passes of a loop write, which differ in numbers at most, as one text: "W[L, D][L = 0…79]" of the first and the
// last. nullopt if they differ in anything else.
std::optional<std::string> folded_text(std::string_view first, std::string_view last);

// "J", "{J,K}": the dimensions that a reduction takes away. `names`: of the operand's.
std::string reduced_names(const std::vector<int>& operand, const std::vector<int>& result,
                          const std::vector<std::string>& names);

}  // namespace shard

#include "interpreter/program/step_text.h"

#include <charconv>

namespace shard {

namespace {

// Characters that no name contains.
constexpr char kMark = '\1';
constexpr char kMarkEnd = '\2';

}  // namespace

std::string operand_mark(std::size_t operand) { return kMark + std::to_string(operand) + kMarkEnd; }

std::string result_mark() { return {kMark, kMarkEnd}; }

std::string filled(std::string_view form,
                   const std::function<std::string_view(std::optional<std::size_t>)>& name) {
  constexpr std::size_t kRoom = 24;  // for names; longer ones make the string grow
  std::string text;
  text.reserve(form.size() + kRoom);
  for (std::size_t mark = form.find(kMark); mark != form.npos; mark = form.find(kMark)) {
    text += form.substr(0, mark);
    const std::size_t end = form.find(kMarkEnd, mark);
    std::size_t operand = 0;
    std::from_chars(form.data() + mark + 1, form.data() + end, operand);
    text += name(end == mark + 1 ? std::nullopt : std::optional(operand));
    form.remove_prefix(end + 1);
  }
  text += form;
  return text;
}

std::string text_of(const StepRecord& record, const Step& step, const Plan& plan) {
  if (record.form == nullptr) return "";
  const std::vector<CopyId> operands = operands_of(step);
  return filled(*record.form, [&](std::optional<std::size_t> operand) -> std::string_view {
    return plan.copies[operand ? operands[*operand] : result_of(step)].name;
  });
}

std::string step_text(const Program& program, std::size_t step) {
  return text_of(program.steps[step], program.plan.steps[step], program.plan);
}

}  // namespace shard

#include "interpreter/step_text.h"

#include <charconv>
#include <string_view>

namespace shard {

namespace {

// Characters that no name has.
constexpr char kMark = '\1';
constexpr char kMarkEnd = '\2';

}  // namespace

std::string operand_mark(std::size_t operand) { return kMark + std::to_string(operand) + kMarkEnd; }

std::string result_mark() { return {kMark, kMarkEnd}; }

std::string text_of(const StepRecord& record, const Step& step, const Plan& plan) {
  std::string text;
  if (record.form == nullptr) return text;
  std::string_view form = *record.form;
  const std::vector<CopyId> operands = operands_of(step);
  for (std::size_t mark = form.find(kMark); mark != form.npos; mark = form.find(kMark)) {
    text += form.substr(0, mark);
    const std::size_t end = form.find(kMarkEnd, mark);
    const std::string_view number = form.substr(mark + 1, end - mark - 1);
    std::size_t operand = 0;
    std::from_chars(number.data(), number.data() + number.size(), operand);
    text += plan.copies[number.empty() ? result_of(step) : operands[operand]].name;
    form.remove_prefix(end + 1);
  }
  text += form;
  return text;
}

std::string step_text(const Program& program, std::size_t step) {
  return text_of(program.steps[step], program.plan.steps[step], program.plan);
}

}  // namespace shard

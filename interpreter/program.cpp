#include "interpreter/program.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace shard {

Plan finished_plan(const Program& program, const std::vector<CopyId>& keep) {
  Plan plan{.copies = program.plan.copies};
  const auto is_input = [](const Step& step) {
    return std::holds_alternative<InputStep>(step.action);
  };
  std::copy_if(program.plan.steps.begin(), program.plan.steps.end(), std::back_inserter(plan.steps),
               is_input);
  std::copy_if(program.plan.steps.begin(), program.plan.steps.end(), std::back_inserter(plan.steps),
               [&](const Step& step) { return !is_input(step); });
  free_after_last_use(plan, keep, program.ended);
  return plan;
}

namespace {

bool has_size(const Copy& copy) {
  return std::all_of(copy.shape.begin(), copy.shape.end(),
                     [](const Amount& length) { return length.constant().has_value(); });
}

bool has_open_constant(const Step& step) {
  const auto* elements = std::get_if<ElementwiseStep>(&step.action);
  return elements != nullptr && std::any_of(elements->program.begin(), elements->program.end(),
                                            [](const ElementInstruction& instruction) {
                                              return !instruction.constant.constant().has_value();
                                            });
}

bool is_input(const Step& step) { return std::holds_alternative<InputStep>(step.action); }

// The copies and statements of a program that cannot be run for want of sizes.
class OpenParts {
 public:
  explicit OpenParts(const Program& program) : program_(program) {
    const auto& copies = program.plan.copies;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const CopyId id{static_cast<std::int32_t>(i)};
      if (!has_size(copies[id])) copies_.insert(id);
    }
    for (const auto& [copy, array] : program.owners) {
      if (has(copy)) arrays_.insert(array);
    }
    while (grow()) {
    }
  }

  bool has(CopyId copy) const { return copies_.count(copy) != 0; }
  // Statements without a step of their own leave an array as it is.
  bool has_statement(std::size_t statement) const {
    return statements_.count(static_cast<int>(statement)) != 0 ||
           arrays_.count(program_.statements[statement].target) != 0;
  }
  bool has(const Step& step) const {
    if (is_input(step)) return has(result_of(step));
    const auto operands = operands_of(step);
    return statements_.count(step.statement) != 0 || has(result_of(step)) ||
           has_open_constant(step) ||
           std::any_of(operands.begin(), operands.end(), [&](CopyId copy) { return has(copy); });
  }

 private:
  // An open step makes its result and its statement open, and these others.
  bool grow() {
    const std::size_t before = copies_.size() + statements_.size();
    for (const Step& step : program_.plan.steps) {
      if (is_input(step) || !has(step)) continue;
      if (step.statement >= 0) statements_.insert(step.statement);
      if (result_of(step).valid()) copies_.insert(result_of(step));
    }
    return copies_.size() + statements_.size() > before;
  }

  const Program& program_;
  std::set<CopyId> copies_;
  std::set<ArrayId> arrays_;  // with a copy without sizes
  std::set<int> statements_;
};

}  // namespace

bool has_all_sizes(const Program& program) {
  return std::all_of(program.plan.copies.begin(), program.plan.copies.end(), has_size);
}

Program part_with_sizes(const Program& program) {
  const OpenParts open(program);
  Program part{.machine = program.machine, .plan = {.copies = program.plan.copies}};
  part.owners = program.owners;
  std::vector<int> numbers;  // of the statements in the part; −1 for those that are not in it
  for (std::size_t i = 0; i < program.statements.size(); ++i) {
    const bool kept = !open.has_statement(i);
    numbers.push_back(kept ? static_cast<int>(part.statements.size()) : -1);
    if (kept) part.statements.push_back(program.statements[i]);
  }
  // An input belongs to the first statement of the part that uses it.
  std::map<CopyId, int> first_use;
  for (const Step& step : program.plan.steps) {
    if (is_input(step) || step.statement < 0 || open.has(step)) continue;
    for (const CopyId operand : operands_of(step))
      first_use.try_emplace(operand, numbers[static_cast<std::size_t>(step.statement)]);
  }
  for (const Step& step : program.plan.steps) {
    const auto use = first_use.find(result_of(step));
    if (open.has(step) || (is_input(step) && use == first_use.end())) continue;
    Step& kept = part.plan.steps.emplace_back(step);
    if (is_input(step))
      kept.statement = use->second;
    else if (step.statement >= 0)
      kept.statement = numbers[static_cast<std::size_t>(step.statement)];
  }
  for (std::size_t i = 0; i < part.plan.copies.size(); ++i) {
    const CopyId id{static_cast<std::int32_t>(i)};
    if (open.has(id)) part.plan.copies[id] = Copy{};  // nothing makes it
  }
  std::copy_if(program.requests.begin(), program.requests.end(), std::back_inserter(part.requests),
               [&](const ArrayRequest& request) {
                 return !open.has(request.copy) && !(request.other && open.has(*request.other));
               });
  return part;
}

}  // namespace shard

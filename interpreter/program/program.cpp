#include "interpreter/program/program.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace shard {

void set_machine(Program& program, const Machine& machine) {
  program.machine = machine;
  program.memo = std::make_shared<planning::Memo>();
  program.lowered = nullptr;
}

Plan finished_plan(const Program& program, const std::vector<CopyId>& keep) {
  Plan plan = program.plan;
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

// The copies from which the wanted ones are made, and the statements that determine their contents.
class NeededParts {
 public:
  NeededParts(const Program& program, const Wanted& wanted) : statements_(wanted.statements) {
    for (const ArrayRequest& request : program.requests) {
      if (request.entry < wanted.first_entry) continue;
      copies_.insert(request.copy);
      if (request.other) copies_.insert(*request.other);
    }
    const auto& steps = program.plan.steps;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const bool is_wanted =
          step->statement >= 0 &&
          wanted.statements.count(static_cast<std::size_t>(step->statement)) != 0;
      if (!is_wanted && copies_.count(result_of(*step)) == 0) continue;
      // An input exists before the statement that was planned next.
      if (step->statement >= 0 && !is_input(*step))
        statements_.insert(static_cast<std::size_t>(step->statement));
      copies_.insert(result_of(*step));
      for (const CopyId operand : operands_of(*step)) copies_.insert(operand);
    }
    add_named_arrays(program);
  }

  bool has(CopyId copy) const { return copies_.count(copy) != 0; }
  bool has_statement(std::size_t statement) const { return statements_.count(statement) != 0; }

 private:
  // A parameter of a function is the passed array under another name; no step of its statement says so.
  void add_named_arrays(const Program& program) {
    std::set<ArrayId> read;
    for (std::size_t i = program.statements.size(); i-- > 0;) {
      const StatementRecord& statement = program.statements[i];
      if (statement.is_argument && read.count(statement.target) != 0) statements_.insert(i);
      if (!has_statement(i)) continue;
      for (const ArrayId array : arrays_read(statement.flow)) read.insert(array);
    }
  }

  std::set<CopyId> copies_;
  std::set<std::size_t> statements_;
};

// The copies and statements of a program that are not run, because nobody wants them or sizes are missing.
class OpenParts {
 public:
  OpenParts(const Program& program, const Wanted& wanted) : program_(program) {
    const NeededParts needed(program, wanted);
    for (std::size_t i = 0; i < program.statements.size(); ++i) {
      if (!needed.has_statement(i)) statements_.insert(static_cast<int>(i));
    }
    const auto& copies = program.plan.copies;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const CopyId id{static_cast<std::int32_t>(i)};
      if (!needed.has(id) || !has_size(copies[id])) copies_.insert(id);
    }
    program.owners.for_each([&](CopyId copy, ArrayId array) {
      if (!has_size(copies[copy])) arrays_.insert(array);
    });
    open_parameters();
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
  // A parameter is as open as the array that was passed.
  void open_parameters() {
    for (const StatementRecord& statement : program_.statements) {
      if (!statement.is_argument) continue;
      for (const ArrayId array : arrays_read(statement.flow)) {
        if (arrays_.count(array) != 0) arrays_.insert(statement.target);
      }
    }
  }

  // An open step makes its result and its statement open, which makes others open.
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
  std::set<ArrayId> arrays_;  // with an unsized copy
  std::set<int> statements_;
};

}  // namespace

bool has_all_sizes(const Program& program) {
  return std::all_of(program.plan.copies.begin(), program.plan.copies.end(), has_size);
}

Program part_to_run(const Program& program, const Wanted& wanted) {
  const OpenParts open(program, wanted);
  Program part{.machine = program.machine,
               .plan = {.copies = program.plan.copies},
               .is_sweep = program.is_sweep};
  program.owners.for_each([&](CopyId copy, ArrayId array) {
    if (!open.has(copy)) part.owners.set(copy, array);
  });
  std::vector<int> numbers;  // of the statements in the part; −1 for the others
  for (std::size_t i = 0; i < program.statements.size(); ++i) {
    const bool kept = !open.has_statement(i);
    numbers.push_back(kept ? static_cast<int>(part.statements.size()) : -1);
    if (kept) part.statements.push_back(program.statements[i]);
  }
  std::copy_if(program.requests.begin(), program.requests.end(), std::back_inserter(part.requests),
               [&](const ArrayRequest& request) {
                 return request.entry >= wanted.first_entry && !open.has(request.copy) &&
                        !(request.other && open.has(*request.other));
               });
  // An input belongs to the first statement of the part that uses it; one that is only requested belongs to none.
  std::map<CopyId, int> first_use;
  for (const Step& step : program.plan.steps) {
    if (is_input(step) || step.statement < 0 || open.has(step)) continue;
    for (const CopyId operand : operands_of(step))
      first_use.try_emplace(operand, numbers[static_cast<std::size_t>(step.statement)]);
  }
  for (const ArrayRequest& request : part.requests) {
    first_use.try_emplace(request.copy, -1);
    if (request.other) first_use.try_emplace(*request.other, -1);
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
  return part;
}

}  // namespace shard

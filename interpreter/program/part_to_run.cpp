#include "interpreter/program/part_to_run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace shard {

namespace {

bool is_input(const Step& step) { return std::holds_alternative<InputStep>(step.action); }

bool has_open_constant(const Step& step) {
  const auto* elements = std::get_if<ElementwiseStep>(&step.action);
  return elements != nullptr && std::any_of(elements->program.begin(), elements->program.end(),
                                            [](const ElementInstruction& instruction) {
                                              return !instruction.constant.constant().has_value();
                                            });
}

// The steps that make what is wanted, what is held of it, and the statements that determine its contents.
class NeededParts {
 public:
  NeededParts(const Program& program, const Wanted& wanted,
              const std::function<bool(CopyId)>& is_held)
      : is_held_(is_held), statements_(wanted.statements) {
    for (const ArrayRequest& request : program.requests) {
      if (request.entry < wanted.first_entry) continue;
      need(request.copy);
      if (request.other) need(*request.other);
    }
    const std::size_t first =
        wanted.statements.empty() ? program.statements.size() : *wanted.statements.begin();
    const auto& all = program.plan.steps;
    for (std::size_t i = all.size(); i-- > 0;) {
      const Step& step = all[i];
      const bool is_before =
          step.statement >= 0 && static_cast<std::size_t>(step.statement) < first;
      // Nothing before makes what is needed.
      if (is_before && unmade_.empty()) break;
      const bool is_wanted = step.statement >= 0 &&
                             wanted.statements.count(static_cast<std::size_t>(step.statement)) != 0;
      const bool is_made_here = unmade_.erase(result_of(step)) != 0;
      if (!is_wanted && !is_made_here) continue;
      // An input exists before the statement that was planned next.
      if (step.statement >= 0 && !is_input(step))
        statements_.insert(static_cast<std::size_t>(step.statement));
      steps_.push_back(i);
      copies_.insert(result_of(step));
      for_each_operand(step, [&](CopyId operand) { need(operand); });
    }
    std::reverse(steps_.begin(), steps_.end());
    add_named_arrays(program);
  }

  const std::vector<std::size_t>& steps() const { return steps_; }
  const std::set<CopyId>& copies() const { return copies_; }
  const std::set<CopyId>& held() const { return held_; }
  const std::set<std::size_t>& statements() const { return statements_; }

 private:
  void need(CopyId copy) {
    if (!copies_.insert(copy).second) return;
    if (is_held_(copy))
      held_.insert(copy);
    else
      unmade_.insert(copy);
  }

  // A parameter of a function is the passed array under another name; no step of its statement says so.
  void add_named_arrays(const Program& program) {
    std::set<ArrayId> read;
    for (std::size_t i = program.statements.size(); i-- > 0;) {
      const StatementRecord& statement = program.statements[i];
      const bool names = statement.is_argument || statement.names_part;
      if (names && read.count(statement.target) != 0) statements_.insert(i);
      if (statements_.count(i) == 0) continue;
      for (const ArrayId array : arrays_read(statement.flow)) read.insert(array);
    }
  }

  const std::function<bool(CopyId)>& is_held_;
  std::vector<std::size_t> steps_;
  std::set<CopyId> copies_;
  std::set<CopyId> held_;
  std::set<CopyId> unmade_;  // no step that makes them was met so far
  std::set<std::size_t> statements_;
};

// The copies and statements among the needed ones that are not run, because sizes are missing.
class OpenParts {
 public:
  OpenParts(const Program& program, const NeededParts& needed)
      : program_(program), needed_(needed) {
    for (const CopyId copy : needed.copies()) {
      if (copy.valid() && !has_size(program.plan.copies[copy])) open_copy(copy);
    }
    for (const std::size_t statement : needed.statements()) {
      const CopyId result = program.statements[statement].result;
      if (result.valid() && !has_size(program.plan.copies[result])) open_copy(result);
    }
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
    bool reads_open = false;
    for_each_operand(step, [&](CopyId copy) { reads_open = reads_open || has(copy); });
    return reads_open || statements_.count(step.statement) != 0 || has(result_of(step)) ||
           has_open_constant(step);
  }

 private:
  void open_copy(CopyId copy) {
    copies_.insert(copy);
    if (const ArrayId* owner = program_.owners.find(copy)) arrays_.insert(*owner);
  }

  // A parameter is as open as the array that was passed.
  void open_parameters() {
    for (const std::size_t i : needed_.statements()) {
      const StatementRecord& statement = program_.statements[i];
      if (!statement.is_argument) continue;
      for (const ArrayId array : arrays_read(statement.flow)) {
        if (arrays_.count(array) != 0) arrays_.insert(statement.target);
      }
    }
  }

  // An open step makes its result and its statement open, which makes others open.
  bool grow() {
    const std::size_t before = copies_.size() + statements_.size();
    for (const std::size_t i : needed_.steps()) {
      const Step& step = program_.plan.steps[i];
      if (is_input(step) || !has(step)) continue;
      if (step.statement >= 0) statements_.insert(step.statement);
      if (result_of(step).valid()) copies_.insert(result_of(step));
    }
    return copies_.size() + statements_.size() > before;
  }

  const Program& program_;
  const NeededParts& needed_;
  std::set<CopyId> copies_;
  std::set<ArrayId> arrays_;  // with an unsized copy
  std::set<int> statements_;
};

class PartWriter {
 public:
  PartWriter(const Program& whole, const NeededParts& needed)
      : whole_(whole), needed_(needed), open_(whole, needed) {
    part_.program.machine = whole.machine;
    part_.program.is_sweep = whole.is_sweep;
  }

  PartToRun write(const Wanted& wanted) {
    for (const std::size_t i : needed_.statements()) {
      if (open_.has_statement(i)) continue;
      numbers_[static_cast<int>(i)] = static_cast<int>(part_.program.statements.size());
      StatementRecord& record = part_.program.statements.emplace_back(whole_.statements[i]);
      record.result = {};
    }
    note_first_uses(wanted);
    for (const CopyId copy : needed_.held()) {
      const auto use = first_use_.find(copy);
      if (use == first_use_.end()) continue;
      add_step({.action = InputStep{.result = copy, .seed = {}, .kind = InputKind::Held},
                .statement = use->second});
    }
    for (const std::size_t i : needed_.steps()) {
      const Step& step = whole_.plan.steps[i];
      const auto use = first_use_.find(result_of(step));
      if (open_.has(step) || (is_input(step) && use == first_use_.end())) continue;
      Step kept = step;
      kept.statement = is_input(step) ? use->second : number_of(step.statement);
      add_step(std::move(kept));
    }
    for (ArrayRequest request : requests_) {
      request.copy = copy_of(request.copy);
      if (request.other) request.other = copy_of(*request.other);
      part_.program.requests.push_back(request);
    }
    return std::move(part_);
  }

 private:
  int number_of(int statement) const { return statement < 0 ? statement : numbers_.at(statement); }

  // An input belongs to the first statement of the part that uses it; one that is only requested belongs to none.
  void note_first_uses(const Wanted& wanted) {
    for (const std::size_t i : needed_.steps()) {
      const Step& step = whole_.plan.steps[i];
      if (is_input(step) || step.statement < 0 || open_.has(step)) continue;
      for_each_operand(step, [&](CopyId operand) {
        first_use_.try_emplace(operand, number_of(step.statement));
      });
    }
    for (const ArrayRequest& request : whole_.requests) {
      if (request.entry < wanted.first_entry || open_.has(request.copy) ||
          (request.other && open_.has(*request.other)))
        continue;
      requests_.push_back(request);
      first_use_.try_emplace(request.copy, -1);
      if (request.other) first_use_.try_emplace(*request.other, -1);
    }
  }

  void add_step(Step step) {
    rename_copies(step, [&](CopyId copy) { return copy_of(copy); });
    part_.program.plan.steps.push_back(std::move(step));
  }

  CopyId copy_of(CopyId original) {
    if (!original.valid()) return original;
    const auto [known, is_new] = copies_.try_emplace(original);
    if (!is_new) return known->second;
    known->second = part_.program.plan.copies.add(whole_.plan.copies[original]);
    part_.originals.push_back(original);
    if (const ArrayId* owner = whole_.owners.find(original))
      part_.program.owners.set(known->second, *owner);
    return known->second;
  }

  const Program& whole_;
  const NeededParts& needed_;
  OpenParts open_;
  std::map<int, int> numbers_;          // of the part's statements
  std::map<CopyId, int> first_use_;     // of a copy, by a statement of the part
  std::map<CopyId, CopyId> copies_;     // of the part, by those of the whole
  std::vector<ArrayRequest> requests_;  // as in the whole
  PartToRun part_;
};

}  // namespace

PartToRun part_to_run(const Program& program, const Wanted& wanted,
                      const std::function<bool(CopyId)>& is_held) {
  const NeededParts needed(program, wanted, is_held);
  return PartWriter(program, needed).write(wanted);
}

}  // namespace shard

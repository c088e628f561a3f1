#include "interpreter/lower/fuse.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/contains.h"
#include "interpreter/lower/kernel_reads.h"
#include "interpreter/lower/steps_in_place.h"
#include "runtime/plan/layout.h"

namespace shard {

namespace {

class Fusion {
 public:
  Fusion(Program& program, std::size_t first)
      : program_(program),
        first_statement_(first),
        begin_(first < program.statements.size() ? program.statements[first].first_step
                                                 : program.plan.steps.size()) {}

  FusedBlock run() {
    find_inner();
    price();
    FusedBlock block;
    for (std::size_t i = first_statement_; i < program_.statements.size(); ++i) {
      const StatementRecord& record = program_.statements[i];
      const bool stays = record.result.valid() && inner_.count(record.result) != 0;
      if (stays && !contains(block.inner, record.target)) block.inner.push_back(record.target);
    }
    block.most = working_set();
    return block;
  }

 private:
  // Collectives read and write HBM, and what a part of an overlapped product makes is sent while the others are computed.
  static bool is_inside(const Step& step) {
    const auto* contract = std::get_if<ContractStep>(&step.action);
    return !std::holds_alternative<InputStep>(step.action) &&
           !std::holds_alternative<FreeStep>(step.action) && communication_axes(step).empty() &&
           (contract == nullptr || !contract->piece);
  }

  // What is seen through takes no fast memory: whoever reads it does.
  bool is_computed_inside(const Step& step) const {
    return is_inside(step) && !is_seen_through(step, program_.plan);
  }

  // Of the operands and the result of a step what a tile of it holds: of an array that an index reads what is read, and nothing of
  // one that is changed in place.
  std::vector<CopyId> held_by(const Step& step) const {
    const auto* selection = std::get_if<SelectionStep>(&step.action);
    const CopyId changed = updated_in_place(step);
    const CopyId indexed = selection != nullptr && selection->kind == SelectionKind::Gather
                               ? selection->operands.front()
                               : changed;
    std::vector<CopyId> held;
    for_each_operand(step, [&](CopyId operand) {
      if (operand != indexed) held.push_back(operand);
    });
    const std::size_t results = changed.valid() ? 0 : indexed.valid() ? 2 : 1;
    held.insert(held.end(), results, result_of(step));
    return held;
  }

  void find_inner() {
    std::set<CopyId> made;
    std::set<CopyId> read;
    std::set<CopyId> read_outside;
    for (std::size_t i = begin_; i < program_.plan.steps.size(); ++i) {
      const Step& step = program_.plan.steps[i];
      for_each_operand(
          step, [&](CopyId operand) { (is_inside(step) ? read : read_outside).insert(operand); });
      if (is_inside(step)) made.insert(result_of(step));
    }
    for (const CopyId copy : made) {
      if (read.count(copy) != 0 && read_outside.count(copy) == 0) inner_.insert(copy);
    }
    for (const ArrayRequest& request : program_.requests) {
      inner_.erase(request.copy);
      if (request.other) inner_.erase(*request.other);
    }
    keep_changed_together();
    find_seen();
    for (const CopyId copy : inner_) program_.plan.copies[copy].in_fast_memory = true;
  }

  // What changes an array element by element makes no other one: it is inside or outside as a whole. One that was there before the
  // kernel goes on behind it.
  void keep_changed_together() {
    const auto join = [&](const Step& step) {
      if (!is_update(step)) return;
      const CopyId changed = std::get<SelectionStep>(step.action).operands.front();
      if (inner_.count(changed) != 0 && inner_.count(result_of(step)) != 0) return;
      inner_.erase(changed);
      inner_.erase(result_of(step));
    };
    const auto& steps = program_.plan.steps;
    for (std::size_t i = begin_; i < steps.size(); ++i) join(steps[i]);
    for (std::size_t i = steps.size(); i > begin_; --i) join(steps[i - 1]);
  }

  void find_seen() {
    for (std::size_t i = begin_; i < program_.plan.steps.size(); ++i) {
      const Step& step = program_.plan.steps[i];
      if (!is_seen_through(step, program_.plan) || inner_.count(result_of(step)) == 0) continue;
      for_each_operand(step, [&](CopyId operand) {
        const bool inside = inner_.count(operand) != 0 && seen_.count(operand) == 0;
        if (!inside) seen_.insert(result_of(step));
      });
    }
  }

  // Each array from outside is read once.
  void price() {
    auto& copies = program_.plan.copies;
    for (const CopyId copy : seen_) copies[copy].in_fast_memory = false;
    const auto inside = [&](const auto& each) {
      for (std::size_t i = begin_; i < program_.plan.steps.size(); ++i) {
        if (is_inside(program_.plan.steps[i])) each(i);
      }
    };
    KernelReads all(program_.plan);
    inside([&](std::size_t i) { all.step(program_.plan.steps[i]); });
    KernelReads reads(program_.plan, &all);
    inside([&](std::size_t i) {
      const Step& step = program_.plan.steps[i];
      const auto at_hand = reads.step(step);
      for (const auto& [copy, share] : at_hand) copies[copy].at_hand = share;
      program_.steps[i].cost =
          std::make_shared<const Cost>(cost_of(step, program_.plan, program_.machine));
      for (const auto& [copy, share] : at_hand) copies[copy].at_hand = 0;
    });
    for (const CopyId copy : seen_) copies[copy].in_fast_memory = true;
  }

  // The dimensions that every copy made inside has.
  std::set<std::string> common_dimensions() const {
    std::optional<std::set<std::string>> common;
    for (std::size_t i = begin_; i < program_.plan.steps.size(); ++i) {
      if (!is_computed_inside(program_.plan.steps[i])) continue;
      const auto& names = program_.plan.copies[result_of(program_.plan.steps[i])].dimensions;
      std::set<std::string> here(names.begin(), names.end());
      if (!common) {
        common = std::move(here);
        continue;
      }
      std::erase_if(*common, [&](const std::string& name) { return here.count(name) == 0; });
    }
    return common.value_or(std::set<std::string>());
  }

  Amount tile_bytes(const Copy& copy, const std::set<std::string>& common) const {
    std::vector<Amount> shape = local_shape(copy.shape, copy.layout, program_.machine.mesh);
    Amount bytes = Amount(bytes_of(copy.dtype));
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (common.count(copy.dimensions[i]) == 0) bytes = bytes * shape[i];
    }
    return bytes;
  }

  // nullopt while sizes are missing.
  std::optional<WorkingSet> working_set() const {
    const std::set<std::string> common = common_dimensions();
    std::optional<WorkingSet> most;
    for (std::size_t s = first_statement_; s < program_.statements.size(); ++s) {
      const StatementRecord& record = program_.statements[s];
      for (std::size_t i = record.first_step; i < record.end_step; ++i) {
        const Step& step = program_.plan.steps[i];
        if (!is_computed_inside(step)) continue;
        Amount bytes;
        for (const CopyId copy : held_by(step))
          bytes = bytes + tile_bytes(program_.plan.copies[copy], common);
        const auto number = bytes.constant();
        if (!number) return std::nullopt;
        if (!most || *most->bytes.constant() < *number)
          most = WorkingSet{bytes, {common.begin(), common.end()}, s};
      }
    }
    return most;
  }

  Program& program_;
  std::size_t first_statement_;
  std::size_t begin_;
  std::set<CopyId> inner_;
  std::set<CopyId> seen_;  // those of them that lie in HBM, where whoever reads them reads
};

}  // namespace

FusedBlock fuse(Program& program, std::size_t first) { return Fusion(program, first).run(); }

}  // namespace shard

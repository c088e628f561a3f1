#include "interpreter/lower/fuse.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/contains.h"
#include "interpreter/lower/kernel_reads.h"
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

  // The operand of which a step has the elements alone that others say.
  static CopyId indexed_by_arrays(const Step& step) {
    const auto* selection = std::get_if<SelectionStep>(&step.action);
    const bool gathers = selection != nullptr && selection->kind == SelectionKind::Gather;
    return gathers ? selection->operands.front() : CopyId();
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
    find_seen();
    for (const CopyId copy : inner_) program_.plan.copies[copy].in_fast_memory = true;
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

  // What was read from outside is there for the steps that follow.
  void price() {
    KernelReads reads(program_.plan);
    auto& copies = program_.plan.copies;
    for (const CopyId copy : seen_) copies[copy].in_fast_memory = false;
    for (std::size_t i = begin_; i < program_.plan.steps.size(); ++i) {
      const Step& step = program_.plan.steps[i];
      if (!is_inside(step)) continue;
      std::vector<CopyId> there;
      if (!is_seen_through(step, program_.plan)) {
        for_each_operand(step, [&](CopyId operand) {
          if (!copies[operand].in_fast_memory && reads.has(operand)) there.push_back(operand);
        });
      }
      for (const CopyId copy : there) copies[copy].in_fast_memory = true;
      program_.steps[i].cost =
          std::make_shared<const Cost>(cost_of(step, program_.plan, program_.machine));
      for (const CopyId copy : there) copies[copy].in_fast_memory = false;
      reads.step(step);
    }
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
        const Copy& result = program_.plan.copies[result_of(step)];
        Amount bytes = tile_bytes(result, common);
        const CopyId indexed = indexed_by_arrays(step);
        for_each_operand(step, [&](CopyId operand) {
          bytes = bytes +
                  tile_bytes(operand == indexed ? result : program_.plan.copies[operand], common);
        });
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

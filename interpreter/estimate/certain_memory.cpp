#include "interpreter/estimate/certain_memory.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "base/contains.h"
#include "runtime/cost/occupancy.h"

namespace shard {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Lifetimes {
 public:
  explicit Lifetimes(const Program& program)
      : program_(program),
        maker_(program.plan.copies.size(), kNone),
        memory_(program.plan.copies.size()),
        bytes_(program.plan.copies.size(), 0),
        first_reader_(program.plan.copies.size(), kNone),
        statement_(program.plan.steps.size(), kNone) {
    for (std::size_t i = 0; i < program.statements.size(); ++i) {
      const StatementRecord& record = program.statements[i];
      for (std::size_t step = record.first_step; step < record.end_step; ++step)
        statement_[step] = i;
    }
    for (std::size_t step = 0; step < program.plan.steps.size(); ++step) read(step);
  }

  std::vector<std::vector<double>> rows() const {
    std::vector<std::vector<double>> rows = {inputs()};
    for (const StatementRecord& record : program_.statements) {
      std::size_t last = kNone;
      for (std::size_t step = record.first_step; step < record.end_step; ++step) {
        if (last == kNone || reads_several(step)) last = step;
      }
      std::size_t largest = last;
      for (std::size_t step = last; step < record.end_step; ++step) {
        if (own_bytes(step) > own_bytes(largest)) largest = step;
      }
      rows.push_back(row_at(last));
      rows.push_back(row_at(largest));
    }
    return rows;
  }

 private:
  static std::size_t index(CopyId copy) { return static_cast<std::size_t>(copy.value); }
  const Step& step_at(std::size_t step) const { return program_.plan.steps[step]; }
  bool is_input(std::size_t step) const { return is_there_before(step_at(step)); }

  void read(std::size_t at) {
    constexpr std::size_t kBits = 64;
    const Step& step = step_at(at);
    auto& before = before_.emplace_back((program_.plan.steps.size() + kBits - 1) / kBits, 0);
    before[at / kBits] |= std::uint64_t{1} << (at % kBits);
    std::vector<std::size_t>& operands = operands_.emplace_back();
    for_each_operand(step, [&](CopyId operand) {
      const std::size_t copy = index(operand);
      if (first_reader_[copy] == kNone) first_reader_[copy] = at;
      if (!contains(operands, copy)) operands.push_back(copy);
      if (maker_[copy] == kNone) return;
      for (std::size_t word = 0; word < before.size(); ++word)
        before[word] |= before_[maker_[copy]][word];
    });
    const CopyId result = result_of(step);
    if (!result.valid()) return;
    maker_[index(result)] = at;
    memory_[index(result)] = index(result);
    const Copy& copy = program_.plan.copies[result];
    const auto* selection = std::get_if<SelectionStep>(&step.action);
    const CopyId changed = changed_in_place(step);
    if (changed.valid()) memory_[index(result)] = memory_[index(changed)];
    if (selection != nullptr && !operands.empty() &&
        is_view(*selection, program_.plan.copies[selection->operands.front()], copy))
      memory_[index(result)] = memory_[operands.front()];
    if (copy.in_fast_memory || !copy.layout.placed.empty()) return;
    const auto bytes =
        local_bytes(copy.shape, copy.dtype, copy.layout, program_.machine.mesh).constant();
    if (bytes && !bytes->is_overflow()) bytes_[index(result)] = bytes->to_double();
  }

  bool reads_several(std::size_t step) const { return operands_[step].size() > 1; }

  // Whether `step` runs only after `earlier` has ended, or is that step.
  bool needs(std::size_t step, std::size_t earlier) const {
    constexpr std::size_t kBits = 64;
    return (before_[step][earlier / kBits] >> (earlier % kBits) & 1U) != 0;
  }

  std::set<std::size_t> memory_of(std::size_t step) const {
    std::set<std::size_t> memory;
    for (const std::size_t operand : operands_[step]) memory.insert(memory_[operand]);
    const CopyId result = result_of(step_at(step));
    if (result.valid()) memory.insert(memory_[index(result)]);
    return memory;
  }

  double own_bytes(std::size_t step) const {
    double bytes = 0;
    for (const std::size_t memory : memory_of(step)) bytes += bytes_[memory];
    return bytes;
  }

  std::vector<double> inputs() const {
    std::vector<double> row(program_.statements.size(), 0);
    for (std::size_t copy = 0; copy < maker_.size(); ++copy) {
      if (maker_[copy] == kNone || !is_input(maker_[copy]) || first_reader_[copy] == kNone)
        continue;
      const std::size_t statement = statement_[first_reader_[copy]];
      if (statement != kNone) row[statement] += bytes_[copy];
    }
    return row;
  }

  std::vector<double> row_at(std::size_t at) const {
    std::vector<double> row(program_.statements.size(), 0);
    if (at == kNone) return row;
    row[statement_[at]] = own_bytes(at);
    const std::set<std::size_t> own = memory_of(at);
    struct Stay {
      std::size_t statement = 0;
      double bytes = 0;
    };
    std::map<std::size_t, Stay> kept;  // by memory: at its last reader
    for (std::size_t step = 0; step < before_.size(); ++step) {
      if (step == at || !needs(step, at) || statement_[step] == kNone) continue;
      for (const std::size_t operand : operands_[step]) {
        double bytes = bytes_[operand];
        const std::size_t first = made_before(operand, at, bytes);
        if (first == kNone || own.contains(memory_[first])) continue;
        kept[memory_[first]] = {statement_[step], bytes};
      }
    }
    for (const auto& [memory, one] : kept) row[one.statement] += one.bytes;
    return row;
  }

  // The last on the way to this copy that was there before the step, or kNone; `bytes`: the least of those from it on.
  std::size_t made_before(std::size_t copy, std::size_t at, double& bytes) const {
    while (true) {
      bytes = std::min(bytes, bytes_[copy]);
      const std::size_t maker = maker_[copy];
      if (maker == kNone) return kNone;
      if (is_input(maker) || (maker != at && needs(at, maker))) return copy;
      if (maker == at || operands_[maker].size() != 1) return kNone;
      copy = operands_[maker].front();
    }
  }

  const Program& program_;
  std::vector<std::size_t> maker_;   // by copy
  std::vector<std::size_t> memory_;  // by copy: the first one in the same memory
  std::vector<double> bytes_;
  std::vector<std::size_t> first_reader_;
  std::vector<std::size_t> statement_;              // by step
  std::vector<std::vector<std::uint64_t>> before_;  // by step: those that it needs, as bits
  std::vector<std::vector<std::size_t>> operands_;  // by step, each once
};

}  // namespace

std::vector<std::vector<double>> certain_memory(const Program& program) {
  if (program.statements.size() > kMostStatementsOfRows) return {};
  return Lifetimes(program).rows();
}

}  // namespace shard

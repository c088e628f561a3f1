#include "interpreter/lower/collective_matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/lower/overlap_pairs.h"
#include "interpreter/program/step_text.h"

namespace shard {

namespace {

class OverlapWriter {
 public:
  OverlapWriter(const checked::Flow& flow, StepWriter& writer, StatementRecord& record,
                DiagnosticSink& sink)
      : axes_(flow.overlap),
        span_(flow.overlap_span),
        writer_(writer),
        program_(writer.program()),
        record_(record),
        sink_(sink) {}

  bool run() {
    if (!find_length()) return false;
    take_steps();
    found_ = overlap_pairs(steps_, axes_, length_, program_.plan, writer_.mesh());
    if (found_.pairs.empty()) {
      for (std::size_t i = 0; i < steps_.size(); ++i) keep(i);
      return report_nothing();
    }
    std::set<std::size_t> rewritten;  // collectives that a product takes along
    for (const OverlapPair& pair : found_.pairs) rewritten.insert(pair.collective);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const auto pair = std::find_if(found_.pairs.begin(), found_.pairs.end(),
                                     [&](const OverlapPair& one) { return one.product == i; });
      if (pair != found_.pairs.end()) {
        write(*pair);
      } else if (rewritten.count(i) == 0) {
        keep(i);
      }
    }
    record_.parts = length_;
    record_.end_step = program_.steps.size();
    record_.time_apart = time_in_one_piece();
    return true;
  }

 private:
  // Of the steps as they were, what is independent of each other overlapped.
  Formula time_in_one_piece() const {
    Formula sum;
    for (const StepRecord& replaced : records_) sum = sum + replaced.cost->time();
    const auto seconds = seconds_alone(program_, steps_, records_);
    // One after the other it is exact.
    constexpr double kRounding = 1e-9;
    const bool overlaps = seconds && *seconds < sum.constant()->to_double() * (1 - kRounding);
    return overlaps ? to_seconds(*seconds) : sum;
  }

  // Always false, for `return fail(…)`.
  bool fail(std::string message, std::vector<std::string> help) {
    sink_.report({.kind = DiagnosticKind::NothingToOverlap,
                  .span = span_,
                  .message = std::move(message),
                  .help = std::move(help)});
    return false;
  }

  // ------------------------------------------------------------ what there is

  bool find_length() {
    length_ = 1;
    for (const AxisId axis : axes_) {
      const auto length = writer_.mesh().axes[axis].length();
      if (!length) {
        return fail(fmt::format("the product is to be cut into |{}| parts, and that is no number",
                                writer_.mesh().axes[axis].name),
                    {"give the mesh: `mesh {X: 4}`"});
      }
      length_ *= *length;
    }
    return true;
  }

  void take_steps() {
    const auto first = static_cast<std::ptrdiff_t>(record_.first_step);
    auto& steps = program_.plan.steps;
    steps_.assign(steps.begin() + first, steps.end());
    records_.assign(program_.steps.begin() + first, program_.steps.end());
    steps.erase(steps.begin() + first, steps.end());
    program_.steps.erase(program_.steps.begin() + first, program_.steps.end());
  }

  const Copy& copy(CopyId id) const { return program_.plan.copies[id]; }

  bool report_nothing() {
    std::vector<std::string> names;
    for (const AxisId axis : axes_) names.push_back(writer_.mesh().axes[axis].name);
    const std::string axes = axes_to_string(axes_, writer_.mesh());
    std::vector<std::string> help;
    if (found_.replicated) {
      help.push_back(
          fmt::format("the result is the same along {}, and each device would add the "
                      "parts in another order: split the other operand or the result",
                      join_words(names)));
    }
    if (found_.along_several) {
      help.push_back(
          fmt::format("what gathers or scatters two dimensions at once comes in no parts: split "
                      "one of them over all of {}",
                      join_words(names)));
    }
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (!communication_axes(steps_[i]).empty()) {
        help.push_back(fmt::format("it takes `{}`",
                                   text_of(records_[i], steps_[i], program_.plan, writer_.mesh())));
      }
    }
    if (help.empty())
      help.push_back(fmt::format("it takes no communication: leave `overlap {}` out", axes));
    return fail(
        found_.replicated || found_.along_several
            ? fmt::format("no product here can be cut into parts along {}", join_words(names))
            : fmt::format("no product here has an AllGather_{} of an operand, or a ReduceScatter "
                          "or AllReduce over {} of its result",
                          axes, join_words(names)),
        std::move(help));
  }

  // ------------------------------------------------------------ what is written

  void keep(std::size_t i) {
    program_.plan.steps.push_back(steps_[i]);
    program_.steps.push_back(records_[i]);
  }

  void write(const OverlapPair& pair) {
    const std::vector<WrittenArray> whole =
        arrays_written(records_[pair.product], steps_[pair.product], program_.plan);
    if (collective(pair).kind == CollectiveKind::AllGather)
      write_gather(pair, whole);
    else
      write_reduction(pair, whole);
  }

  const ContractStep& product(const OverlapPair& pair) const {
    return std::get<ContractStep>(steps_[pair.product].action);
  }

  const CollectiveStep& collective(const OverlapPair& pair) const {
    return std::get<CollectiveStep>(steps_[pair.collective].action);
  }

  // A block goes one place down the axes.
  CopyId shift(CopyId operand, const std::vector<AxisId>& over) {
    Copy moved = copy(operand);
    CollectiveStep step{.kind = CollectiveKind::Shift, .axes = over, .operand = operand};
    step.shift = -1;
    return writer_.append(std::move(step), std::move(moved), {}, true);
  }

  // Every device has its own block of the operand, and computes with it while the next one arrives.
  void write_gather(const OverlapPair& pair, const std::vector<WrittenArray>& whole) {
    const ContractStep& contract = product(pair);
    const CollectiveStep& gather = collective(pair);
    forget(gather.result);
    CopyId block = gather.operand;
    CopyId before;
    for (std::int64_t turn = 0; turn < length_; ++turn) {
      const bool is_last = turn + 1 == length_;
      const CopyId next = is_last ? CopyId{} : shift(block, pair.axes);
      ContractStep part = contract;
      (gather.result == contract.left ? part.left : part.right) = block;
      part.piece = Piece{.axes = pair.axes, .along = pair.label, .turn = turn, .onto = before};
      if (is_last) {
        writer_.append_into(std::move(part), contract.result, whole);
      } else {
        Copy sums = copy(contract.result);
        sums.unfinished = !contains(contract.result_labels, pair.label);
        before = writer_.append(std::move(part), std::move(sums), whole);
      }
      block = next;
    }
  }

  // The sums of a block go from device to device, and each adds its part; the last one adds it to its own block.
  void write_reduction(const OverlapPair& pair, const std::vector<WrittenArray>& whole) {
    const ContractStep& contract = product(pair);
    const CollectiveStep& reduction = collective(pair);
    const auto place = static_cast<std::size_t>(
        std::find(contract.result_labels.begin(), contract.result_labels.end(), pair.label) -
        contract.result_labels.begin());
    const bool scatters = reduction.kind == CollectiveKind::ReduceScatter;
    Copy block = copy(reduction.result);
    if (!scatters) {
      auto& dims = block.layout.dims.edit()[place];
      dims.insert(dims.end(), pair.axes.begin(), pair.axes.end());
    }
    CopyId sums;
    for (std::int64_t turn = 0; turn < length_; ++turn) {
      ContractStep part = contract;
      part.piece = Piece{.axes = pair.axes, .along = pair.label, .turn = turn + 1, .onto = {}};
      Copy own = block;
      own.unfinished = true;
      const CopyId arriving = sums.valid() ? shift(sums, pair.axes) : CopyId{};
      const CopyId made = writer_.append(std::move(part), own, whole);
      if (!arriving.valid()) {
        sums = made;
        continue;
      }
      ElementwiseStep add = sum_of(arriving, made, contract.result_labels);
      const bool is_last = turn + 1 == length_;
      if (is_last && scatters) {
        writer_.append_into(std::move(add), reduction.result);
      } else {
        own.unfinished = !is_last;
        sums = writer_.append(std::move(add), own);
      }
    }
    if (scatters) return;
    CollectiveStep gather{.kind = CollectiveKind::AllGather, .axes = axes_, .operand = sums};
    writer_.append_into(std::move(gather), reduction.result, {},
                        records_[pair.collective].inferred);
  }

  static ElementwiseStep sum_of(CopyId a, CopyId b, const std::vector<int>& labels) {
    ElementwiseStep step{.operands = {a, b}, .in_place = a};
    step.operand_labels = {labels, labels};
    step.result_labels = labels;
    step.program = {{.op = ElementOp::Operand, .operand = 0},
                    {.op = ElementOp::Operand, .operand = 1},
                    {.op = ElementOp::Add}};
    return step;
  }

  // The gathered operand is never there as a whole.
  void forget(CopyId gathered) {
    program_.owners.erase(gathered);
    Holdings& held = writer_.held();
    const auto is_gathered = [&](const LiveCopy& live) { return live.copy == gathered; };
    for (std::size_t i = 0; i < writer_.scope().store.arrays.size(); ++i) {
      const ArrayId array{static_cast<std::int32_t>(i)};
      const LiveCopies& copies = held.of(array);
      if (std::any_of(copies.begin(), copies.end(), is_gathered))
        std::erase_if(held.change(array), is_gathered);
    }
  }

  const std::vector<AxisId>& axes_;
  Span span_;
  StepWriter& writer_;
  Program& program_;
  StatementRecord& record_;
  DiagnosticSink& sink_;
  std::int64_t length_ = 1;
  std::vector<Step> steps_;
  std::vector<StepRecord> records_;
  OverlapPairs found_;
};

}  // namespace

bool write_overlapped(const checked::Flow& flow, StepWriter& writer, StatementRecord& record,
                      DiagnosticSink& sink) {
  return OverlapWriter(flow, writer, record, sink).run();
}

}  // namespace shard

#include "interpreter/lower/collective_matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "interpreter/estimate/figures.h"
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
    find_pairs();
    if (pairs_.empty()) {
      for (std::size_t i = 0; i < steps_.size(); ++i) keep(i);
      return report_nothing();
    }
    std::set<std::size_t> rewritten;  // collectives that a product takes along
    for (const Pair& pair : pairs_) rewritten.insert(pair.collective);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const auto pair = std::find_if(pairs_.begin(), pairs_.end(),
                                     [&](const Pair& one) { return one.product == i; });
      if (pair != pairs_.end()) {
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
  // What a collective does to the layout of its array: its axes come to, or leave, the end of one dimension's.
  struct Movement {
    std::size_t dimension = 0;
    std::vector<AxisId> axes;  // as the dimension is split: blocks follow one another in this order
  };

  // A product and the collective alongside it.
  struct Pair {
    std::size_t product = 0;
    std::size_t collective = 0;
    int label = 0;             // whose parts are taken one after the other
    std::vector<AxisId> axes;  // over which they lie, in this order
  };

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

  // ------------------------------------------------------------ what there is

  bool find_length() {
    length_ = 1;
    for (const AxisId axis : axes_) {
      const auto length = writer_.mesh().axes[axis].length();
      if (!length) {
        sink_.report({.kind = DiagnosticKind::NothingToOverlap,
                      .span = span_,
                      .message = fmt::format("the product is to be cut into |{}| parts, and that "
                                             "is no number",
                                             writer_.mesh().axes[axis].name),
                      .help = {"give the mesh: `mesh {X: 4}`"}});
        return false;
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

  const CollectiveStep* collective(std::size_t i) const {
    const auto* step = std::get_if<CollectiveStep>(&steps_[i].action);
    const bool same =
        step != nullptr && step->axes.size() == axes_.size() && contains_all(step->axes, axes_);
    return same ? step : nullptr;
  }

  int readers(CopyId copy) const {
    int count = 0;
    for (const Step& step : steps_) {
      for (const CopyId operand : operands_of(step)) count += operand == copy ? 1 : 0;
    }
    return count;
  }

  // Products and the collectives alongside them. A gather comes first.
  void find_pairs() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const auto* product = std::get_if<ContractStep>(&steps_[i].action);
      if (product == nullptr) continue;
      auto found = find_collective(i, *product, true);
      if (!found) found = find_collective(i, *product, false);
      if (found) pairs_.push_back(*std::move(found));
    }
  }

  std::optional<Pair> find_collective(std::size_t at, const ContractStep& product, bool before) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const CollectiveStep* step = collective(i);
      if (step == nullptr || !(before ? gathers(*step, product) : reduces(*step, product)))
        continue;
      auto pair = before ? gather_pair(*step, product) : reduction_pair(*step, product);
      if (!pair) continue;
      pair->product = at;
      pair->collective = i;
      return pair;
    }
    return std::nullopt;
  }

  bool gathers(const CollectiveStep& step, const ContractStep& product) const {
    return step.kind == CollectiveKind::AllGather &&
           (step.result == product.left) != (step.result == product.right) &&
           readers(step.result) == 1;
  }
  bool reduces(const CollectiveStep& step, const ContractStep& product) const {
    return (step.kind == CollectiveKind::ReduceScatter || step.kind == CollectiveKind::AllReduce) &&
           step.operand == product.result && readers(step.operand) == 1;
  }

  const Copy& copy(CopyId id) const { return program_.plan.copies[id]; }

  // Nothing if the collective does more than that.
  std::optional<Movement> movement(const CollectiveStep& step) {
    const auto& now = copy(step.operand).layout.dims;
    const auto& then = copy(step.result).layout.dims;
    std::optional<std::size_t> moved;
    for (std::size_t d = 0; d < now.size(); ++d) {
      if (now[d] == then[d]) continue;
      if (moved) {
        along_several_ = true;
        return std::nullopt;
      }
      moved = d;
    }
    if (!moved) return std::nullopt;
    const bool gathers = step.kind == CollectiveKind::AllGather;
    const std::vector<AxisId>& split = (gathers ? now : then)[*moved];
    const std::vector<AxisId>& whole = (gathers ? then : now)[*moved];
    if (split.size() != whole.size() + axes_.size() ||
        !std::equal(whole.begin(), whole.end(), split.begin())) {
      return std::nullopt;
    }
    return Movement{.dimension = *moved,
                    .axes = {split.end() - static_cast<std::ptrdiff_t>(axes_.size()), split.end()}};
  }

  // Parts that are summed arrive in another order at each place of the axes: where the result is the same along them,
  // it would not be.
  std::optional<Pair> gather_pair(const CollectiveStep& step, const ContractStep& product) {
    auto moved = movement(step);
    if (!moved) return std::nullopt;
    const auto& labels = step.result == product.left ? product.left_labels : product.right_labels;
    const int label = labels[moved->dimension];
    if (!contains(product.result_labels, label) &&
        !contains_all(axes_used(copy(product.result).layout), axes_)) {
      replicated_ = true;
      return std::nullopt;
    }
    return Pair{.label = label, .axes = std::move(moved->axes)};
  }

  // The parts of the result are summed one after the other: those of any dimension that divides, the last one first, if all
  // of it is wanted.
  std::optional<Pair> reduction_pair(const CollectiveStep& step, const ContractStep& product) {
    if (step.kind == CollectiveKind::ReduceScatter) {
      auto moved = movement(step);
      if (!moved) return std::nullopt;
      return Pair{.label = product.result_labels[moved->dimension], .axes = std::move(moved->axes)};
    }
    const Copy& result = copy(step.result);
    const auto local = local_shape(result.shape, result.layout, writer_.mesh());
    for (std::size_t d = local.size(); d-- > 0;) {
      const auto length = local[d].constant();
      const auto number = length ? length->to_int64() : std::nullopt;
      if (number && *number % length_ == 0)
        return Pair{.label = product.result_labels[d], .axes = axes_};
    }
    return std::nullopt;
  }

  bool report_nothing() {
    std::vector<std::string> names;
    for (const AxisId axis : axes_) names.push_back(writer_.mesh().axes[axis].name);
    const std::string axes = axes_to_string(axes_, writer_.mesh());
    std::vector<std::string> help;
    if (replicated_) {
      help.push_back(
          fmt::format("the result is the same along {}, and each device would add the "
                      "parts in another order: split the other operand or the result",
                      join_words(names)));
    }
    if (along_several_) {
      help.push_back(
          fmt::format("what gathers or scatters two dimensions at once comes in no parts: split "
                      "one of them over all of {}",
                      join_words(names)));
    }
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (!records_[i].axes.empty())
        help.push_back(
            fmt::format("it takes `{}`", text_of(records_[i], steps_[i], program_.plan)));
    }
    if (help.empty())
      help.push_back(fmt::format("it takes no communication: leave `overlap {}` out", axes));
    sink_.report({.kind = DiagnosticKind::NothingToOverlap,
                  .span = span_,
                  .message = replicated_ || along_several_
                                 ? fmt::format("no product here can be cut into parts along {}",
                                               join_words(names))
                                 : fmt::format("no product here has an AllGather_{} of an operand, "
                                               "or a ReduceScatter or AllReduce over {} of its "
                                               "result",
                                               axes, join_words(names)),
                  .help = std::move(help)});
    return false;
  }

  // ------------------------------------------------------------ what is written

  void keep(std::size_t i) {
    program_.plan.steps.push_back(steps_[i]);
    program_.steps.push_back(records_[i]);
  }

  void write(const Pair& pair) {
    const std::string text =
        fmt::format("1/{} of {}", length_, *std::as_const(records_)[pair.product].form);
    if (collective(pair.collective)->kind == CollectiveKind::AllGather)
      write_gather(pair, text);
    else
      write_reduction(pair, text);
  }

  const ContractStep& product(const Pair& pair) const {
    return std::get<ContractStep>(steps_[pair.product].action);
  }

  // A block goes one place down the axes.
  CopyId shift(CopyId operand, const std::vector<AxisId>& over) {
    Copy moved = copy(operand);
    const std::string shown =
        moved.name + to_string(moved.layout, moved.dimensions, writer_.mesh());
    CollectiveStep step{.kind = CollectiveKind::Shift, .axes = over, .operand = operand};
    step.shift = -1;
    std::string axes = axes_to_string(over, writer_.mesh());
    if (axes.front() == '{') axes = axes.substr(1, axes.size() - 2);
    return writer_.append(std::move(step), std::move(moved),
                          fmt::format("Shift_{{{},-1}} {} → {}", axes, shown, shown), true, over);
  }

  // Every device has its own block of the operand, and computes with it while the next one arrives.
  void write_gather(const Pair& pair, const std::string& text) {
    const ContractStep& contract = product(pair);
    const CollectiveStep& gather = *collective(pair.collective);
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
        writer_.append_into(std::move(part), contract.result, text);
      } else {
        Copy sums = copy(contract.result);
        sums.unfinished = !contains(contract.result_labels, pair.label);
        before = writer_.append(std::move(part), std::move(sums), text, false);
      }
      block = next;
    }
  }

  // The sums of a block go from device to device, and each adds its part; the last one adds it to its own block.
  void write_reduction(const Pair& pair, const std::string& text) {
    const ContractStep& contract = product(pair);
    const CollectiveStep& reduction = *collective(pair.collective);
    const auto place = static_cast<std::size_t>(
        std::find(contract.result_labels.begin(), contract.result_labels.end(), pair.label) -
        contract.result_labels.begin());
    const bool scatters = reduction.kind == CollectiveKind::ReduceScatter;
    Copy block = copy(reduction.result);
    if (!scatters) {
      auto& dims = block.layout.dims.edit()[place];
      dims.insert(dims.end(), pair.axes.begin(), pair.axes.end());
    }
    const std::string sum = fmt::format("its sum with {}{}", block.name,
                                        to_string(block.layout, block.dimensions, writer_.mesh()));
    CopyId sums;
    for (std::int64_t turn = 0; turn < length_; ++turn) {
      ContractStep part = contract;
      part.piece = Piece{.axes = pair.axes, .along = pair.label, .turn = turn + 1, .onto = {}};
      Copy own = block;
      own.unfinished = true;
      const CopyId arriving = sums.valid() ? shift(sums, pair.axes) : CopyId{};
      const CopyId made = writer_.append(std::move(part), own, text, false);
      if (!arriving.valid()) {
        sums = made;
        continue;
      }
      ElementwiseStep add = sum_of(arriving, made, contract.result_labels);
      const bool is_last = turn + 1 == length_;
      if (is_last && scatters) {
        writer_.append_into(std::move(add), reduction.result, sum);
      } else {
        own.unfinished = !is_last;
        sums = writer_.append(std::move(add), own, sum, false);
      }
    }
    if (scatters) return;
    CollectiveStep gather{.kind = CollectiveKind::AllGather, .axes = axes_, .operand = sums};
    const std::string shown =
        fmt::format("AllGather_{} {}{} → {}{}", axes_to_string(axes_, writer_.mesh()), block.name,
                    to_string(block.layout, block.dimensions, writer_.mesh()), block.name,
                    to_string(copy(reduction.result).layout, block.dimensions, writer_.mesh()));
    writer_.append_into(std::move(gather), reduction.result, shown,
                        records_[pair.collective].inferred, axes_);
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
    auto& arrays = writer_.scope().arrays;
    const auto is_gathered = [&](const LiveCopy& live) { return live.copy == gathered; };
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(arrays.size()); ++i) {
      const auto& copies = std::as_const(arrays)[ArrayId{i}].copies;
      if (std::any_of(copies.begin(), copies.end(), is_gathered))
        std::erase_if(arrays[ArrayId{i}].copies, is_gathered);
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
  std::vector<Pair> pairs_;
  // Why a collective was left: the product's result is the same along the axes; it moves along several dimensions.
  bool replicated_ = false;
  bool along_several_ = false;
};

}  // namespace

bool write_overlapped(const checked::Flow& flow, StepWriter& writer, StatementRecord& record,
                      DiagnosticSink& sink) {
  return OverlapWriter(flow, writer, record, sink).run();
}

}  // namespace shard

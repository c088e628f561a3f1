#include "interpreter/lower/overlap_pairs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/contains.h"

namespace shard {
namespace {

class OverlapFinder {
 public:
  OverlapFinder(const std::vector<Step>& steps, const std::vector<AxisId>& axes,
                std::int64_t length, const Plan& plan, const Mesh& mesh)
      : steps_(steps), axes_(axes), length_(length), plan_(plan), mesh_(mesh) {}

  // A gather comes first.
  OverlapPairs find() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const auto* product = std::get_if<ContractStep>(&steps_[i].action);
      if (product == nullptr) continue;
      auto found = find_collective(i, *product, true);
      if (!found) found = find_collective(i, *product, false);
      if (found) found_.pairs.push_back(*std::move(found));
    }
    return std::move(found_);
  }

 private:
  // What a collective does to the layout of its array: its axes come to, or leave, the end of one dimension's.
  struct Movement {
    std::size_t dimension = 0;
    std::vector<AxisId> axes;  // as the dimension is split: blocks follow one another in this order
  };

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

  std::optional<OverlapPair> find_collective(std::size_t at, const ContractStep& product,
                                             bool before) {
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
    return adds_up(step.kind) && step.operand == product.result && readers(step.operand) == 1;
  }

  const Copy& copy(CopyId id) const { return plan_.copies[id]; }

  // Nothing if the collective does more than that.
  std::optional<Movement> movement(const CollectiveStep& step) {
    const auto& now = copy(step.operand).layout.dims;
    const auto& then = copy(step.result).layout.dims;
    std::optional<std::size_t> moved;
    for (std::size_t d = 0; d < now.size(); ++d) {
      if (now[d] == then[d]) continue;
      if (moved) {
        found_.along_several = true;
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
  std::optional<OverlapPair> gather_pair(const CollectiveStep& step, const ContractStep& product) {
    auto moved = movement(step);
    if (!moved) return std::nullopt;
    const auto& labels = step.result == product.left ? product.left_labels : product.right_labels;
    const int label = labels[moved->dimension];
    if (!contains(product.result_labels, label) &&
        !contains_all(axes_used(copy(product.result).layout), axes_)) {
      found_.replicated = true;
      return std::nullopt;
    }
    return OverlapPair{.label = label, .axes = std::move(moved->axes)};
  }

  // The parts of the result are summed one after the other: those of any dimension that divides, the last one first, if all
  // of it is wanted.
  std::optional<OverlapPair> reduction_pair(const CollectiveStep& step,
                                            const ContractStep& product) {
    if (step.kind == CollectiveKind::ReduceScatter) {
      auto moved = movement(step);
      if (!moved) return std::nullopt;
      return OverlapPair{.label = product.result_labels[moved->dimension],
                         .axes = std::move(moved->axes)};
    }
    const Copy& result = copy(step.result);
    const auto local = local_shape(result.shape, result.layout, mesh_);
    for (std::size_t d = local.size(); d-- > 0;) {
      const auto length = local[d].constant();
      const auto number = length ? length->to_int64() : std::nullopt;
      if (number && *number % length_ == 0)
        return OverlapPair{.label = product.result_labels[d], .axes = axes_};
    }
    return std::nullopt;
  }

  const std::vector<Step>& steps_;
  const std::vector<AxisId>& axes_;
  std::int64_t length_;
  const Plan& plan_;
  const Mesh& mesh_;
  OverlapPairs found_;
};

}  // namespace

OverlapPairs overlap_pairs(const std::vector<Step>& steps, const std::vector<AxisId>& axes,
                           std::int64_t length, const Plan& plan, const Mesh& mesh) {
  return OverlapFinder(steps, axes, length, plan, mesh).find();
}

}  // namespace shard

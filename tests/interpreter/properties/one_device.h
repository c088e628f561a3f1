// What one device holds and does, recomputed step by step from the times on the timeline.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "tests/interpreter/support/scripts.h"

namespace shard::testing {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

inline double plain(const Formula& formula) {
  const auto number = formula.constant();
  EXPECT_TRUE(number.has_value());
  return number ? number->to_double() : 0;
}

// What one device holds and does, from the plan and from when its steps run.
class Device {
 public:
  Device(const Program& program, const Figures& figures, std::vector<std::int64_t> coordinates)
      : program_(program), figures_(figures), coordinates_(std::move(coordinates)) {
    find_uses();
  }

  bool holds(CopyId id) const {
    for (const Placement& place : program_.plan.copies[id].layout.placed) {
      if (coordinates_[static_cast<std::size_t>(place.axis.value)] != place.coordinate)
        return false;
    }
    return true;
  }

  bool takes_part(const Step& step) const {
    if (!result_of(step).valid()) return false;
    const auto* collective = std::get_if<CollectiveStep>(&step.action);
    return holds(result_of(step)) || (collective != nullptr && holds(collective->operand));
  }

  // Of the steps that it takes part in.
  template <class Of>
  double sum(const Of& of) const {
    double total = 0;
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      if (takes_part(program_.plan.steps[i])) total += of(i);
    }
    return total;
  }

  // The most at any start of a step. Between two starts nothing comes.
  double peak(bool overlapped) const {
    double most = 0;
    for (std::size_t i = 0; i < steps().size(); ++i) {
      if (!result_of(steps()[i]).valid() || start(i, overlapped) == kNever) continue;
      most = std::max(most, held_at(i, overlapped));
    }
    return most;
  }

 private:
  struct Use {
    std::size_t maker = 0;
    std::vector<std::size_t> readers;
    int ended_by = -1;  // statement; only if nothing reads it
    std::size_t dropped = 0;
    bool is_dropped = false;
  };

  const std::vector<Step>& steps() const { return program_.plan.steps; }
  bool is_input(std::size_t i) const {
    return std::holds_alternative<InputStep>(steps()[i].action);
  }

  void find_uses() {
    for (std::size_t i = 0; i < steps().size(); ++i) {
      if (const auto* free = std::get_if<FreeStep>(&steps()[i].action)) {
        uses_[free->copy].is_dropped = true;
        uses_[free->copy].dropped = i;
        continue;
      }
      uses_[result_of(steps()[i])].maker = i;
      for (const CopyId operand : operands_of(steps()[i])) uses_[operand].readers.push_back(i);
    }
    for (auto& [copy, use] : uses_) {
      if (const int* end = program_.ended.find(copy); end != nullptr && use.readers.empty())
        use.ended_by = *end;
    }
  }

  // In the script's order the number of a step is its time. Inputs are there from the beginning.
  bool never_runs(std::size_t i) const {
    const auto& failure = figures_.faults.failure;
    return !is_input(i) && failure && i >= failure->step &&
           figures_.timeline->steps[i].start >= failure->at;
  }
  double start(std::size_t i, bool overlapped) const {
    if (is_input(i)) return overlapped ? 0 : -1;
    if (never_runs(i)) return kNever;
    return overlapped ? figures_.timeline->steps[i].start : static_cast<double>(i);
  }
  double end(std::size_t i, bool overlapped) const {
    if (is_input(i)) return overlapped ? 0 : -1;
    if (never_runs(i)) return kNever;
    return overlapped ? figures_.timeline->steps[i].end : static_cast<double>(i) + 0.5;
  }

  // Inputs, and then the steps of the script.
  std::size_t rank(std::size_t i) const { return is_input(i) ? i : i + steps().size(); }

  // Whether the copy is there while step i starts.
  bool is_there(CopyId copy, std::size_t i, bool overlapped) const {
    const Use& use = uses_.at(copy);
    const double now = start(i, overlapped);
    const double made = start(use.maker, overlapped);
    if (made == kNever || std::pair(made, rank(use.maker)) > std::pair(now, rank(i))) return false;
    if (taken_over_by(copy, overlapped)) {
      const std::size_t taker = *taken_over_by(copy, overlapped);
      return std::pair(start(taker, overlapped), rank(taker)) > std::pair(now, rank(i));
    }
    double over = end(use.maker, overlapped);
    for (const std::size_t reader : use.readers) over = std::max(over, end(reader, overlapped));
    if (use.readers.empty()) {
      if (!use.is_dropped && use.ended_by < 0) return true;
      const auto next = next_step(use);
      if (!next) return true;
      if (start(*next, overlapped) >= over)
        return std::pair(start(*next, overlapped), rank(*next)) > std::pair(now, rank(i));
    }
    if (now < over) return true;
    if (now > over) return false;
    // Of the steps without a duration that need it now, the last.
    std::vector<std::size_t> all = use.readers;
    all.push_back(use.maker);
    return std::any_of(all.begin(), all.end(), [&](std::size_t one) {
      return start(one, overlapped) == over && end(one, overlapped) == over && rank(one) >= rank(i);
    });
  }

  // What it makes room for: behind its being dropped, or of the statement that makes another in its place.
  std::optional<std::size_t> next_step(const Use& use) const {
    for (std::size_t i = use.is_dropped ? use.dropped : 0; i < steps().size(); ++i) {
      if (is_input(i) || !result_of(steps()[i]).valid()) continue;
      if (use.is_dropped || steps()[i].statement >= use.ended_by) return i;
    }
    return std::nullopt;
  }

  // The step that changes it in place: the last one that reads it, when all others are through.
  std::optional<std::size_t> taken_over_by(CopyId copy, bool overlapped) const {
    const Use& use = uses_.at(copy);
    if (use.readers.empty() || use.is_dropped) return std::nullopt;
    const std::size_t last = use.readers.back();
    const auto* elements = std::get_if<ElementwiseStep>(&steps()[last].action);
    if (elements == nullptr || elements->in_place != copy || never_runs(last)) return std::nullopt;
    const double begin = start(last, overlapped);
    if (end(use.maker, overlapped) > begin) return std::nullopt;
    for (const std::size_t reader : use.readers) {
      if (reader != last && end(reader, overlapped) > begin) return std::nullopt;
    }
    return last;
  }

  // Where its elements lie: a Reshape is its operand, if that is there and does not change while it is read.
  CopyId memory_of(CopyId copy) const {
    const auto* reshape = std::get_if<SelectionStep>(&steps()[uses_.at(copy).maker].action);
    if (reshape == nullptr || reshape->kind != SelectionKind::Reshape || reshape->is_kept)
      return copy;
    return memory_of(reshape->operands.front());
  }

  double held_at(std::size_t i, bool overlapped) const {
    std::map<CopyId, double> memories;
    for (const auto& [copy, use] : uses_) {
      if (!holds(copy) || !is_there(copy, i, overlapped)) continue;
      const Copy& info = program_.plan.copies[copy];
      EXPECT_EQ(info.dtype, DType::Bf16);
      double bytes = 2;
      for (std::size_t d = 0; d < info.shape.size(); ++d) {
        bytes *= plain(Formula(info.shape[d]));
        for (const AxisId axis : info.layout.dims[d])
          bytes /= static_cast<double>(*program_.machine.mesh.axes[axis].length());
      }
      memories[memory_of(copy)] = bytes;
    }
    double total = 0;
    for (const auto& [memory, bytes] : memories) total += bytes;
    return total;
  }

  const Program& program_;
  const Figures& figures_;
  std::vector<std::int64_t> coordinates_;
  std::map<CopyId, Use> uses_;
};

}  // namespace shard::testing

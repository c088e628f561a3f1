#include <algorithm>
#include <vector>

#include "runtime/cost.h"

namespace shard {
namespace {

// The copies that are there, step by step. Their sum is kept as it goes.
class Occupancy {
 public:
  Occupancy(const Plan& plan, const Mesh& mesh)
      : plan_(plan), mesh_(mesh), bytes_(plan.copies.size()), alive_(plan.copies.size(), false) {}

  // Whether the step makes a copy: what is there while it runs is then `total`.
  bool advance(const Step& step) {
    if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      remove(free->copy);
      return false;
    }
    if (const CopyId taken = taken_over(step); taken.valid()) remove(taken);
    add(result_of(step));
    return true;
  }

  const Amount& total() const { return total_; }

  // The largest first and the earlier first among equals. REQUIRES: numbers.
  std::vector<CopyId> largest_first() const {
    std::vector<CopyId> copies;
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      if (alive_[i]) copies.push_back(CopyId{static_cast<std::int32_t>(i)});
    }
    std::stable_sort(copies.begin(), copies.end(), [&](CopyId a, CopyId b) {
      return *bytes_[index(a)].constant() > *bytes_[index(b)].constant();
    });
    return copies;
  }

 private:
  // The operand whose memory the step's result takes: one that is changed in place, and freed at once.
  CopyId taken_over(const Step& step) const {
    CopyId in_place;
    if (const auto* elements = std::get_if<ElementwiseStep>(&step.action))
      in_place = elements->in_place;
    if (const auto* selection = std::get_if<SelectionStep>(&step.action))
      in_place = selection->in_place;
    if (!in_place.valid()) return {};
    for (const Step* next = &step + 1; next != plan_.steps.data() + plan_.steps.size(); ++next) {
      const auto* free = std::get_if<FreeStep>(&next->action);
      if (free == nullptr) return {};
      if (free->copy == in_place) return free->copy;
    }
    return {};
  }

  static std::size_t index(CopyId copy) { return static_cast<std::size_t>(copy.value); }

  void add(CopyId id) {
    const Copy& copy = plan_.copies[id];
    bytes_[index(id)] = local_bytes(copy.shape, copy.dtype, copy.layout, mesh_);
    alive_[index(id)] = true;
    total_ = total_ + bytes_[index(id)];
  }

  void remove(CopyId id) {
    if (!alive_[index(id)]) return;
    alive_[index(id)] = false;
    total_ = total_ - bytes_[index(id)];
  }

  const Plan& plan_;
  const Mesh& mesh_;
  std::vector<Amount> bytes_;
  std::vector<bool> alive_;
  Amount total_;
};

std::vector<CopyId> copies_at(const Plan& plan, const Mesh& mesh, int step) {
  Occupancy occupancy(plan, mesh);
  for (int i = 0; i <= step; ++i) occupancy.advance(plan.steps[static_cast<std::size_t>(i)]);
  return occupancy.largest_first();
}

}  // namespace

PeakMemory peak_memory(const Plan& plan, const Mesh& mesh) {
  PeakMemory peak;
  Occupancy occupancy(plan, mesh);
  bool known = true;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (!occupancy.advance(plan.steps[i])) continue;
    known = known && occupancy.total().constant().has_value();
    const Formula higher = max(peak.bytes, Formula(occupancy.total()));
    if (known && (peak.step < 0 || !(higher == peak.bytes))) peak.step = static_cast<int>(i);
    peak.bytes = higher;
  }
  if (known && peak.step >= 0) {
    peak.copies = copies_at(plan, mesh, peak.step);
  } else {
    peak.step = -1;
  }
  return peak;
}

}  // namespace shard

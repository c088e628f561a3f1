#include <algorithm>
#include <map>
#include <vector>

#include "runtime/cost.h"

namespace shard {
namespace {

// The copies that are there, step by step. Their sum is kept as it goes.
class Occupancy {
 public:
  Occupancy(const Plan& plan, const Mesh& mesh)
      : plan_(plan),
        mesh_(mesh),
        bytes_(plan.copies.size()),
        alive_(plan.copies.size(), false),
        memory_(plan.copies.size()),
        users_(plan.copies.size(), 0) {}

  // Whether the step makes a copy: what is there while it runs is then `total`.
  bool advance(const Step& step) {
    if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      remove(free->copy);
      return false;
    }
    if (const CopyId taken = taken_over(step); taken.valid()) remove(taken);
    add(result_of(step), seen_through(step));
    return true;
  }

  // Bytes of the fullest device: of what is placed it holds what lies at one place. Places on different sets of axes
  // are taken to meet on a device, which they do unless the sets overlap.
  Formula total() const {
    Formula total = everywhere_;
    for (const auto& [axes, places] : placed_) {
      Formula fullest;
      for (const auto& [place, bytes] : places) fullest = max(fullest, Formula(bytes));
      total = total + fullest;
    }
    return total;
  }

  // The largest first and the earlier first among equals; of several in the same memory one. REQUIRES: numbers.
  std::vector<CopyId> largest_first() const {
    std::vector<CopyId> copies;
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      const CopyId id{static_cast<std::int32_t>(i)};
      if (!alive_[i] || !is_on_fullest(id)) continue;
      if (std::count(shown.begin(), shown.end(), memory_[i]) != 0) continue;
      copies.push_back(id);
      shown.push_back(memory_[i]);
    }
    std::stable_sort(copies.begin(), copies.end(), [&](CopyId a, CopyId b) {
      return *bytes_[index(a)].constant() > *bytes_[index(b)].constant();
    });
    return copies;
  }

 private:
  using Places = std::map<std::vector<Placement>, Amount>;

  static std::vector<AxisId> placing_axes(const Copy& copy) {
    std::vector<AxisId> axes;
    for (const Placement& place : copy.layout.placed) axes.push_back(place.axis);
    return axes;
  }

  // The bytes that the copy counts towards: of its place, or of all devices.
  Amount& counted(const Copy& copy) {
    return copy.layout.placed.empty() ? everywhere_
                                      : placed_[placing_axes(copy)][copy.layout.placed];
  }

  bool is_on_fullest(CopyId id) const {
    const Copy& copy = plan_.copies[id];
    if (copy.layout.placed.empty()) return true;
    const Places& places = placed_.at(placing_axes(copy));
    const auto fullest = std::max_element(
        places.begin(), places.end(),
        [](const auto& a, const auto& b) { return *a.second.constant() < *b.second.constant(); });
    return fullest->first == copy.layout.placed;
  }

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

  // The operand whose elements a Reshape gives another shape, where they lie. What changes its type is moved.
  CopyId seen_through(const Step& step) const {
    const auto* selection = std::get_if<SelectionStep>(&step.action);
    if (selection == nullptr || selection->kind != SelectionKind::Reshape) return {};
    const CopyId operand = selection->operands.front();
    return plan_.copies[operand].dtype == plan_.copies[selection->result].dtype ? operand
                                                                                : CopyId{};
  }

  void add(CopyId id, CopyId same_memory) {
    const Copy& copy = plan_.copies[id];
    const bool shares = same_memory.valid() && alive_[index(same_memory)];
    bytes_[index(id)] = local_bytes(copy.shape, copy.dtype, copy.layout, mesh_);
    alive_[index(id)] = true;
    memory_[index(id)] = shares ? memory_[index(same_memory)] : index(id);
    if (++users_[memory_[index(id)]] > 1) return;
    Amount& bytes = counted(copy);
    bytes = bytes + bytes_[index(id)];
  }

  void remove(CopyId id) {
    if (!alive_[index(id)]) return;
    alive_[index(id)] = false;
    if (--users_[memory_[index(id)]] > 0) return;
    Amount& bytes = counted(plan_.copies[id]);
    bytes = bytes - bytes_[index(id)];
  }

  const Plan& plan_;
  const Mesh& mesh_;
  std::vector<Amount> bytes_;
  std::vector<bool> alive_;
  std::vector<std::size_t> memory_;  // by copy: the first copy in the same memory
  std::vector<int> users_;           // by that: copies in it that are alive
  Amount everywhere_;
  std::map<std::vector<AxisId>, Places> placed_;
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
    const Formula total = occupancy.total();
    known = known && total.constant().has_value();
    const Formula higher = max(peak.bytes, total);
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

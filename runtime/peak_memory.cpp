#include "runtime/peak_memory.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "runtime/cost.h"
#include "runtime/fingerprint.h"

namespace shard {
namespace {

// The operand that the step may change in place; invalid if there is none.
CopyId changed_in_place(const Step& step) {
  if (const auto* elements = std::get_if<ElementwiseStep>(&step.action)) return elements->in_place;
  if (const auto* selection = std::get_if<SelectionStep>(&step.action)) return selection->in_place;
  return {};
}

// The copies that are there, step by step. Their sum is kept as it goes.
class Occupancy {
 public:
  Occupancy(const Plan& plan, const std::vector<Event>& events, const Mesh& mesh)
      : plan_(plan),
        events_(events),
        mesh_(mesh),
        bytes_(plan.copies.size()),
        alive_(plan.copies.size(), false),
        memory_(plan.copies.size()),
        users_(plan.copies.size(), 0) {}

  // Whether the event makes a copy: what is there while it runs is then `total`. `alone`: no other step reads meanwhile what
  // this one changes in place.
  bool advance(std::size_t event, bool alone = true) {
    const Step* step = events_[event].step;
    if (step == nullptr) {
      remove(events_[event].freed);
      return false;
    }
    if (const CopyId taken = taken_over(event); taken.valid() && alone) remove(taken);
    add(result_of(*step), seen_through(*step));
    return true;
  }

  // `total`, if sizes are numbers and nothing is placed.
  std::optional<Rational> plain_total() const {
    return placed_.empty() ? everywhere_.constant() : std::nullopt;
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
    std::vector<bool> shown(alive_.size(), false);  // by memory
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      const CopyId id{static_cast<std::int32_t>(i)};
      if (!alive_[i] || !is_on_fullest(id)) continue;
      if (shown[memory_[i]]) continue;
      copies.push_back(id);
      shown[memory_[i]] = true;
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
  CopyId taken_over(std::size_t event) const {
    const CopyId in_place = changed_in_place(*events_[event].step);
    if (!in_place.valid()) return {};
    for (std::size_t next = event + 1; next < events_.size(); ++next) {
      if (events_[next].step != nullptr) return {};
      if (events_[next].freed == in_place) return in_place;
    }
    return {};
  }

  // Reckoned once for copies that are alike.
  const Amount& bytes_of(const Copy& copy) {
    Fingerprint kind;
    kind.add(copy.shape, copy.dtype);
    kind.add(copy.layout);
    const auto [known, is_new] = kinds_.try_emplace(kind.bytes());
    if (is_new) known->second = local_bytes(copy.shape, copy.dtype, copy.layout, mesh_);
    return known->second;
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
    bytes_[index(id)] = bytes_of(copy);
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
  const std::vector<Event>& events_;
  const Mesh& mesh_;
  std::unordered_map<std::string, Amount> kinds_;
  std::vector<Amount> bytes_;
  std::vector<bool> alive_;
  std::vector<std::size_t> memory_;  // by copy: the first copy in the same memory
  std::vector<int> users_;           // by that: copies in it that are alive
  Amount everywhere_;
  std::map<std::vector<AxisId>, Places> placed_;
};

std::vector<CopyId> copies_at(const Plan& plan, const std::vector<Event>& events, const Mesh& mesh,
                              int event) {
  Occupancy occupancy(plan, events, mesh);
  for (int i = 0; i <= event; ++i) occupancy.advance(static_cast<std::size_t>(i));
  return occupancy.largest_first();
}

std::vector<MemoryUse> uses_over_time(const Plan& plan, const std::vector<Event>& events,
                                      const Mesh& mesh) {
  Occupancy occupancy(plan, events, mesh);
  std::vector<MemoryUse> uses;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (occupancy.advance(i)) uses.push_back({static_cast<int>(i), occupancy.total()});
  }
  return uses;
}

// The event at which the peak is reached first, and its bytes, of which only the greatest are kept; nullopt if they are no
// plain numbers.
std::optional<std::pair<int, Rational>> plain_peak(const Plan& plan,
                                                   const std::vector<Event>& events,
                                                   const Mesh& mesh) {
  Occupancy occupancy(plan, events, mesh);
  std::optional<std::pair<int, Rational>> peak;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!occupancy.advance(i)) continue;
    const auto total = occupancy.plain_total();
    if (!total) return std::nullopt;
    if (!peak || *total > peak->second) peak = {static_cast<int>(i), *total};
  }
  return peak;
}

// Taken half by half: with sizes missing, a maximum grows with each total that may be the highest.
Formula highest(std::span<const Formula> totals) {
  if (totals.empty()) return {};
  if (totals.size() == 1) return totals.front();
  const std::size_t middle = totals.size() / 2;
  return max(highest(totals.first(middle)), highest(totals.subspan(middle)));
}

}  // namespace

std::vector<MemoryUse> memory_over_time(const Plan& plan, const Mesh& mesh) {
  return uses_over_time(plan, events_of(plan), mesh);
}

PeakMemory peak_memory(const Plan& plan, const Mesh& mesh) {
  return peak_memory(plan, events_of(plan), mesh);
}

PeakMemory peak_memory(const Plan& plan, const std::vector<Event>& events, const Mesh& mesh) {
  if (const auto peak = plain_peak(plan, events, mesh)) {
    return {.bytes = Formula(peak->second),
            .step = peak->first,
            .copies = copies_at(plan, events, mesh, peak->first)};
  }
  const std::vector<MemoryUse> uses = uses_over_time(plan, events, mesh);
  std::vector<Formula> totals;
  for (const MemoryUse& use : uses) totals.push_back(use.bytes);
  PeakMemory peak{.bytes = highest(totals), .copies = {}};
  const bool known =
      !totals.empty() && std::all_of(totals.begin(), totals.end(),
                                     [](const auto& t) { return t.constant().has_value(); });
  if (!known) return peak;
  const auto first = std::find(totals.begin(), totals.end(), peak.bytes) - totals.begin();
  peak.step = uses[static_cast<std::size_t>(first)].step;
  peak.copies = copies_at(plan, events, mesh, peak.step);
  return peak;
}

std::vector<MemoryAt> memory_on_timeline(const Plan& plan, const Mesh& mesh,
                                         const std::vector<Interval>& when) {
  SHARD_CHECK(when.size() == plan.steps.size());
  // When a step happens: a FreeStep when all that need its copy have ended.
  std::vector<std::pair<double, std::size_t>> moments;
  std::map<CopyId, double> needed;
  std::set<CopyId> read;
  for (const Step& step : plan.steps) {
    for (const CopyId operand : operands_of(step)) read.insert(operand);
  }
  const auto next_start = [&](std::size_t i) {
    while (++i < plan.steps.size()) {
      if (result_of(plan.steps[i]).valid()) return when[i].start;
    }
    return 0.0;
  };
  std::vector<bool> alone(plan.steps.size(), true);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      // A result that nothing reads is there until the step that it makes room for.
      const double last = needed[free->copy];
      moments.emplace_back(read.count(free->copy) != 0 ? last : std::max(last, next_start(i)), i);
      continue;
    }
    moments.emplace_back(when[i].start, i);
    if (const CopyId changed = changed_in_place(step); changed.valid())
      alone[i] = needed[changed] <= when[i].start;
    needed[result_of(step)] = when[i].end;
    for (const CopyId operand : operands_of(step))
      needed[operand] = std::max(needed[operand], when[i].end);
  }
  moments.erase(std::remove_if(moments.begin(), moments.end(),
                               [](const auto& moment) { return std::isinf(moment.first); }),
                moments.end());
  std::stable_sort(moments.begin(), moments.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });

  const std::vector<Event> events = events_of(plan);
  Occupancy occupancy(plan, events, mesh);
  std::vector<MemoryAt> uses;
  for (const auto& [seconds, i] : moments) {
    occupancy.advance(i, alone[i]);
    const auto bytes = occupancy.total().constant();
    SHARD_CHECK(bytes.has_value());
    if (!uses.empty() && uses.back().seconds == seconds)
      uses.back().bytes = bytes->to_double();
    else
      uses.push_back({seconds, bytes->to_double()});
  }
  return uses;
}

}  // namespace shard

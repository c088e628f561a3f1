#include "runtime/cost/occupancy.h"

#include <algorithm>
#include <cstdint>

#include "base/contains.h"
#include "runtime/cost/cost.h"

namespace shard {

CopyId changed_in_place(const Step& step) {
  if (const auto* elements = std::get_if<ElementwiseStep>(&step.action)) return elements->in_place;
  if (const auto* selection = std::get_if<SelectionStep>(&step.action)) return selection->in_place;
  return {};
}

Occupancy::Occupancy(const Plan& plan, const std::vector<Event>& events, const Mesh& mesh)
    : plan_(plan),
      events_(events),
      mesh_(mesh),
      places_(plan, mesh),
      bytes_(plan.copies.size(), nullptr),
      alive_(plan.copies.size(), false),
      memory_(plan.copies.size()),
      first_version_(plan.copies.size()),
      users_(plan.copies.size(), 0),
      placed_(places_.names().size()) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].step == nullptr) continue;
    const CopyId changed = taken_over(i);
    if (!changed.valid() || ends_of(*events[i].step, plan).to.empty()) continue;
    const auto* selection = std::get_if<SelectionStep>(&events[i].step->action);
    if (selection == nullptr || selection->kind != SelectionKind::Update) continue;
    const CopyId first = first_version_[index(changed)];
    first_version_[index(selection->result)] = first.valid() ? first : changed;
  }
}

bool Occupancy::advance(std::size_t event, bool alone) {
  const Step* step = events_[event].step;
  if (step == nullptr) {
    remove(events_[event].freed);
    return false;
  }
  const CopyId first = first_version_[index(result_of(*step))];
  if (first.valid()) {
    add(result_of(*step), first);
    return true;
  }
  const CopyId taken = taken_over(event);
  if (!taken.valid() || !alone) {
    add(result_of(*step), seen_through(*step));
    return true;
  }
  // A view of it may be read for the last time just here: an element that is put in the place of another one.
  const CopyId result = result_of(*step);
  const bool stays = ends_behind(event, taken) && same_bytes(taken, result);
  if (stays) add(result, taken);
  remove(taken);
  if (!stays) add(result, {});
  return true;
}

Formula Occupancy::total() const {
  Formula most;
  for (const Amount& placed : placed_) most = max(most, Formula(placed));
  return Formula(everywhere_) + most;
}

std::optional<Rational> Occupancy::plain_total() const {
  const auto everywhere = everywhere_.constant();
  const auto place = fullest();
  if (!everywhere || !place) return std::nullopt;
  return *everywhere + *placed_[*place].constant();
}

std::optional<std::size_t> Occupancy::fullest() const {
  std::size_t most = 0;
  for (std::size_t place = 0; place < placed_.size(); ++place) {
    const auto bytes = placed_[place].constant();
    if (!bytes) return std::nullopt;
    if (*bytes > *placed_[most].constant()) most = place;
  }
  return most;
}

std::string Occupancy::fullest_place() const {
  const auto place = fullest();
  return place ? places_.names()[*place] : "";
}

std::vector<CopyId> Occupancy::largest_first() const {
  const auto place = fullest();
  std::vector<CopyId> copies;
  std::vector<bool> shown(alive_.size(), false);  // by memory
  for (std::size_t i = 0; i < alive_.size(); ++i) {
    const CopyId id{static_cast<std::int32_t>(i)};
    if (!alive_[i] || shown[memory_[i]] || plan_.copies[owner_of(id)].in_fast_memory) continue;
    const auto& placed = plan_.copies[owner_of(id)].layout.placed;
    if (!placed.empty() && !contains(places_.of(placed), *place)) continue;
    // A view keeps all of the array that it is a part of.
    const bool is_whole = *bytes_[i] == *bytes_[memory_[i]];
    copies.push_back(is_whole ? id : owner_of(id));
    shown[memory_[i]] = true;
  }
  std::stable_sort(copies.begin(), copies.end(), [&](CopyId a, CopyId b) {
    return *bytes_[index(a)]->constant() > *bytes_[index(b)]->constant();
  });
  return copies;
}

// The operand whose memory the step's result takes: changed in place and freed right after.
CopyId Occupancy::taken_over(std::size_t event) const {
  const CopyId in_place = changed_in_place(*events_[event].step);
  if (!in_place.valid()) return {};
  for (std::size_t next = event + 1; next < events_.size(); ++next) {
    if (events_[next].step != nullptr) return {};
    if (events_[next].freed == in_place) return in_place;
  }
  return {};
}

// Whether others have the memory of the copy, and all of them are freed right after the event.
bool Occupancy::ends_behind(std::size_t event, CopyId copy) const {
  if (!alive_[index(copy)]) return false;
  int users = users_[memory_[index(copy)]];
  if (users == 1) return false;
  for (std::size_t next = event + 1; next < events_.size() && events_[next].step == nullptr;
       ++next) {
    const CopyId freed = events_[next].freed;
    if (alive_[index(freed)] && memory_[index(freed)] == memory_[index(copy)]) --users;
  }
  return users == 0;
}

// Whether `result` fills the memory that `copy` is in.
bool Occupancy::same_bytes(CopyId copy, CopyId result) {
  const Copy& owner = plan_.copies[owner_of(copy)];
  const Copy& made = plan_.copies[result];
  return owner.in_fast_memory == made.in_fast_memory && owner.layout.placed == made.layout.placed &&
         bytes_of(owner) == bytes_of(made);
}

// The operand of a view.
CopyId Occupancy::seen_through(const Step& step) const {
  const auto* selection = std::get_if<SelectionStep>(&step.action);
  if (selection == nullptr) return {};
  const CopyId operand = selection->operands.front();
  const Copy& seen = plan_.copies[operand];
  const Copy& result = plan_.copies[selection->result];
  const bool leaves = seen.in_fast_memory && !result.in_fast_memory;  // a kernel that writes it
  return is_view(*selection, seen, result) && !leaves ? operand : CopyId{};
}

std::size_t Occupancy::KindHash::operator()(const Kind& kind) const {
  // Addresses are multiples of a power of two; a prime keeps the two lists from cancelling out.
  const auto shape = reinterpret_cast<std::uintptr_t>(kind.shape);
  const auto dims = reinterpret_cast<std::uintptr_t>(kind.dims);
  return shape * 31 + dims + static_cast<std::size_t>(kind.dtype);
}

const Amount& Occupancy::bytes_of(const Copy& copy) {
  const Kind kind{copy.shape.identity(), copy.layout.dims.identity(), copy.dtype};
  const auto [known, is_new] = kinds_.try_emplace(kind);
  if (is_new) known->second = local_bytes(copy.shape, copy.dtype, copy.layout, mesh_);
  return known->second;
}

void Occupancy::add(CopyId id, CopyId same_memory) {
  const bool shares = same_memory.valid() && users_[memory_[index(same_memory)]] > 0;
  bytes_[index(id)] = &bytes_of(plan_.copies[id]);
  alive_[index(id)] = true;
  memory_[index(id)] = shares ? memory_[index(same_memory)] : index(id);
  if (++users_[memory_[index(id)]] == 1) count(owner_of(id), true);
}

void Occupancy::remove(CopyId id) {
  if (!alive_[index(id)]) return;
  alive_[index(id)] = false;
  if (--users_[memory_[index(id)]] == 0) count(owner_of(id), false);
}

void Occupancy::count(CopyId id, bool there) {
  if (plan_.copies[id].in_fast_memory) return;
  const Amount& bytes = *bytes_[index(id)];
  const auto change = [&](Amount& sum) { sum = there ? sum + bytes : sum - bytes; };
  const auto& placed = plan_.copies[id].layout.placed;
  if (placed.empty()) return change(everywhere_);
  for (const std::size_t place : places_.of(placed)) change(placed_[place]);
}

}  // namespace shard

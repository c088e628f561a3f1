#include "interpreter/ir/holdings.h"

#include <algorithm>
#include <utility>

namespace shard {

const LiveCopies& Holdings::of(ArrayId array) const {
  static const LiveCopies none;
  return has(array) ? copies_[array] : none;
}

LiveCopies& Holdings::change(ArrayId array) {
  while (!has(array)) copies_.add({});
  return copies_[array];
}

const LiveCopy* Holdings::newest_written(ArrayId array) const {
  const LiveCopies& copies = of(array);
  const auto found = std::find_if(copies.rbegin(), copies.rend(),
                                  [](const LiveCopy& copy) { return !copy.inferred; });
  return found == copies.rend() ? nullptr : &*found;
}

bool Holdings::is_planned(ArrayId array) const {
  const LiveCopies& copies = of(array);
  return std::any_of(copies.begin(), copies.end(),
                     [](const LiveCopy& copy) { return copy.copy.valid(); });
}

void Holdings::end_plan(ArrayId array) {
  // Most are inputs that no plan has; one that is changed is no longer shared with other scopes.
  if (!is_planned(array)) return;
  for (LiveCopy& copy : change(array)) copy.copy = {};
}

void Holdings::pass(ArrayId array, ArrayId parameter, const LiveCopy& copy) {
  LiveCopies copies;
  for (const LiveCopy& live : of(array)) {
    if (live.copy.valid() && live.layout != copy.layout) copies.push_back(live);
  }
  copies.push_back(copy);
  for (const LiveCopy& live : copies) shared_.insert(live.copy);
  change(parameter) = std::move(copies);
}

Holdings Holdings::supposed(const Mesh& mesh) const {
  Supposed& known = supposed_;
  if (!(known.mesh == mesh) || known.written.size() > copies_.size())
    known = {.mesh = mesh, .written = {}, .copies = {}};
  copies_.visit_changed(known.written, [&](ArrayId id, const LiveCopies& copies) {
    LiveCopies supposed;
    for (const LiveCopy& copy : copies)
      supposed.push_back({.layout = copy.layout, .copy = {}, .inferred = copy.inferred});
    if (static_cast<std::size_t>(id.value) < known.copies.size()) {
      known.copies[id] = std::move(supposed);
    } else {
      known.copies.add(std::move(supposed));
    }
  });
  known.written = copies_;
  Holdings result = *this;
  result.copies_ = known.copies;
  result.shared_.clear();
  return result;
}

void Holdings::append_from(const Holdings& later, std::size_t first) {
  later.shared_.for_each([&](CopyId copy) { shared_.insert(copy); });
  const bool all_adopted = copies_.is_same(adopted_);
  for (std::size_t i = first; i < later.copies_.size(); ++i) {
    const ArrayId array{static_cast<std::int32_t>(i)};
    change(array) = later.copies_[array];
  }
  // Nothing names the new ones, so that no mesh has to look at them.
  if (all_adopted) adopted_ = copies_;
}

void Holdings::note_adopted(const PersistentMap<std::string, ArrayId>& names) {
  adopted_ = copies_;
  names_adopted_ = names;
}

}  // namespace shard

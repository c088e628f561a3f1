#include "runtime/collective/reduction_order.h"

#include <algorithm>

#include "base/check.h"
#include "runtime/network/axis_group.h"
#include "runtime/network/link_plan.h"

namespace shard {
namespace {

// Blocks of fewer elements are cheaper to sum many at a time; longer ones are summed in place (bench/README.md).
constexpr std::int64_t kShortBlock = 64;

// Groups segments that are summed in the same order along the first axis, within those along the second one, …
// Contiguous segments stay as they are, which is faster to read.
void sort_by_folds(Variant& variant) {
  const auto& folds = variant.folds;
  const auto gap =
      std::adjacent_find(variant.segments.begin(), variant.segments.end(),
                         [](const Segment& a, const Segment& b) { return a.end != b.begin; });
  if (gap == variant.segments.end()) return;
  std::stable_sort(variant.segments.begin(), variant.segments.end(),
                   [&folds](const Segment& a, const Segment& b) {
                     for (const Fold& fold : folds) {
                       const std::int64_t own = a.place / fold.stride % fold.length;
                       const std::int64_t other = b.place / fold.stride % fold.length;
                       if (own != other) return own < other;
                     }
                     return false;
                   });
}

}  // namespace

ReducePlan::ReducePlan(const std::vector<AxisId>& axes, const Machine& machine) {
  for (const AxisGroup& group : groups_of(axes, machine)) {
    Torus torus = *torus_of(group, machine.mesh);
    levels_.push_back({group.axes, std::move(torus), rates_of(group), 1, {}, {}, {}, {}});
    add_sums(levels_.back());
  }
  SHARD_CHECK(!levels_.empty());
  for (std::size_t i = levels_.size(); i-- > 1;)
    levels_[i - 1].inner = levels_[i].inner * levels_[i].torus.places();
}

void ReducePlan::add_sums(Level& level) {
  for (const TorusAxis& axis : level.torus.axes()) {
    const bool is_network = level.torus.is_network();
    auto& by_half = level.sums.emplace_back();
    for (const Half half : {Half::First, Half::Second})
      by_half.emplace_back(axis, is_network, half);
  }
}

std::vector<std::int64_t> ReducePlan::places_of(const DeviceArray& array, const Mesh& mesh) const {
  std::vector<std::int64_t> places(array.shards.size(), 0);
  for (const Level& level : levels_) {
    const auto indices = indices_along(level.axes, array, mesh);
    for (std::size_t s = 0; s < places.size(); ++s) places[s] += indices[s] * level.inner;
  }
  return places;
}

std::vector<std::size_t> ReducePlan::shards(const DeviceArray& array, const Mesh& mesh) const {
  std::vector<AxisId> axes;
  for (const Level& level : levels_) axes.insert(axes.end(), level.axes.begin(), level.axes.end());
  return shard_parts_along(axes, array, mesh);
}

const Schedule& ReducePlan::schedule_of(Level& level, std::int64_t bytes) {
  const auto known = level.schedules.find(bytes);
  if (known != level.schedules.end()) return known->second;
  return level.schedules
      .emplace(bytes, schedule_for(CollectiveKind::ReduceScatter, level.torus, bytes, level.rates))
      .first->second;
}

const ReducePlan::Intervals& ReducePlan::intervals_of(Level& level, std::int64_t elements,
                                                      std::int64_t bytes) {
  const auto [found, is_new] = level.intervals.try_emplace({elements, bytes});
  Intervals& intervals = found->second;
  if (!is_new) return intervals;
  std::int64_t covered = 0;
  const std::vector<Part>& parts = schedule_of(level, bytes).parts;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::int64_t end = elements_of(parts[p], elements).second;
    if (end > covered) intervals.push_back({end, &parts[p]});
    covered = std::max(covered, end);
  }
  SHARD_CHECK(covered == elements);  // the parts cover the block
  return intervals;
}

std::vector<Fold> ReducePlan::folds_of(const std::vector<const Interval*>& chosen) {
  std::vector<Fold> folds;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    Level& level = levels_[i];
    const Part& part = *chosen[i]->part;
    if (part.turn > 0) {
      const std::int64_t places = level.torus.places();
      const auto hops_to = [&level, &part](std::int64_t place) {
        return reduce_hops(part, level.torus, place);
      };
      RingSums& sums = level.turned.try_emplace(&part, places, hops_to).first->second;
      folds.push_back({places, level.inner, &sums});
      continue;
    }
    const auto& order = part.order;
    const bool second = part.half == Half::Second;
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
      folds.push_back({level.torus.axes()[*axis].length, level.torus.stride(*axis) * level.inner,
                       &level.sums[*axis][second ? 1 : 0]});
    }
  }
  return folds;
}

const std::vector<Variant>& ReducePlan::variants(std::int64_t first, std::int64_t block,
                                                 std::int64_t elements, const Rational& held) {
  const std::array<std::int64_t, 3> size = {first, block, elements};
  const auto [found, is_new] = variants_.try_emplace({size, held});
  if (is_new) found->second = found_variants(first, block, elements, held);
  return found->second;
}

std::vector<Variant> ReducePlan::found_variants(std::int64_t first, std::int64_t block,
                                                std::int64_t elements, const Rational& held) {
  std::vector<Variant> variants;
  std::vector<std::vector<const Part*>> keys;  // by variant
  std::vector<const Part*> key;
  std::vector<const Intervals*> intervals;
  std::vector<std::int64_t> group_places;
  for (const Level& level : levels_) group_places.push_back(level.torus.places());
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const std::int64_t bytes =
        exchanged_bytes(CollectiveKind::ReduceScatter, group_places, i, held);
    intervals.push_back(&intervals_of(levels_[i], levels_[i].inner * block, bytes));
  }
  std::vector<const Interval*> chosen(levels_.size());
  for (std::int64_t at = 0, place = first; at < elements; at += block, ++place) {
    for (std::int64_t begin = 0; begin < block && at + begin < elements;) {
      std::int64_t end = block;
      key.clear();
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        // Where the place's block begins in the block of this level.
        const std::int64_t offset = place % levels_[i].inner * block;
        chosen[i] = &*std::upper_bound(
            intervals[i]->begin(), intervals[i]->end(), offset + begin,
            [](std::int64_t element, const Interval& interval) { return element < interval.end; });
        end = std::min(end, chosen[i]->end - offset);
        key.push_back(chosen[i]->part);
      }
      const auto known = std::find(keys.begin(), keys.end(), key);
      const auto v = static_cast<std::size_t>(known - keys.begin());
      if (known == keys.end()) {
        keys.push_back(key);
        variants.push_back({folds_of(chosen), {}});
      }
      for (const Fold& fold : variants[v].folds)
        fold.sums->prepare(place / fold.stride % fold.length);
      variants[v].segments.push_back({at + begin, std::min(at + end, elements), place});
      begin = end;
    }
  }
  if (block < kShortBlock) {
    for (Variant& variant : variants) sort_by_folds(variant);
  }
  return variants;
}

ReducePlan& ReducePlans::plan(const std::vector<AxisId>& axes, const Machine& machine) {
  auto& plan = plans_[axes];
  if (plan == nullptr) plan = std::make_unique<ReducePlan>(axes, machine);
  return *plan;
}

}  // namespace shard

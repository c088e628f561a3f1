#include "interpreter/planning/layout_table.h"

#include <algorithm>
#include <utility>

#include "base/cancellation.h"
#include "base/contains.h"
#include "interpreter/planning/local_layout.h"
#include "runtime/element/dtype.h"

namespace shard::planning {

namespace {

constexpr AxisMask bit_at(std::size_t axis) { return AxisMask{1} << axis; }
// A dimension that the other array lacks.
constexpr std::uint8_t kMissing = 255;
using Dimensions = std::vector<std::uint8_t>;

Dimensions dimensions_in(const Labels& labels, const Labels& others) {
  Dimensions dimensions;
  for (const int label : labels) {
    const auto place = position_of(others, label);
    dimensions.push_back(place ? static_cast<std::uint8_t>(*place) : kMissing);
  }
  return dimensions;
}

// The splits of an array on the dimensions that another one has too, as that one's.
Places renamed(const Places& places, const Dimensions& to) {
  Places result;
  for (std::size_t a = 0; a < kMostAxes; ++a) {
    if (places.splits(a) && to[places.dimension(a)] != kMissing)
      result.put(a, to[places.dimension(a)], places.position[a]);
  }
  return result;
}

// Of the stops, those that split the shared dimensions alike, by these splits.
using Groups = std::unordered_map<Places, std::vector<std::uint32_t>, PlacesHash>;

Groups grouped(const std::vector<Stop>& stops, const Dimensions& to) {
  Groups groups;
  for (std::uint32_t i = 0; i < stops.size(); ++i)
    groups[renamed(stops[i].places, to)].push_back(i);
  return groups;
}

// Adds what an operand splits and what it leaves unreduced to the result's places; what the result lacks is summed over.
void add_operand(const Places& operand, const Dimensions& to, Places& result) {
  for (std::size_t a = 0; a < kMostAxes; ++a) {
    if (operand.is_idle(a)) continue;
    const std::uint8_t place =
        operand.splits(a) ? to[operand.dimension(a)] : static_cast<std::uint8_t>(kMissing);
    if (place == kMissing)
      result.where[a] = Places::kUnreduced;
    else
      result.put(a, place, operand.position[a]);
  }
}

// Partial maxima cannot be multiplied.
bool is_usable(const LayoutTable& table, const Stop& stop) {
  return table.combination == Combination::Sum ||
         used_axes(stop.places) == splitting_axes(stop.places);
}

}  // namespace

AxisMask used_axes(const Places& places) {
  AxisMask axes = 0;
  for (std::size_t a = 0; a < kMostAxes; ++a) {
    if (!places.is_idle(a)) axes |= bit_at(a);
  }
  return axes;
}

AxisMask splitting_axes(const Places& places) {
  AxisMask axes = 0;
  for (std::size_t a = 0; a < kMostAxes; ++a) {
    if (places.splits(a)) axes |= bit_at(a);
  }
  return axes;
}

void Meeting::keep(Local local) {
  const auto [entry, is_new] = found_.try_emplace(local.places, table_.locals.size());
  if (is_new)
    table_.locals.push_back(std::move(local));
  else if (lighter(local.weight, table_.locals[entry->second].weight))
    table_.locals[entry->second] = std::move(local);
}

void Meeting::find(const Product& product, std::size_t cut, LocalPrice& price) {
  const auto& operands = table_.cuts[cut].operands;
  const std::vector<Stop>& lefts = operands[0]->stops;
  const std::vector<Stop>& rights = operands[1]->stops;
  const Dimensions right_to_left = dimensions_in(product.right.labels, product.left.labels);
  const Dimensions left_to_right = dimensions_in(product.left.labels, product.right.labels);
  const Dimensions left_to_result = dimensions_in(product.left.labels, table_.term->labels);
  const Dimensions right_to_result = dimensions_in(product.right.labels, table_.term->labels);
  Dimensions left_shared = left_to_right;
  for (std::size_t d = 0; d < left_shared.size(); ++d) {
    if (left_shared[d] != kMissing) left_shared[d] = static_cast<std::uint8_t>(d);
  }
  const Groups groups = grouped(rights, right_to_left);
  std::vector<AxisMask> right_used;
  for (const Stop& right : rights) {
    const AxisMask axes = used_axes(right.places);
    right_used.push_back(is_usable(*operands[1], right) ? axes : ~AxisMask{0});
  }
  for (std::uint32_t i = 0; i < lefts.size(); ++i) {
    throw_if_cancelled();
    const Stop& left = lefts[i];
    const auto least = [&](const Stop& right) {
      return both(left.weight, right.weight).seconds + price.least_seconds();
    };
    if (rights.empty() || is_too_much(least(rights.front()))) break;
    const Places shared = renamed(left.places, left_shared);
    const auto group = groups.find(shared);
    if (group == groups.end() || !is_usable(*operands[0], left)) continue;
    const AxisMask common = used_axes(shared);
    const AxisMask used = used_axes(left.places);
    Places so_far;
    add_operand(left.places, left_to_result, so_far);
    for (const std::uint32_t j : group->second) {
      const Stop& right = rights[j];
      if (is_too_much(least(right)) || !works()) break;
      if ((used & right_used[j]) != common) continue;
      Places result = so_far;
      add_operand(right.places, right_to_result, result);
      const Weight weight =
          both(left.weight, right.weight) + price.weight(left.places, right.places, result);
      if (is_too_much(weight.seconds) || !is_held(left.places, right.places, result, price))
        continue;
      keep({result, weight, {i, j}, cut});
    }
  }
}

void Meeting::find(const Reduction& reduction, std::size_t cut, LocalPrice& price) {
  const LayoutTable& operand = *table_.cuts[cut].operands[0];
  const std::vector<Stop>& stops = operand.stops;
  const Dimensions to_result = dimensions_in(reduction.operand.labels, table_.term->labels);
  const bool fits = operand.combination == table_.combination;
  for (std::uint32_t i = 0; i < stops.size() && works(); ++i) {
    const Stop& stop = stops[i];
    if (!fits && used_axes(stop.places) != splitting_axes(stop.places)) continue;
    Places result;
    add_operand(stop.places, to_result, result);
    const Weight weight = stop.weight + price.weight(stop.places, {}, result);
    if (is_too_much(weight.seconds) || !is_held(stop.places, {}, result, price)) continue;
    keep({result, weight, {i}, cut});
  }
}

void Meeting::find(const Softmax& softmax, std::size_t cut, LocalPrice& price) {
  const std::vector<Stop>& stops = table_.cuts[cut].operands[0]->stops;
  const Dimensions to_result = dimensions_in(softmax.operand.labels, table_.term->labels);
  for (std::uint32_t i = 0; i < stops.size() && works(); ++i) {
    const Stop& stop = stops[i];
    if (used_axes(stop.places) != splitting_axes(stop.places)) continue;
    Places result;
    add_operand(stop.places, to_result, result);
    if (is_too_much(stop.weight.seconds)) break;
    const Weight weight = stop.weight + price.weight(stop.places, {}, result);
    if (is_too_much(weight.seconds) || !is_held(stop.places, {}, result, price)) continue;
    keep({result, weight, {i}, cut});
  }
}

namespace {

// Operands that have met: the splits of the labels so far, in the result's dimensions, and what is unreduced.
struct Joint {
  Places places;
  std::uint64_t partial = 0;  // which operands are partial sums
  Weight weight;
  std::vector<std::uint32_t> parts;
};

// nullopt if an axis would be used in two ways. Partial sums are to be over the same axes.
std::optional<Places> joined(const Joint& joint, const Places& operand, const Dimensions& to) {
  Places places = joint.places;
  Places own;
  add_operand(operand, to, own);
  AxisMask unreduced = 0;
  AxisMask before = 0;
  for (std::size_t a = 0; a < kMostAxes; ++a) {
    if (own.is_unreduced(a)) unreduced |= bit_at(a);
    if (joint.places.is_unreduced(a)) before |= bit_at(a);
    if (own.is_idle(a)) continue;
    const bool is_free = places.is_idle(a);
    if (!is_free && (own.where[a] != places.where[a] || own.position[a] != places.position[a]))
      return std::nullopt;
    places.where[a] = own.where[a];
    places.position[a] = own.position[a];
  }
  if (unreduced != 0 && joint.partial != 0 && unreduced != before) return std::nullopt;
  return places;
}

using Joints = std::vector<Joint>;

bool is_quicker(const Joint& a, const Joint& b) { return a.weight.seconds < b.weight.seconds; }

// The lightest of those that are split alike, the quickest first.
void reduce_to_lightest(Joints& joints) {
  std::unordered_map<Places, std::vector<std::size_t>, PlacesHash> numbers;
  Joints kept;
  for (Joint& joint : joints) {
    std::vector<std::size_t>& alike = numbers[joint.places];
    const auto known = std::find_if(alike.begin(), alike.end(), [&](std::size_t number) {
      return kept[number].partial == joint.partial;
    });
    if (known == alike.end()) {
      alike.push_back(kept.size());
      kept.push_back(std::move(joint));
    } else if (lighter(joint.weight, kept[*known].weight)) {
      kept[*known] = std::move(joint);
    }
  }
  std::stable_sort(kept.begin(), kept.end(), is_quicker);
  joints = std::move(kept);
}

// The dimensions of the result that the operands so far have, where this operand has them too.
Dimensions shared_dimensions(const std::vector<Term>& operands, std::size_t count,
                             const Labels& labels) {
  Dimensions shared;
  for (std::size_t d = 0; d < labels.size(); ++d) {
    const bool before =
        std::any_of(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(count),
                    [&](const Term& term) { return contains(term.labels, labels[d]); });
    const bool both = before && contains(operands[count].labels, labels[d]);
    shared.push_back(both ? static_cast<std::uint8_t>(d) : kMissing);
  }
  return shared;
}

bool is_array(const Term& term) { return std::holds_alternative<Source>(term.node); }

// By operand of the term.
std::vector<bool> marks_of(std::uint64_t partial, std::size_t count) {
  std::vector<bool> marks;
  for (std::size_t i = 0; i < count; ++i) marks.push_back((partial >> i & 1U) != 0);
  return marks;
}

// That of operands that read the same is the first one's.
std::uint64_t with_repeated(std::uint64_t partial, const std::vector<Term>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto same = same_before(operands, i);
    if (same && (partial >> *same & 1U) != 0) partial |= std::uint64_t{1} << i;
  }
  return partial;
}

}  // namespace

void Meeting::find(const Elementwise& elements, std::size_t cut, LocalPrice& price) {
  const std::vector<Term>& operands = elements.operands;
  if (operands.size() > 64) return;
  Joints joints = {Joint{}};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto same = same_before(operands, i);
    if (same) {
      for (Joint& joint : joints) joint.parts.push_back(joint.parts[*same]);
      continue;
    }
    const LayoutTable& operand = *table_.cuts[cut].operands[i];
    const std::vector<Stop>& stops = operand.stops;
    const Dimensions to_result = dimensions_in(operands[i].labels, table_.term->labels);
    const Dimensions shared = shared_dimensions(operands, i, table_.term->labels);
    Dimensions own_shared = to_result;
    for (std::uint8_t& d : own_shared) d = shared[d];
    // Integers saturate where they are stored: sums of theirs stay as they are written.
    const bool is_sum = operand.combination == Combination::Sum &&
                        (is_array(operands[i]) || !is_integer(operands[i].shape.dtype));
    const Groups groups = grouped(stops, own_shared);
    Joints next;
    for (const Joint& joint : joints) {
      throw_if_cancelled();
      const auto group = groups.find(renamed(joint.places, shared));
      if (group == groups.end()) continue;
      for (const std::uint32_t j : group->second) {
        const Stop& stop = stops[j];
        const Weight weight = both(joint.weight, stop.weight);
        if (is_too_much(weight.seconds) || !works()) break;
        const bool is_partial = used_axes(stop.places) != splitting_axes(stop.places);
        if (is_partial && !is_sum) continue;
        const auto places = joined(joint, stop.places, to_result);
        if (!places) continue;
        Joint longer{*places, joint.partial, weight, joint.parts};
        if (is_partial) longer.partial |= std::uint64_t{1} << i;
        longer.parts.push_back(j);
        next.push_back(std::move(longer));
      }
    }
    reduce_to_lightest(next);
    joints = std::move(next);
  }
  for (const Joint& joint : joints) {
    if (is_too_much(joint.weight.seconds) || !works()) break;
    const std::uint64_t partial = with_repeated(joint.partial, operands);
    if (partial != 0 && !is_linear_in(elements.program, marks_of(partial, operands.size())))
      continue;
    const Weight weight = joint.weight + price.weight({}, {}, joint.places);
    if (is_too_much(weight.seconds) || !is_held({}, {}, joint.places, price)) continue;
    keep({joint.places, weight, joint.parts, cut});
  }
}

}  // namespace shard::planning

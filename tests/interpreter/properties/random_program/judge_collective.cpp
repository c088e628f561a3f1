// A written collective must do what it says.
#include <algorithm>
#include <iterator>
#include <set>

#include "tests/interpreter/properties/random_program/judge.h"

namespace shard::random_program {

namespace {

using Kind = DiagnosticKind;

}  // namespace

std::optional<Judged> Judge::resolve_collective(const Expr& collective, const Brackets* target) {
  auto operand = resolve(collective.operands.front(), nullptr);
  if (!operand) return std::nullopt;
  round_if_reduced(*operand);
  if (!operand->placement) return verdict_.known = false, std::nullopt;
  Placement before = *operand->placement;
  Names axes = collective.axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!check_axis(axes[i])) {
      // The last name may be meant as a dimension.
      const bool places = collective.collective == CollectiveKind::ReduceScatter ||
                          collective.collective == CollectiveKind::AllToAll;
      if (places && collective.homes.empty() && i > 0) fail(Kind::UnknownDimension);
      return std::nullopt;
    }
    if (place_of(axes, axes[i]) != i) return fail(Kind::AxisReused), std::nullopt;
  }
  if (target != nullptr && target->dims.size() != operand->labels.size()) target = nullptr;
  if (axes.empty()) axes = inferred(collective.collective, before, target);
  if (axes.empty()) {
    const bool reduces = collective.collective == CollectiveKind::AllReduce ||
                         collective.collective == CollectiveKind::ReduceScatter;
    fail(reduces && before.unreduced.empty() ? Kind::NotUnreduced : Kind::AmbiguousCollective);
    return std::nullopt;
  }
  if (!apply(collective, axes, before, target, *operand)) return std::nullopt;
  return operand;
}

void Judge::round_if_reduced(Judged& result) const {
  if (result.placement && model_.trimmed(*result.placement).unreduced.empty())
    result.values = rounded(result.dtype, std::move(result.values));
}

Names Judge::inferred(CollectiveKind kind, const Placement& before, const Brackets* target) {
  Names axes;
  const Placement after = target != nullptr ? written(*target) : Placement{};
  for (std::size_t i = 0; i < before.dims.size() && target != nullptr; ++i) {
    for (const std::string& axis : before.dims[i]) {
      const auto place = split_by(after, axis);
      const bool gathered = kind == CollectiveKind::AllGather && !place;
      const bool moved = kind == CollectiveKind::AllToAll && place && *place != i;
      const bool ordered =
          kind == CollectiveKind::CollectivePermute && before.dims[i] != after.dims[i];
      if (gathered || moved || ordered) axes.push_back(axis);
    }
    if (kind == CollectiveKind::CollectivePermute && before.dims[i] != after.dims[i])
      add_missing(after.dims[i], axes);
  }
  if (kind != CollectiveKind::AllReduce && kind != CollectiveKind::ReduceScatter) return axes;
  for (const std::string& axis : before.unreduced) {
    if (target == nullptr || after.unreduced.count(axis) == 0) axes.push_back(axis);
  }
  return axes;
}

bool Judge::apply(const Expr& collective, const Names& axes, const Placement& before,
                  const Brackets* target, Judged& result) {
  Placement& after = *result.placement;
  const bool reduces = collective.collective == CollectiveKind::AllReduce ||
                       collective.collective == CollectiveKind::ReduceScatter;
  for (const std::string& axis : axes) {
    if (reduces && before.unreduced.count(axis) == 0) return fail(Kind::NotUnreduced), false;
    if (!reduces && collective.collective != CollectiveKind::CollectivePermute &&
        !split_by(before, axis))
      return fail(Kind::NotSharded), false;
    after.unreduced.erase(axis);
  }
  switch (collective.collective) {
    case CollectiveKind::AllGather:
      remove(axes, after);
      break;
    case CollectiveKind::AllReduce:
      break;
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllToAll:
      if (!append(collective, axes, before, target, result)) return false;
      break;
    case CollectiveKind::CollectivePermute:
      return permute(collective.axes, target, after);
    case CollectiveKind::Shift:
      shift(collective, axes.front(), result);
      return true;
    case CollectiveKind::Broadcast:  // of what is placed, which is not drawn
      return false;
  }
  return true;
}

void Judge::remove(const Names& axes, Placement& placement) {
  for (Names& split : placement.dims) {
    const Names whole = split;
    std::erase_if(split, [&](const std::string& axis) { return contains(axes, axis); });
    if (!std::equal(split.begin(), split.end(), whole.begin()))
      verdict_.facts.insert("major axis removed");
  }
}

bool Judge::append(const Expr& collective, Names axes, const Placement& before,
                   const Brackets* target, Judged& result) {
  Placement& after = *result.placement;
  // In which order they go where only the target can say.
  if (collective.axes.empty() && target != nullptr) order_like(written(*target), axes);
  const auto homes = homes_of(collective, axes, target, result);
  if (!homes) return false;
  if (collective.axes.empty() && axes.size() > 1 && target == nullptr)
    return verdict_.known = false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto source = split_by(before, axes[i]);
    if (source && std::find(homes->begin(), homes->end(), *source) != homes->end())
      return fail(Kind::WrongCollective), false;
  }
  if (std::set(homes->begin(), homes->end()).size() > 1)
    verdict_.facts.insert("several destinations");
  remove(axes, after);
  for (std::size_t i = 0; i < axes.size(); ++i) after.dims[(*homes)[i]].push_back(axes[i]);
  for (const std::size_t home : *homes) {
    if (!model_.divides(result.labels[home], after.dims[home]))
      return fail(Kind::NotDivisible), false;
  }
  return true;
}

std::optional<std::vector<std::size_t>> Judge::homes_of(const Expr& collective, const Names& axes,
                                                        const Brackets* target,
                                                        const Judged& result) {
  std::vector<std::size_t> homes;
  for (std::size_t i = 0; i < axes.size() && !collective.homes.empty(); ++i) {
    const std::string& home = home_of(collective, i);
    if (!contains(result.labels, home)) return fail(Kind::UnknownDimension), std::nullopt;
    homes.push_back(place_of(result.labels, home));
  }
  if (!homes.empty()) return homes;
  const Placement wanted = target != nullptr ? written(*target) : Placement{};
  for (const std::string& axis : axes) {
    if (const auto home = split_by(wanted, axis)) homes.push_back(*home);
  }
  if (homes.size() == axes.size()) return homes;
  if (const auto home = split_by(wanted, axes.front())) return std::vector(axes.size(), *home);
  if (result.labels.size() == 1 && collective.collective == CollectiveKind::ReduceScatter)
    return std::vector<std::size_t>(axes.size(), 0);
  return fail(Kind::AmbiguousCollective), std::nullopt;
}

void Judge::add_missing(const Names& more, Names& axes) {
  for (const std::string& axis : more) {
    if (!contains(axes, axis)) axes.push_back(axis);
  }
}

void Judge::order_like(const Placement& wanted, Names& axes) {
  Names ordered;
  for (const Names& split : wanted.dims) {
    std::copy_if(split.begin(), split.end(), std::back_inserter(ordered),
                 [&](const std::string& axis) { return contains(axes, axis); });
  }
  if (ordered.size() == axes.size()) axes = ordered;
}

// Blocks move whole where the target cuts each dimension into as many.
bool Judge::permute(const Names& named, const Brackets* target, Placement& after) {
  if (target == nullptr) return fail(Kind::WrongCollective), false;
  for (const Names& axes : target->axes) {
    for (const std::string& axis : axes) {
      if (!check_axis(axis)) return false;
    }
  }
  const Placement now = model_.trimmed(after);
  const Placement then = model_.trimmed(written(*target));
  Names moving;
  for (std::size_t i = 0; i < now.dims.size(); ++i) {
    if (model_.length_of_axes(now.dims[i]) != model_.length_of_axes(then.dims[i]))
      return fail(Kind::WrongCollective), false;
    if (now.dims[i] == then.dims[i]) continue;
    add_missing(now.dims[i], moving);
    add_missing(then.dims[i], moving);
    if (!same_set(now.dims[i], then.dims[i])) verdict_.facts.insert("permuted to other axes");
  }
  const Placement along = model_.trimmed({.dims = {named}, .unreduced = {}});
  if (!named.empty() && !moving.empty() && !same_set(along.dims.front(), moving))
    return fail(Kind::WrongCollective), false;
  if (now.unreduced != then.unreduced) return fail(Kind::WrongCollective), false;
  after.dims = target->axes;
  return true;
}

void Judge::shift(const Expr& collective, const std::string& axis, Judged& result) {
  const std::size_t dimension = *split_by(*result.placement, axis);
  const Names& split = result.placement->dims[dimension];
  const auto place = split.begin() + static_cast<std::ptrdiff_t>(place_of(split, axis));
  result.values =
      shifted(result.values, dimension, model_.length_of_axes(Names(split.begin(), place)),
              model_.length_of_axes({axis}), collective.shift);
  result.moved = std::nullopt;
}

}  // namespace shard::random_program

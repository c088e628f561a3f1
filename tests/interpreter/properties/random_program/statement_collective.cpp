// Collectives that fit the layout they find.
#include <algorithm>
#include <array>
#include <utility>

#include "tests/interpreter/properties/random_program/statement.h"

namespace shard::random_program {

void Proposer::wrap(Expr& operand) {
  if (operand.use.bare) return;
  Placement placement{.dims = operand.use.axes,
                      .unreduced = {operand.use.unreduced.begin(), operand.use.unreduced.end()}};
  if (auto wrapped = collective_of(operand, operand.use.dims, placement))
    operand = std::move(*wrapped);
}

std::optional<Expr> Proposer::collective_of(const Expr& value, const Names& dims,
                                            Placement& placement) {
  Expr result{.kind = Expr::Kind::Collective, .use = {}, .operands = {value}};
  constexpr std::array kKinds = {CollectiveKind::AllGather,         CollectiveKind::ReduceScatter,
                                 CollectiveKind::AllReduce,         CollectiveKind::AllToAll,
                                 CollectiveKind::CollectivePermute, CollectiveKind::Shift};
  for (int attempt = 0; attempt < 8; ++attempt) {
    result.collective = kKinds[random_.below(kKinds.size())];
    result.homes.clear();
    const Placement before = placement;
    if (fill(result, dims, placement)) return result;
    placement = before;
  }
  return std::nullopt;
}

bool Proposer::fill(Expr& collective, const Names& dims, Placement& placement) {
  switch (collective.collective) {
    case CollectiveKind::AllGather:
      return fill_gather(collective, placement);
    case CollectiveKind::AllReduce:
    case CollectiveKind::ReduceScatter:
      return fill_reduction(collective, dims, placement);
    case CollectiveKind::AllToAll:
      return fill_exchange(collective, dims, placement);
    case CollectiveKind::CollectivePermute:
      return fill_permute(collective, placement);
    case CollectiveKind::Shift:
      return fill_shift(collective, placement);
    case CollectiveKind::Broadcast:  // of what is placed, which is not drawn
      return false;
  }
  return false;
}

Names Proposer::some_axes(Names& split, bool whole) {
  if (split.empty()) return {};
  const std::size_t count = whole ? split.size() : 1 + random_.below(split.size());
  if (random_.chance(40)) random_.shuffle(split);
  Names taken(split.end() - static_cast<std::ptrdiff_t>(count), split.end());
  return taken;
}

bool Proposer::fill_gather(Expr& collective, Placement& placement) {
  Names taken;
  for (Names& split : placement.dims) {
    if (split.empty() || random_.chance(40)) continue;
    Names order = split;
    // Now and then the major axis alone, which leaves blocks out of order.
    const bool major = split.size() > 1 && random_.chance(30);
    const Names some = major ? Names{split.front()} : some_axes(order, random_.chance(50));
    std::erase_if(split, [&](const auto& axis) { return contains(some, axis); });
    taken.insert(taken.end(), some.begin(), some.end());
  }
  collective.axes = taken;
  return !taken.empty();
}

bool Proposer::fill_reduction(Expr& collective, const Names& dims, Placement& placement) {
  Names pending(placement.unreduced.begin(), placement.unreduced.end());
  if (pending.empty() || dims.empty()) return false;
  random_.shuffle(pending);
  pending.resize(1 + random_.below(pending.size()));
  for (const std::string& axis : pending) placement.unreduced.erase(axis);
  collective.axes = pending;
  if (collective.collective == CollectiveKind::AllReduce) return true;
  Names homes;
  for (std::size_t i = 0; i < pending.size(); ++i)
    homes.push_back(i == 0 || random_.chance(70) ? random_.pick(dims) : homes.back());
  return append(collective, dims, placement, homes);
}

bool Proposer::fill_exchange(Expr& collective, const Names& dims, Placement& placement) {
  if (dims.size() < 2) return false;
  Names from;
  Names to;
  for (std::size_t i = 0; i < dims.size(); ++i)
    (!placement.dims[i].empty() && random_.chance(60) ? from : to).push_back(dims[i]);
  if (from.empty() || to.empty()) return false;
  collective.axes.clear();
  for (const std::string& dimension : from) {
    Names& split = placement.dims[place_of(dims, dimension)];
    Names order = split;
    const Names some = some_axes(order, random_.chance(50));
    std::erase_if(split, [&](const auto& axis) { return contains(some, axis); });
    collective.axes.insert(collective.axes.end(), some.begin(), some.end());
  }
  random_.shuffle(collective.axes);
  Names homes;
  for (std::size_t i = 0; i < collective.axes.size(); ++i)
    homes.push_back(i == 0 || random_.chance(70) ? random_.pick(to) : homes.back());
  return append(collective, dims, placement, homes);
}

bool Proposer::append(Expr& collective, const Names& dims, Placement& placement,
                      const Names& homes) {
  collective.homes = homes;
  bool divides = true;
  for (std::size_t i = 0; i < homes.size(); ++i) {
    Names& split = placement.dims[place_of(dims, homes[i])];
    split.push_back(collective.axes[i]);
    divides = divides && draft_.model.divides(homes[i], split);
  }
  return divides;
}

// Axes in another order, or others that are equally long in their place.
bool Proposer::fill_permute(Expr& collective, Placement& placement) {
  Names free = axis_names();
  std::erase_if(free, [&](const auto& axis) { return placement.unreduced.count(axis) != 0; });
  random_.shuffle(free);
  const bool same_axes = random_.chance(30);
  collective.axes.clear();
  for (Names& split : placement.dims) {
    const Names before = split;
    for (std::string& axis : split) {
      const auto other = std::find_if(free.begin(), free.end(), [&](const std::string& name) {
        return same_axes
                   ? name == axis
                   : draft_.model.length_of_axes({name}) == draft_.model.length_of_axes({axis});
      });
      axis = *other;
      free.erase(other);
    }
    random_.shuffle(split);
    if (before == split) continue;
    for (const Names* axes : {&before, &std::as_const(split)}) {
      for (const std::string& axis : *axes) {
        if (!contains(collective.axes, axis)) collective.axes.push_back(axis);
      }
    }
  }
  return !collective.axes.empty() && collective.operands.front().kind == Expr::Kind::Use;
}

bool Proposer::fill_shift(Expr& collective, Placement& placement) {
  Names axes;
  for (const Names& split : placement.dims) axes.insert(axes.end(), split.begin(), split.end());
  if (axes.empty()) return false;
  collective.axes = {random_.pick(axes)};
  collective.shift = random_.pick(std::vector<int>{1, 1, -1, 2, 3});
  return true;
}

}  // namespace shard::random_program

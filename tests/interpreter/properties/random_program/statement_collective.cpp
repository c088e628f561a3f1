// Collectives that fit the layout they find.
#include <algorithm>
#include <array>

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
    result.dimension.reset();
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
  return append(collective, dims, placement, random_.below(dims.size()));
}

bool Proposer::fill_exchange(Expr& collective, const Names& dims, Placement& placement) {
  if (dims.size() < 2) return false;
  const std::size_t from = random_.below(dims.size());
  const std::size_t to = random_.below(dims.size());
  if (from == to || placement.dims[from].empty()) return false;
  Names order = placement.dims[from];
  collective.axes = some_axes(order, random_.chance(50));
  std::erase_if(placement.dims[from],
                [&](const auto& axis) { return contains(collective.axes, axis); });
  return append(collective, dims, placement, to);
}

bool Proposer::append(Expr& collective, const Names& dims, Placement& placement, std::size_t to) {
  Names& split = placement.dims[to];
  split.insert(split.end(), collective.axes.begin(), collective.axes.end());
  collective.dimension = dims[to];
  return draft_.model.divides(dims[to], split);
}

bool Proposer::fill_permute(Expr& collective, Placement& placement) {
  for (Names& split : placement.dims) {
    if (split.size() < 2) continue;
    collective.axes = split;
    random_.shuffle(split);
    return collective.axes != split && collective.operands.front().kind == Expr::Kind::Use;
  }
  return false;
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

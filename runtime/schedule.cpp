#include "runtime/schedule.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "runtime/colour_shares.h"

namespace shard {
namespace {

std::vector<Rational> gather_rates(const Torus& torus, const std::vector<Rational>& leans) {
  std::vector<Rational> rates;
  for (std::size_t axis = 0; axis < torus.axes().size(); ++axis) {
    const Rational rate = gather_rate(torus.axes()[axis]);
    rates.push_back(leans.empty() ? rate : rate * leans[axis]);
  }
  return rates;
}

// Each colour in halves, where a ring has a place half way around.
std::vector<Part> parts_of(const std::vector<ColourShare>& shares, const Torus& torus) {
  const auto& axes = torus.axes();
  const bool has_halves =
      !torus.is_network() && std::any_of(axes.begin(), axes.end(), [](const TorusAxis& axis) {
        return axis.is_ring() && axis.length % 2 == 0;
      });
  std::vector<Part> parts;
  Rational begin = 0;
  for (const ColourShare& share : shares) {
    const Rational size = has_halves ? share.share / Rational(2) : share.share;
    for (const Half half : {Half::First, Half::Second}) {
      if (half == Half::Second && !has_halves) continue;
      parts.push_back({share.order, half, begin, begin + size});
      begin = parts.back().end;
    }
  }
  return parts;
}

// More of a block goes by the orders that begin with an axis to which it leans.
std::vector<ColourShare> leaning(std::vector<ColourShare> shares,
                                 const std::vector<Rational>& leans) {
  if (leans.empty()) return shares;
  Rational all = 0;
  for (ColourShare& share : shares) {
    share.share = share.share * leans[share.order.front()];
    all = all + share.share;
  }
  for (ColourShare& share : shares) share.share = share.share / all;
  return shares;
}

std::vector<Stage> stages_of(const std::vector<Part>& parts, Movement movement) {
  std::vector<Stage> stages;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto& order = parts[part].order;
    for (auto axis = order.begin(); axis != order.end(); ++axis)
      stages.push_back({part, movement, *axis, {order.begin(), axis}});
  }
  return stages;
}

}  // namespace

Schedule schedule_of(CollectiveKind kind, const Torus& torus, const std::vector<Rational>& leans) {
  SHARD_CHECK(!torus.axes().empty());
  const bool exchanges = kind == CollectiveKind::AllToAll;
  const auto shares = exchanges || torus.is_network()
                          ? leaning(exchange_shares(torus), leans)
                          : gather_shares(torus, gather_rates(torus, leans));
  Schedule schedule{torus, parts_of(shares, torus), {}};
  schedule.stages = stages_of(schedule.parts, exchanges ? Movement::Exchange : Movement::Gather);
  if (exchanges || kind == CollectiveKind::AllGather) return schedule;
  const std::vector<Stage> gathers = schedule.stages;
  std::reverse(schedule.stages.begin(), schedule.stages.end());
  for (Stage& stage : schedule.stages) stage.movement = Movement::Reduce;
  if (kind == CollectiveKind::AllReduce)
    schedule.stages.insert(schedule.stages.end(), gathers.begin(), gathers.end());
  return schedule;
}

std::pair<std::int64_t, std::int64_t> elements_of(const Part& part, std::int64_t block_elements) {
  const auto cut = [&](const Rational& fraction) {
    return *floor(fraction * Rational(block_elements)).to_int64();
  };
  return {cut(part.begin), cut(part.end)};
}

std::int64_t blocks_carried(const Stage& stage, const Torus& torus) {
  // What a place holds for one other coordinate of the axis: all its blocks, cut by the length of the axis.
  if (stage.movement == Movement::Exchange) return torus.places() / torus.axes()[stage.axis].length;
  std::int64_t blocks = 1;
  for (const std::size_t axis : stage.along) blocks *= torus.axes()[axis].length;
  return blocks;
}

}  // namespace shard

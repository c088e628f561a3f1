#include "runtime/schedule.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

std::vector<Rational> gather_rates(const Torus& torus) {
  std::vector<Rational> rates;
  for (const TorusAxis& axis : torus.axes()) rates.push_back(gather_rate(axis));
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

Schedule schedule_of(CollectiveKind kind, const Torus& torus) {
  SHARD_CHECK(!torus.axes().empty());
  const bool exchanges = kind == CollectiveKind::AllToAll;
  return schedule_of(kind, torus,
                     exchanges || torus.is_network() ? exchange_shares(torus)
                                                     : gather_shares(torus, gather_rates(torus)));
}

Schedule schedule_of(CollectiveKind kind, const Torus& torus,
                     const std::vector<ColourShare>& shares) {
  const bool exchanges = kind == CollectiveKind::AllToAll;
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

std::int64_t exchanged_bytes(CollectiveKind kind, const std::vector<std::int64_t>& places,
                             std::size_t g, const Rational& held) {
  Rational bytes = held;
  if (kind == CollectiveKind::AllToAll) {
    bytes = held / Rational(places[g]);
  } else if (kind == CollectiveKind::AllGather) {
    for (std::size_t i = g + 1; i < places.size(); ++i) bytes = bytes * Rational(places[i]);
  } else {
    for (std::size_t i = 0; i <= g; ++i) bytes = bytes / Rational(places[i]);
  }
  return *ceil(bytes).to_int64();
}

}  // namespace shard

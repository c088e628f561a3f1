#include "runtime/network/collective_schedule.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

std::vector<Rational> gather_rates(const Torus& torus) {
  std::vector<Rational> rates;
  for (const TorusAxis& axis : torus.axes()) rates.push_back(gather_rate(axis));
  return rates;
}

// Each colour, cut in two halves if some ring has a place exactly half way around.
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
      parts.push_back({share.order, half, begin, begin + size, share.turn});
      begin = parts.back().end;
    }
  }
  return parts;
}

// The stages of one part, in its order of axes.
std::vector<Stage> gather_stages(const Part& part, std::size_t number) {
  std::vector<Stage> stages;
  const auto& order = part.order;
  for (auto axis = order.begin(); axis != order.end(); ++axis) {
    Stage stage{number, Movement::Gather, *axis, {order.begin(), axis}};
    const auto s = static_cast<std::size_t>(axis - order.begin());
    if (part.turns_at(s)) {
      stage.last = part.turn;
    } else if (part.returns_at(s)) {
      stage.along.erase(stage.along.begin());
      stage.first = part.turn;
    } else if (part.turn > 0) {
      stage.within = part.turn;
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

std::vector<Stage> stages_of(const std::vector<Part>& parts, Movement movement) {
  std::vector<Stage> stages;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (Stage& stage : gather_stages(parts[part], part)) {
      stage.movement = movement;
      stages.push_back(std::move(stage));
    }
  }
  return stages;
}

std::vector<Stage> backwards(std::vector<Stage> stages) {
  std::reverse(stages.begin(), stages.end());
  for (Stage& stage : stages) stage.movement = Movement::Reduce;
  return stages;
}

// The number of a hop on its block's way: 1 for the first hop of a Gather, or the last of a Reduce.
std::int64_t step_of(const RingHop& hop, Movement movement, const TorusAxis& axis) {
  const bool reduces = movement == Movement::Reduce;
  const std::int64_t way = (reduces ? hop.from : hop.to) - hop.origin;
  const bool up = hop.up != reduces;
  return ((up ? way : -way) + axis.length) % axis.length;
}

bool is_taken(const RingHop& hop, const Stage& stage, const Part& part, const TorusAxis& axis) {
  if (hop.half != Half::Whole && hop.half != part.half) return false;
  if (part.turn == 0 || stage.movement == Movement::Exchange) return true;
  const std::int64_t step = step_of(hop, stage.movement, axis);
  return step > stage.first && step <= stage.last;
}

// The shortest way between two coordinates.
std::int64_t hops_between(std::int64_t a, std::int64_t b, const TorusAxis& axis) {
  const std::int64_t begin = axis.is_ring() ? 0 : axis.line_begin();
  const auto position = [&](std::int64_t c) { return (c - begin + axis.length) % axis.length; };
  const std::int64_t direct = std::abs(position(a) - position(b));
  return axis.is_ring() ? std::min(direct, axis.length - direct) : direct;
}

}  // namespace

Schedule schedule_of(CollectiveKind kind, const Torus& torus) {
  SHARD_CHECK(!torus.axes().empty());
  return schedule_of(kind, torus,
                     exchanges(kind) || torus.is_network()
                         ? exchange_shares(torus)
                         : gather_shares(torus, gather_rates(torus)));
}

Schedule schedule_of(CollectiveKind kind, const Torus& torus,
                     const std::vector<ColourShare>& shares) {
  return schedule_with(kind, torus, parts_of(shares, torus));
}

Schedule schedule_with(CollectiveKind kind, const Torus& torus, std::vector<Part> parts) {
  Schedule schedule{torus, std::move(parts), {}};
  schedule.stages =
      stages_of(schedule.parts, exchanges(kind) ? Movement::Exchange : Movement::Gather);
  const CollectiveWay way = info_of(kind).way;
  if (way == CollectiveWay::Forwards) return schedule;
  const std::vector<Stage> gathers = schedule.stages;
  schedule.stages = backwards(gathers);
  if (way == CollectiveWay::BackAndForth)
    schedule.stages.insert(schedule.stages.end(), gathers.begin(), gathers.end());
  return schedule;
}

std::vector<RingHop> hops_of(const Stage& stage, const Part& part, const Torus& torus) {
  const TorusAxis& axis = torus.axes()[stage.axis];
  auto hops = ring_hops(stage.movement, axis, torus.is_network());
  std::erase_if(hops, [&](const RingHop& hop) { return !is_taken(hop, stage, part, axis); });
  return hops;
}

std::vector<std::int64_t> blocks_along(const Stage& stage, const Torus& torus, std::int64_t place) {
  std::vector<std::int64_t> places = {place};
  for (std::size_t i = 0; i < stage.along.size(); ++i) {
    const std::size_t axis = stage.along[i];
    std::vector<std::int64_t> more;
    for (const std::int64_t one : places) {
      for (std::int64_t c = 0; c < torus.axes()[axis].length; ++c) {
        const std::int64_t hops =
            hops_between(torus.coordinate(place, axis), c, torus.axes()[axis]);
        if (i > 0 || hops <= stage.within) more.push_back(torus.at(one, axis, c));
      }
    }
    places = std::move(more);
  }
  return places;
}

std::pair<std::int64_t, std::int64_t> elements_of(const Part& part, std::int64_t block_elements) {
  const auto cut = [&](const Rational& fraction) {
    return *floor(fraction * Rational(block_elements)).to_int64();
  };
  return {cut(part.begin), cut(part.end)};
}

std::int64_t blocks_carried(const Stage& stage, const Torus& torus) {
  // What a place holds for each other coordinate of the axis: all its blocks over the length of the axis.
  if (stage.movement == Movement::Exchange) return torus.places() / torus.axes()[stage.axis].length;
  std::int64_t blocks = 1;
  for (const std::size_t axis : stage.along) blocks *= torus.axes()[axis].length;
  return blocks;
}

std::int64_t exchanged_bytes(CollectiveKind kind, const std::vector<std::int64_t>& places,
                             std::size_t g, const Rational& held) {
  Rational bytes = held;
  if (exchanges(kind)) {
    bytes = held / Rational(places[g]);
  } else if (info_of(kind).way == CollectiveWay::Forwards) {
    for (std::size_t i = g + 1; i < places.size(); ++i) bytes = bytes * Rational(places[i]);
  } else {
    for (std::size_t i = 0; i <= g; ++i) bytes = bytes / Rational(places[i]);
  }
  return *ceil(bytes).to_int64();
}

}  // namespace shard

#include "runtime/routes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

// Divisible by every number of ports up to kMostTravelledAxes, and by 2 for every axis beyond that.
constexpr std::int64_t kWholeBlock = std::int64_t{27720} << kMostTravelledAxes;

}  // namespace

LinkLoads::LinkLoads(std::vector<Axis> axes) : axes_(std::move(axes)) {
  std::size_t devices = 1;
  for (const Axis& axis : axes_) devices *= static_cast<std::size_t>(axis.torus.length);
  loads_.assign(devices * axes_.size() * 2, 0);
}

std::vector<LinkLoads::Way> LinkLoads::ways(const Position& from, const Position& to) const {
  std::vector<Way> result;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const TorusAxis& axis = axes_[a].torus;
    const std::int64_t distance = to[a] - from[a];
    if (axes_[a].stays || distance == 0) continue;
    const std::int64_t direct = std::abs(distance);
    const std::int64_t around = axis.wraps ? axis.length - direct : axis.length;
    const bool up = distance > 0;
    result.push_back({a, std::min(direct, around), up ? direct <= around : around <= direct,
                      up ? around <= direct : direct <= around});
  }
  return result;
}

void LinkLoads::send(const Position& from, const Position& to) {
  const std::vector<Way> route = ways(from, to);
  SHARD_CHECK(route.size() <= kMostTravelledAxes);
  std::int64_t hops = 0;
  for (const Way& way : route) hops += way.steps;
  hops_ = std::max(hops_, hops);
  for (std::size_t port = 0; port < route.size(); ++port) {
    carry(from, route, port, 0, kWholeBlock / static_cast<std::int64_t>(route.size()));
  }
}

void LinkLoads::carry(Position at, const std::vector<Way>& ways, std::size_t first,
                      std::size_t done, std::int64_t weight) {
  if (done == ways.size()) return;
  const Way& way = ways[(first + done) % ways.size()];
  const std::int64_t share = way.up && way.down ? weight / 2 : weight;
  for (const bool up : {true, false}) {
    if (!(up ? way.up : way.down)) continue;
    Position there = at;
    for (std::int64_t i = 0; i < way.steps; ++i) step(there, way.axis, up, share);
    carry(std::move(there), ways, first, done + 1, share);
  }
}

void LinkLoads::step(Position& at, std::size_t axis, bool up, std::int64_t weight) {
  std::size_t device = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    device =
        device * static_cast<std::size_t>(axes_[a].torus.length) + static_cast<std::size_t>(at[a]);
  }
  loads_[(device * axes_.size() + axis) * 2 + (up ? 1 : 0)] += weight;
  const std::int64_t length = axes_[axis].torus.length;
  at[axis] = (at[axis] + (up ? 1 : length - 1)) % length;
}

Rational LinkLoads::busiest() const {
  const auto most = std::max_element(loads_.begin(), loads_.end());
  return most == loads_.end() ? Rational(0) : Rational::fraction(*most, kWholeBlock);
}

}  // namespace shard

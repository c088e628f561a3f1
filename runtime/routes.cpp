#include "runtime/routes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

// Divisible by twice every number of ports up to kMostTravelledAxes.
constexpr std::int64_t kWholeBlock = 2 * std::int64_t{27'720};

}  // namespace

LinkLoads::LinkLoads(std::vector<Axis> axes) : axes_(std::move(axes)), strides_(axes_.size()) {
  std::int64_t devices = 1;
  for (std::size_t a = axes_.size(); a-- > 0;) {
    strides_[a] = devices;
    devices *= axes_[a].torus.length;
  }
  loads_.assign(static_cast<std::size_t>(devices) * axes_.size() * 2, 0);
}

std::vector<LinkLoads::Leg> LinkLoads::legs_between(std::int64_t from, std::int64_t to) const {
  std::vector<Leg> legs;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const TorusAxis& axis = axes_[a].torus;
    const std::int64_t begin = from / strides_[a] % axis.length;
    const std::int64_t end = to / strides_[a] % axis.length;
    if (axes_[a].stays || begin == end) continue;
    const std::int64_t direct = std::abs(end - begin);
    const std::int64_t around = axis.wraps ? axis.length - direct : axis.length;
    const bool takes_direct = direct <= around;
    const bool takes_around = around <= direct;
    const bool ascends = end > begin;
    legs.push_back({a, begin, end, std::min(direct, around), ascends ? takes_direct : takes_around,
                    ascends ? takes_around : takes_direct});
  }
  return legs;
}

void LinkLoads::send(std::int64_t from, std::int64_t to) {
  const std::vector<Leg> legs = legs_between(from, to);
  SHARD_CHECK(legs.size() <= kMostTravelledAxes);
  std::int64_t hops = 0;
  for (const Leg& leg : legs) hops += leg.steps;
  hops_ = std::max(hops_, hops);
  for (std::size_t port = 0; port < legs.size(); ++port) {
    carry(from, legs, port, kWholeBlock / static_cast<std::int64_t>(legs.size()));
  }
}

// One part of a block, whose way begins with the leg `first`. The halves that go around an axis by
// different directions meet at its end, so the whole part goes on from there.
void LinkLoads::carry(std::int64_t device, const std::vector<Leg>& legs, std::size_t first,
                      std::int64_t weight) {
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const Leg& leg = legs[(first + i) % legs.size()];
    const std::int64_t share = leg.up && leg.down ? weight / 2 : weight;
    if (leg.up) load(device, leg, true, share);
    if (leg.down) load(device, leg, false, share);
    device += (leg.end - leg.begin) * strides_[leg.axis];
  }
}

// A link belongs to the device that sends by it.
void LinkLoads::load(std::int64_t device, const Leg& leg, bool up, std::int64_t weight) {
  const std::int64_t length = axes_[leg.axis].torus.length;
  const std::int64_t stride = strides_[leg.axis];
  std::int64_t coordinate = leg.begin;
  for (std::int64_t i = 0; i < leg.steps; ++i) {
    const std::int64_t at = device + (coordinate - leg.begin) * stride;
    const auto link = (static_cast<std::size_t>(at) * axes_.size() + leg.axis) * 2 + (up ? 1 : 0);
    loads_[link] += weight;
    coordinate = (coordinate + (up ? 1 : length - 1)) % length;
  }
}

Rational LinkLoads::busiest() const {
  const auto most = std::max_element(loads_.begin(), loads_.end());
  return most == loads_.end() ? Rational(0) : Rational::fraction(*most, kWholeBlock);
}

}  // namespace shard

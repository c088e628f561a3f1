#include "runtime/network/routes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace shard {
namespace {

// kWholeBlock divides evenly by every number of ports up to this. A block with more axes to travel uses this many.
constexpr std::size_t kMostPorts = 16;

std::vector<TorusAxis> torus_axes(const std::vector<Routes::Axis>& axes) {
  std::vector<TorusAxis> torus;
  for (const Routes::Axis& axis : axes) torus.push_back(axis.torus);
  return torus;
}

}  // namespace

Routes::Routes(const std::vector<Axis>& axes, Fabric fabric, Keep keep)
    : torus_(torus_axes(axes), fabric), keep_(keep) {
  for (const Axis& axis : axes) stays_.push_back(axis.stays);
  loads_.assign(links(), 0);
  if (keep == Keep::Loads && !torus_.is_network()) changes_.assign(loads_.size(), 0);
  has_slow_links_ = std::any_of(axes.begin(), axes.end(),
                                [](const Axis& axis) { return !axis.torus.slow.empty(); });
}

Routes::Leg Routes::leg_between(std::size_t a, std::int64_t begin, std::int64_t end) {
  const TorusAxis& axis = torus_.axes()[a];
  const std::int64_t direct = std::abs(end - begin);
  const std::int64_t around = axis.length - direct;
  const auto cuts = std::count_if(axis.cuts.begin(), axis.cuts.end(), [&](std::int64_t cut) {
    return cut >= std::min(begin, end) && cut < std::max(begin, end);
  });
  const bool is_direct_whole = cuts == 0;
  const bool is_around_whole = axis.wraps && static_cast<std::size_t>(cuts) == axis.cuts.size();
  const bool has_way = is_direct_whole || is_around_whole;
  is_severed_ = is_severed_ || !has_way;
  // Without any way, costs are computed as if the links were intact.
  const bool may_direct = is_direct_whole || !has_way;
  const bool may_around = is_around_whole || (!has_way && axis.wraps);
  const bool takes_direct = may_direct && (!may_around || direct <= around);
  const bool takes_around = may_around && (!may_direct || around <= direct);
  const bool ascends = end > begin;
  return {a,
          begin,
          end,
          takes_direct ? direct : around,
          ascends ? takes_direct : takes_around,
          ascends ? takes_around : takes_direct};
}

std::vector<Routes::Leg> Routes::legs_between(std::int64_t from, std::int64_t to) {
  std::vector<Leg> legs;
  for (std::size_t a = 0; a < stays_.size(); ++a) {
    const std::int64_t begin = torus_.coordinate(from, a);
    const std::int64_t end = torus_.coordinate(to, a);
    if (!stays_[a] && begin != end) legs.push_back(leg_between(a, begin, end));
  }
  return legs;
}

void Routes::send(std::int64_t from, std::int64_t to, std::int64_t block) {
  if (torus_.is_network()) {
    const RoutePart whole{block, from, to, 0, kWholeBlock};
    add_hop(whole, port(from, to), 0);
    add_part(whole);
    return;
  }
  const std::vector<Leg> legs = legs_between(from, to);
  const std::size_t ports = std::min(legs.size(), kMostPorts);
  const std::int64_t share = ports == 0 ? 0 : kWholeBlock / static_cast<std::int64_t>(ports);
  for (std::size_t port = 0; port < ports; ++port) {
    const std::int64_t begin = share * static_cast<std::int64_t>(port);
    add_ways({block, from, to, begin, begin + share}, legs, port);
  }
}

void Routes::send_round(std::int64_t from, std::int64_t to, std::int64_t block, std::int64_t up) {
  std::vector<Leg> legs = legs_between(from, to);
  if (legs.empty()) return;
  Leg& leg = legs.front();
  const std::int64_t length = torus_.axes()[leg.axis].length;
  const std::int64_t steps = (leg.end - leg.begin + length) % length;
  for (const bool upwards : {true, false}) {
    const RoutePart part{block, from, to, upwards ? 0 : up, upwards ? up : kWholeBlock};
    if (part.begin == part.end) continue;
    leg.up = upwards;
    leg.down = !upwards;
    leg.steps = upwards ? steps : length - steps;
    std::size_t round = 0;
    add_leg(part, from, leg, upwards, round);
    add_part(part);
  }
}

// Adds one part of a block, whose way begins with the leg `first`. If it goes half way around an axis, half of it goes
// up there, and half down.
void Routes::add_ways(RoutePart part, const std::vector<Leg>& legs, std::size_t first) {
  const bool is_cut =
      std::any_of(legs.begin(), legs.end(), [](const Leg& leg) { return leg.up && leg.down; });
  const std::int64_t share = (part.end - part.begin) / (is_cut ? 2 : 1);
  for (const bool upwards : {true, false}) {
    if (!upwards && !is_cut) return;
    part.end = part.begin + share;
    std::int64_t at = part.from;
    std::size_t round = 0;
    for (std::size_t i = 0; i < legs.size(); ++i) {
      const Leg& leg = legs[(first + i) % legs.size()];
      add_leg(part, at, leg, leg.up && leg.down ? upwards : leg.up, round);
      at = torus_.at(at, leg.axis, leg.end);
    }
    add_part(part);
    part.begin = part.end;
  }
}

void Routes::add_leg(const RoutePart& part, std::int64_t device, const Leg& leg, bool up,
                     std::size_t& round) {
  if (keep_ == Keep::Loads) {
    add_load(device, leg, up, part.end - part.begin);
    round += static_cast<std::size_t>(leg.steps);
    if (rounds_.size() < round) rounds_.resize(round);
    return;
  }
  const std::int64_t length = torus_.axes()[leg.axis].length;
  std::int64_t coordinate = leg.begin;
  for (std::int64_t i = 0; i < leg.steps; ++i) {
    add_hop(part, torus_.link(torus_.at(device, leg.axis, coordinate), leg.axis, up), round++);
    coordinate = (coordinate + (up ? 1 : length - 1)) % length;
  }
}

// On all links of a leg at once.
void Routes::add_load(std::int64_t device, const Leg& leg, bool up, std::int64_t load) {
  const std::int64_t length = torus_.axes()[leg.axis].length;
  const auto change = [&](std::int64_t coordinate, std::int64_t by) {
    changes_[torus_.link(torus_.at(device, leg.axis, coordinate), leg.axis, up)] += by;
  };
  const std::int64_t first = up ? leg.begin : (leg.begin - leg.steps + 1 + length) % length;
  const std::int64_t end = first + leg.steps;
  change(first, load);
  if (end < length) change(end, -load);
  if (end > length) {
    change(0, load);
    change(end - length, -load);
  }
  hop_count_ += leg.steps;
}

std::vector<std::int64_t> Routes::loads() const {
  std::vector<std::int64_t> loads = loads_;
  if (changes_.empty()) return loads;
  for (std::size_t axis = 0; axis < stays_.size(); ++axis) {
    for (std::int64_t place = 0; place < torus_.places(); ++place) {
      if (torus_.coordinate(place, axis) != 0) continue;
      for (const bool up : {true, false}) {
        std::int64_t load = 0;
        for (std::int64_t c = 0; c < torus_.axes()[axis].length; ++c) {
          const std::size_t link = torus_.link(place + c * torus_.stride(axis), axis, up);
          load += changes_[link];
          loads[link] += load;
        }
      }
    }
  }
  return loads;
}

void Routes::add_hop(const RoutePart& part, std::size_t link, std::size_t round) {
  loads_[link] += part.end - part.begin;
  ++hop_count_;
  if (rounds_.size() <= round) rounds_.resize(round + 1);
  if (keep_ == Keep::Hops) rounds_[round].push_back({parts_.size(), link});
}

std::size_t Routes::add_part(const RoutePart& part) {
  if (keep_ == Keep::Hops) parts_.push_back(part);
  return parts_.size() - 1;
}

std::int64_t Routes::node_size() const {
  std::int64_t size = 1;
  for (std::size_t axis = 0; axis < stays_.size(); ++axis) {
    if (!stays_[axis]) size *= torus_.axes()[axis].length;
  }
  return size;
}

std::int64_t Routes::number_in_node(std::int64_t device) const {
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < stays_.size(); ++axis) {
    if (!stays_[axis])
      number = number * torus_.axes()[axis].length + torus_.coordinate(device, axis);
  }
  return number;
}

// A device that is fully linked has as many links as there are devices in its node; the one to itself is never used.
std::size_t Routes::links() const {
  if (torus_.fabric() != Fabric::Full) return torus_.links();
  return static_cast<std::size_t>(torus_.places()) * static_cast<std::size_t>(node_size());
}

// The port into a network is the first link along its axes.
std::size_t Routes::port(std::int64_t from, std::int64_t to) const {
  if (torus_.fabric() == Fabric::Full)
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(node_size()) +
           static_cast<std::size_t>(number_in_node(to));
  const auto axis = std::find(stays_.begin(), stays_.end(), false) - stays_.begin();
  return torus_.link(from, static_cast<std::size_t>(axis), true);
}

// A device that has the block, the part that brought it, and after how many hops.
struct Routes::Holder {
  std::int64_t device;
  std::int64_t part;
  std::size_t rounds;
};

void Routes::broadcast(std::int64_t from, std::int64_t block) {
  if (torus_.is_network()) return broadcast_on_network(from, block);
  std::vector<Holder> held = {{from, -1, 0}};
  for (std::size_t axis = 0; axis < stays_.size(); ++axis) {
    if (!stays_[axis]) spread(axis, block, held);
  }
}

void Routes::broadcast_on_network(std::int64_t from, std::int64_t block) {
  std::vector<std::int64_t> devices = {from};
  for (std::size_t axis = 0; axis < stays_.size(); ++axis) {
    if (stays_[axis]) continue;
    const std::size_t count = devices.size();
    const std::int64_t length = torus_.axes()[axis].length;
    for (std::int64_t step = 1; step < length; ++step) {
      for (std::size_t i = 0; i < count; ++i)
        devices.push_back(
            torus_.at(devices[i], axis, (torus_.coordinate(from, axis) + step) % length));
    }
  }
  const bool at_once = torus_.fabric() == Fabric::Full;
  std::int64_t behind = -1;
  for (std::size_t i = 1; i < devices.size(); ++i) {
    const std::int64_t sender = at_once ? from : devices[i - 1];
    const RoutePart part{block, sender, devices[i], 0, kWholeBlock, behind};
    add_hop(part, port(sender, part.to), at_once ? 0 : i - 1);
    const auto number = static_cast<std::int64_t>(add_part(part));
    if (!at_once) behind = number;
  }
}

void Routes::broadcast(const std::vector<SpanningTree>& trees, std::int64_t block) {
  std::int64_t begin = 0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const std::int64_t end =
        kWholeBlock * static_cast<std::int64_t>(t + 1) / static_cast<std::int64_t>(trees.size());
    // By place: the part that brought it there.
    std::vector<std::int64_t> parts(static_cast<std::size_t>(torus_.places()), -1);
    for (const TreeHop& hop : trees[t]) {
      const RoutePart part{block, hop.from, hop.to,
                           begin, end,      parts[static_cast<std::size_t>(hop.from)]};
      add_hop(part, torus_.link(hop.from, hop.axis, hop.up), hop.round);
      parts[static_cast<std::size_t>(hop.to)] = static_cast<std::int64_t>(add_part(part));
    }
    begin = end;
  }
}

// In each direction as far as that is the shorter way; half way around a ring, up.
void Routes::spread(std::size_t axis, std::int64_t block, std::vector<Holder>& held) {
  const std::int64_t length = torus_.axes()[axis].length;
  const std::size_t count = held.size();
  for (std::size_t h = 0; h < count; ++h) {
    const std::int64_t begin = torus_.coordinate(held[h].device, axis);
    for (const bool up : {true, false}) {
      Holder at = held[h];
      for (std::int64_t steps = 1; steps < length; ++steps) {
        const std::int64_t end = (begin + (up ? steps : length - steps)) % length;
        const Leg leg = leg_between(axis, begin, end);
        const bool goes_up = leg.up;
        if (goes_up != up || leg.steps != steps) break;
        const std::int64_t to = torus_.at(at.device, axis, end);
        const RoutePart part{block, at.device, to, 0, kWholeBlock, at.part};
        add_hop(part, torus_.link(at.device, axis, up), at.rounds);
        at = {to, static_cast<std::int64_t>(add_part(part)), at.rounds + 1};
        held.push_back(at);
      }
    }
  }
}

Rational Routes::exact_slowness(std::size_t link) const {
  const std::size_t index = link / 2 % torus_.axes().size();
  const TorusAxis& axis = torus_.axes()[index];
  const auto device = static_cast<std::int64_t>(link / 2 / torus_.axes().size());
  const std::int64_t coordinate = torus_.coordinate(device, index);
  const bool up = torus_.link(device, index, true) == link;
  return axis.slowness(up ? coordinate : (coordinate + axis.length - 1) % axis.length);
}

double Routes::slowness(std::size_t link) const {
  return has_slow_links_ ? exact_slowness(link).to_double() : 1;
}

Rational Routes::busiest() const {
  const std::vector<std::int64_t> loads = this->loads();
  if (has_slow_links_) {
    Rational most = 0;
    for (std::size_t link = 0; link < loads.size(); ++link) {
      if (loads[link] != 0)
        most = std::max(most, Rational::fraction(loads[link], kWholeBlock) * exact_slowness(link));
    }
    return most;
  }
  const auto most = std::max_element(loads.begin(), loads.end());
  return most == loads.end() ? Rational(0) : Rational::fraction(*most, kWholeBlock);
}

std::pair<std::int64_t, std::int64_t> elements_of(const RoutePart& part,
                                                  std::int64_t block_elements) {
  const auto cut = [&](std::int64_t share) {
    return static_cast<std::int64_t>(static_cast<Rational::Integer>(block_elements) * share /
                                     kWholeBlock);
  };
  return {cut(part.begin), cut(part.end)};
}

LinkReport time_on_links(const Routes& routes, std::int64_t block_elements,
                         std::int64_t element_bytes, const LinkRates& rates) {
  const std::vector<RoutePart>& parts = routes.parts();
  LinkReport report;
  report.bytes.assign(routes.links(), 0);
  std::vector<double> free(routes.links(), 0.0);
  // When the first byte of a part has passed its latest hop, and when the last byte leaves that hop's link: after a
  // slow link, no later link finishes earlier.
  std::vector<double> head(parts.size(), 0.0);
  std::vector<double> tail(parts.size(), 0.0);
  std::vector<bool> is_under_way(parts.size(), false);
  for (const auto& round : routes.rounds()) {
    for (const RouteHop& hop : round) {
      const RoutePart& part = parts[hop.part];
      const bool begins = !is_under_way[hop.part];
      if (begins && part.behind >= 0) {
        head[hop.part] = head[static_cast<std::size_t>(part.behind)];
        tail[hop.part] = tail[static_cast<std::size_t>(part.behind)];
      }
      const bool has_come = !begins || part.behind >= 0;
      is_under_way[hop.part] = true;
      const auto [begin, end] = elements_of(part, block_elements);
      const std::int64_t bytes = (end - begin) * element_bytes;
      const double busy = static_cast<double>(bytes) / rates.bandwidth * routes.slowness(hop.link);
      const double start = std::max(free[hop.link], head[hop.part]);
      tail[hop.part] = std::max(start + busy, has_come ? tail[hop.part] + rates.hop : 0.0);
      free[hop.link] = tail[hop.part];
      report.bytes[hop.link] += bytes;
      head[hop.part] = start + rates.hop;
      report.seconds = std::max(report.seconds, tail[hop.part] + rates.hop);
    }
  }
  return report;
}

}  // namespace shard

#include "runtime/network/ring_schedule.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

class Hops {
 public:
  explicit Hops(const TorusAxis& axis)
      : length_(axis.length), wraps_(axis.is_ring()), first_(wraps_ ? 0 : axis.line_begin()) {
    SHARD_CHECK(axis.is_connected());
  }

  std::vector<RingHop> gather() {
    const std::int64_t rounds = wraps_ ? (length_ - 1) / 2 : length_ - 1;
    for (std::int64_t round = 0; round < rounds; ++round) {
      pass_on(round, true, Half::Whole);
      pass_on(round, false, Half::Whole);
    }
    if (wraps_ && length_ % 2 == 0) {
      pass_on(rounds, true, Half::First);
      pass_on(rounds, false, Half::Second);
    }
    return placed();
  }

  // The farthest blocks first on every link, so that the last one to arrive has been under way from the start.
  std::vector<RingHop> exchange() {
    const std::int64_t farthest = wraps_ ? length_ / 2 : length_ - 1;
    for (std::int64_t done = 0; done < farthest; ++done) {
      for (std::int64_t distance = farthest; distance > done; --distance) {
        const bool tie = wraps_ && 2 * distance == length_;
        step(done, distance, true, tie ? Half::First : Half::Whole);
        step(done, distance, false, tie ? Half::Second : Half::Whole);
      }
    }
    return placed();
  }

 private:
  // A line that remains of a ring starts after the failed link.
  std::vector<RingHop> placed() {
    const auto move = [this](std::int64_t& place) { place = (place + first_) % length_; };
    for (RingHop& hop : hops_) {
      move(hop.from);
      move(hop.to);
      move(hop.origin);
      if (hop.destination >= 0) move(hop.destination);
    }
    return std::move(hops_);
  }

  std::int64_t moved(std::int64_t place, std::int64_t by, bool up) const {
    const std::int64_t end = up ? place + by : place - by;
    return wraps_ ? ((end % length_) + length_) % length_ : end;
  }
  bool is_on_axis(std::int64_t place) const { return place >= 0 && place < length_; }

  // Everyone passes on the block that has come `round` places.
  void pass_on(std::int64_t round, bool up, Half half) {
    for (std::int64_t from = 0; from < length_; ++from) {
      const std::int64_t to = moved(from, 1, up);
      const std::int64_t origin = moved(from, round, !up);
      if (is_on_axis(to) && is_on_axis(origin)) hops_.push_back({from, to, up, origin, -1, half});
    }
  }

  // Every block that goes `distance` places, and has come `done` of them, takes the next step.
  void step(std::int64_t done, std::int64_t distance, bool up, Half half) {
    for (std::int64_t origin = 0; origin < length_; ++origin) {
      const std::int64_t destination = moved(origin, distance, up);
      if (!is_on_axis(destination)) continue;
      hops_.push_back(
          {moved(origin, done, up), moved(origin, done + 1, up), up, origin, destination, half});
    }
  }

  std::int64_t length_;
  bool wraps_;
  std::int64_t first_;  // where a line starts
  std::vector<RingHop> hops_;
};

// Everyone sends to the next one, then to the one after that, …
std::vector<RingHop> network_hops(Movement movement, std::int64_t length) {
  std::vector<RingHop> hops;
  for (std::int64_t distance = 1; distance < length; ++distance) {
    for (std::int64_t from = 0; from < length; ++from) {
      const std::int64_t to = (from + distance) % length;
      const bool exchanges = movement == Movement::Exchange;
      hops.push_back(
          {from, to, true, movement == Movement::Reduce ? to : from, exchanges ? to : -1});
    }
  }
  return hops;
}

std::vector<RingHop> backwards(std::vector<RingHop> hops) {
  std::reverse(hops.begin(), hops.end());
  for (RingHop& hop : hops) {
    std::swap(hop.from, hop.to);
    hop.up = !hop.up;
  }
  return hops;
}

}  // namespace

std::vector<RingHop> ring_hops(Movement movement, const TorusAxis& axis, bool is_network) {
  if (is_network) return network_hops(movement, axis.length);
  Hops hops(axis);
  if (movement == Movement::Exchange) return hops.exchange();
  return movement == Movement::Gather ? hops.gather() : backwards(hops.gather());
}

double number_of_hops(Movement movement, const TorusAxis& axis, bool is_network) {
  const auto n = static_cast<double>(axis.length);
  if (is_network) return n * (n - 1);
  if (movement == Movement::Exchange) {
    const std::int64_t farthest = axis.length / 2;
    return axis.is_ring() ? n * static_cast<double>(farthest * (farthest + 1))
                          : (n - 1) * n * (n + 1) / 3;
  }
  return axis.is_ring() && axis.length % 2 == 0 ? n * n : n * (n - 1);
}

double blocks_on_busiest_link(Movement movement, const TorusAxis& axis, bool is_network) {
  const auto n = static_cast<double>(axis.length);
  const bool exchanges = movement == Movement::Exchange;
  if (is_network) return n - 1;
  if (axis.is_ring()) {
    const double odd = axis.length % 2 == 0 ? 0 : 1;
    return (exchanges ? (n * n - odd) / 8 : (n - 1) / 2) * axis.slowness().to_double();
  }
  // All places on either side of a link of a line send over it: to all on the other side, or one block to each of them.
  double most = 0;
  for (std::int64_t link = 0; link + 1 < axis.length; ++link) {
    const auto below = static_cast<double>(link + 1);
    const double above = n - below;
    const double blocks = exchanges ? below * above : std::max(below, above);
    const std::int64_t place = (axis.line_begin() + link) % axis.length;
    most = std::max(most, axis.slow.empty() ? blocks : blocks * axis.slowness(place).to_double());
  }
  return most;
}

}  // namespace shard

#include "runtime/links.h"

#include <algorithm>
#include <map>
#include <utility>

namespace shard {
namespace {

class LinkSimulation {
 public:
  LinkSimulation(const Schedule& schedule, std::int64_t block_elements, std::int64_t element_bytes,
                 const LinkRates& rates)
      : schedule_(schedule),
        torus_(schedule.torus),
        block_elements_(block_elements),
        element_bytes_(element_bytes),
        rates_(rates),
        ready_(schedule.parts.size(),
               std::vector<double>(static_cast<std::size_t>(torus_.places()), 0.0)),
        free_(torus_.links(), 0.0) {
    report_.bytes.assign(torus_.links(), 0);
  }

  LinkReport run() {
    for (const Stage& stage : schedule_.stages) run(stage);
    for (const auto& part : ready_)
      report_.seconds = std::max(report_.seconds, *std::max_element(part.begin(), part.end()));
    return std::move(report_);
  }

 private:
  // On a ring of the stage: when a place has what came from `origin` (Gather), its partial sum for `origin` (Reduce) or
  // what goes from `origin` to a destination (Exchange).
  std::size_t slot(const Stage& stage, std::int64_t position, const RingHop& hop) const {
    const auto length = static_cast<std::size_t>(torus_.axes()[stage.axis].length);
    const auto origin = static_cast<std::size_t>(hop.origin);
    if (stage.movement == Movement::Exchange) {
      // Half way around a ring the two halves of a block travel apart.
      const std::size_t half = hop.half == Half::Second ? length : 0;
      return (half + origin) * length + static_cast<std::size_t>(hop.destination);
    }
    return static_cast<std::size_t>(position) * length + origin;
  }

  const std::vector<RingHop>& hops_of(const Stage& stage) {
    auto& hops = hops_[{stage.movement, stage.axis}];
    if (hops.empty())
      hops = ring_hops(stage.movement, torus_.axes()[stage.axis], torus_.is_network());
    return hops;
  }

  double slowness(std::size_t axis, std::int64_t link) const {
    const TorusAxis& torus = torus_.axes()[axis];
    return torus.slow.empty() ? 1 : torus.slowness(link).to_double();
  }

  std::int64_t bytes_of(const Stage& stage, Half half) const {
    const auto [begin, end] = elements_of(schedule_.parts[stage.part], half, block_elements_);
    return (end - begin) * blocks_carried(stage, torus_) * element_bytes_;
  }

  void run(const Stage& stage) {
    const std::vector<RingHop>& hops = hops_of(stage);
    for (const Half half : {Half::Whole, Half::First, Half::Second})
      bytes_[static_cast<std::size_t>(half)] = bytes_of(stage, half);
    for (std::int64_t place = 0; place < torus_.places(); ++place) {
      if (torus_.coordinate(place, stage.axis) == 0) run_ring(stage, hops, place);
    }
  }

  // The ring through `first`, its place with coordinate 0.
  void run_ring(const Stage& stage, const std::vector<RingHop>& hops, std::int64_t first) {
    const std::int64_t length = torus_.axes()[stage.axis].length;
    const std::int64_t stride = torus_.stride(stage.axis);
    auto& ready = ready_[stage.part];
    const auto index = [&](std::int64_t position) {
      return static_cast<std::size_t>(first + position * stride);
    };
    begun_.resize(static_cast<std::size_t>(length));
    for (std::int64_t p = 0; p < length; ++p) begun_[static_cast<std::size_t>(p)] = ready[index(p)];
    has_.assign(static_cast<std::size_t>(2 * length * length), 0.0);
    for (const RingHop& hop : hops) {
      const std::size_t link = torus_.link(first + hop.from * stride, stage.axis, hop.up);
      const std::int64_t bytes = bytes_[static_cast<std::size_t>(hop.half)];
      const double start = std::max({free_[link], begun_[static_cast<std::size_t>(hop.from)],
                                     has_[slot(stage, hop.from, hop)]});
      const double busy = static_cast<double>(bytes) / rates_.bandwidth *
                          slowness(stage.axis, hop.up ? hop.from : hop.to);
      free_[link] = start + busy;
      report_.bytes[link] += bytes;
      const double arrived = start + std::max(busy, rates_.hop);
      double& has = has_[slot(stage, hop.to, hop)];
      has = std::max(has, arrived);
      const bool ends = stage.movement != Movement::Exchange || hop.to == hop.destination;
      if (ends) ready[index(hop.to)] = std::max(ready[index(hop.to)], arrived);
    }
  }

  const Schedule& schedule_;
  const Torus& torus_;
  std::int64_t block_elements_;
  std::int64_t element_bytes_;
  LinkRates rates_;
  std::vector<std::vector<double>> ready_;  // by part and place: when the part's last stage ended
  std::vector<double> free_;                // by link
  std::map<std::pair<Movement, std::size_t>, std::vector<RingHop>> hops_;
  std::int64_t bytes_[3] = {};  // of a hop of the stage, by half
  // Of the ring that runs.
  std::vector<double> begun_;
  std::vector<double> has_;
  LinkReport report_;
};

}  // namespace

LinkReport time_on_links(const Schedule& schedule, std::int64_t block_elements,
                         std::int64_t element_bytes, const LinkRates& rates) {
  return LinkSimulation(schedule, block_elements, element_bytes, rates).run();
}

LinkReport time_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                         const LinkRates& rates) {
  return time_on_links(schedule_for(kind, torus, block_bytes, rates), block_bytes, 1, rates);
}

}  // namespace shard

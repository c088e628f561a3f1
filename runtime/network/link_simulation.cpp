#include "runtime/network/link_simulation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/network/link_plan.h"

namespace shard {
namespace {

// Everyone sends to the next one, then to the one after that, …; the last block has arrived once it is through, but not
// before a hop's latency. Over links of their own all blocks leave at once.
double seconds_through_network(const Torus& torus, std::int64_t block_bytes,
                               const LinkRates& rates) {
  const double block = static_cast<double>(block_bytes) / rates.bandwidth;
  const std::int64_t before = torus.fabric() == Fabric::Full ? 0 : torus.places() - 2;
  return static_cast<double>(before) * block + std::max(block, rates.hop);
}

// Adds up what the links of representatives carry.
class Carried {
 public:
  Carried(const Timetable& timetable, const Torus& torus, std::int64_t block_elements,
          std::int64_t element_bytes)
      : timetable_(timetable), torus_(torus), bytes_(torus.links(), 0) {
    for (const Part& part : timetable.parts()) {
      const auto [first, end] = elements_of(part, block_elements);
      part_bytes_.push_back((end - first) * element_bytes);
    }
  }

  void add(const std::vector<Bundle>& slot) {
    for (const Bundle& bundle : slot) {
      const auto part = static_cast<std::size_t>(bundle.part);
      const std::size_t axis =
          timetable_.parts()[part].order[static_cast<std::size_t>(bundle.stage)];
      bytes_[torus_.link(bundle.place, axis, bundle.up)] += bundle.blocks * part_bytes_[part];
    }
  }

  // Adds to `all`, by link of every place; for a Reduce, against the direction of the Gather.
  void add_to(std::vector<std::int64_t>& all, bool backwards) const {
    for (std::int64_t place = 0; place < torus_.places(); ++place) {
      const std::int64_t alike = timetable_.representative(place);
      for (std::size_t axis = 0; axis < torus_.axes().size(); ++axis) {
        const std::int64_t length = torus_.axes()[axis].length;
        const std::int64_t at = torus_.coordinate(place, axis);
        for (const bool up : {true, false}) {
          const std::int64_t to = torus_.at(place, axis, (at + (up ? 1 : length - 1)) % length);
          all[backwards ? torus_.link(to, axis, !up) : torus_.link(place, axis, up)] +=
              bytes_[torus_.link(alike, axis, up)];
        }
      }
    }
  }

 private:
  const Timetable& timetable_;
  const Torus& torus_;
  std::vector<std::int64_t> part_bytes_;
  std::vector<std::int64_t> bytes_;
};

}  // namespace

double seconds_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                        const LinkRates& rates) {
  if (torus.is_network())
    return times_of(kind) * seconds_through_network(torus, block_bytes, rates);
  return times_of(kind) * plan_on_links(kind, torus, block_bytes, rates).seconds;
}

LinkReport time_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_elements,
                         std::int64_t element_bytes, const LinkRates& rates) {
  LinkReport report;
  report.bytes.assign(torus.links(), 0);
  const std::int64_t block = block_elements * element_bytes;
  if (torus.is_network()) {
    const bool is_full = torus.fabric() == Fabric::Full;
    for (std::int64_t from = 0; from < torus.places(); ++from) {
      for (std::int64_t to = 0; to < torus.places(); ++to) {
        const std::size_t link = is_full ? torus.link_to(from, to) : torus.link(from, 0, true);
        if (to != from) report.bytes[link] += times_of(kind) * block;
      }
    }
    report.seconds = times_of(kind) * seconds_through_network(torus, block, rates);
    return report;
  }
  const LinkPlan plan = plan_on_links(kind, torus, block, rates);
  Timetable timetable(plan.schedule, forward_movement(kind), block_elements, element_bytes, rates,
                      plan.options);
  Carried carried(timetable, torus, block_elements, element_bytes);
  report.seconds = times_of(kind) * timetable.run(std::numeric_limits<double>::infinity(),
                                                  [&](const std::vector<Bundle>& slot, double) {
                                                    carried.add(slot);
                                                  });
  const CollectiveWay way = info_of(kind).way;
  if (way != CollectiveWay::Backwards) carried.add_to(report.bytes, false);
  if (way != CollectiveWay::Forwards) carried.add_to(report.bytes, true);
  return report;
}

}  // namespace shard

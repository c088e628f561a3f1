#include "runtime/link_plan.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/link_bounds.h"

namespace shard {
namespace {

// How near to the bound a timetable has to be for no other to be tried: at first, and when that much has been reckoned.
constexpr double kNearest = 1.0005;
constexpr double kNear = 1.03;
constexpr double kEager = 100'000;  // bundles
// Beyond so many nothing more is tried, whatever was found.
constexpr double kMostBundles = 250'000;
// Those of one try: of large toruses parts are cut into fewer chunks.
constexpr double kBundlesOfTry = 100'000;
constexpr std::int64_t kMostChunks = 64;
constexpr std::int64_t kChunksForHop =
    8;  // of each part, so that a slot is full to about an eighth

constexpr double kBulk = 1;  // of the bound of bytes to that of hops

struct Found {
  Timetable::Options options;
  double seconds = std::numeric_limits<double>::infinity();
};

class LinkPlanSearch {
 public:
  LinkPlanSearch(const Schedule& schedule, Movement movement, std::int64_t block_bytes,
                 const LinkRates& rates, double most_bundles)
      : schedule_(schedule),
        movement_(movement),
        block_bytes_(block_bytes),
        rates_(rates),
        bounds_(link_bounds(movement, schedule.torus, block_bytes, rates)),
        bundles_(Timetable::bundles(schedule, movement)),
        most_bundles_(most_bundles) {}

  // Slots of which as many are needed as a block has hops at most, a little longer than would do if all were full; then
  // twice as many, and so on, while they are not shorter than a hop. Large blocks are best cut into many chunks that follow
  // one another. Where all that is not near enough, the same with smaller chunks; and where bytes count far more than hops,
  // chunks as small as may be, whatever was reckoned before.
  Found run() {
    const auto hops = static_cast<double>(diameter(schedule_.torus));
    for (const std::int64_t finer : {1, 3}) {
      for (const std::int64_t times : {1, 2, 4, 8, 16}) {
        const double slot = bounds_.aim() / (hops * static_cast<double>(times));
        if (times > 1 && slot < rates_.hop) break;
        for (const double lead : {0.0, 1.0}) {
          if (lead == 0 || times > 1) attempt_all(chunks_of(times * finer), slot, lead);
        }
      }
    }
    if (bounds_.bytes >= kBulk * bounds_.hops) attempt_bulk(hops);
    return best_;
  }

 private:
  bool is_done() const {
    const double near = done_ < kEager ? kNearest : kNear;
    return best_.seconds <= near * bounds_.aim() || best_.seconds <= kNearest * bounds_.most() ||
           done_ >= most_bundles_;
  }

  std::int64_t chunks_of(std::int64_t times) const {
    const auto most = static_cast<std::int64_t>(kBundlesOfTry / bundles_);
    return std::clamp(std::min(kChunksForHop * times, most), std::int64_t{1}, kMostChunks);
  }

  void attempt_all(std::int64_t chunks, double slot, double lead) {
    for (const double longer : {0.0, 0.03, 0.07, 0.12, 0.2, 0.35, 0.5}) {
      if (is_done()) return;
      const double seconds = std::max(slot * (1 + longer), rates_.hop);
      if (seconds > rates_.hop || longer == 0) attempt({chunks, seconds, lead});
    }
  }

  void attempt_bulk(double hops) {
    for (const std::int64_t times : {16, 8}) {
      const double slot = std::max(bounds_.aim() / (hops * static_cast<double>(times)), rates_.hop);
      if (best_.seconds <= kNear * bounds_.aim()) return;
      attempt({chunks_of(times), slot, 1});
    }
  }

  void attempt(const Timetable::Options& options) {
    Timetable timetable(schedule_, movement_, block_bytes_, 1, rates_, options);
    const double seconds = timetable.run(best_.seconds);
    // One that was given up has carried something, too, or the search would not end.
    done_ += std::max(static_cast<double>(timetable.carried()),
                      bundles_ * static_cast<double>(options.chunks) / 8);
    if (seconds < best_.seconds) best_ = {options, seconds};
  }

  const Schedule& schedule_;
  Movement movement_;
  std::int64_t block_bytes_;
  LinkRates rates_;
  LinkBounds bounds_;
  double bundles_;  // of a timetable with one chunk
  double done_ = 0;
  double most_bundles_;
  Found best_;
};

// Where an axis may lean: while hops and bytes take about as long, on toruses that are reckoned fast.
constexpr double kLeansFrom = 0.7;  // of the bound of bytes to that of hops
constexpr double kLeansTo = 4;
constexpr double kMostLeaningBundles = 4'000;
constexpr double kBundlesOfLean = 60'000;

bool may_lean(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
              const LinkRates& rates) {
  const auto& axes = torus.axes();
  const bool alike = std::all_of(axes.begin(), axes.end(),
                                 [&](const TorusAxis& axis) { return axis == axes.front(); });
  if (alike || torus.is_network()) return false;
  const LinkBounds bounds = link_bounds(forward_movement(kind), torus, block_bytes, rates);
  return bounds.bytes >= kLeansFrom * bounds.hops && bounds.bytes <= kLeansTo * bounds.hops;
}

LinkPlan planned(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                 const LinkRates& rates, const std::vector<Rational>& leans, double most_bundles) {
  LinkPlan plan{schedule_of(kind, torus, leans), {1, rates.hop, 0}, 0};
  if (block_bytes == 0) return plan;
  const Found found =
      LinkPlanSearch(plan.schedule, forward_movement(kind), block_bytes, rates, most_bundles).run();
  plan.options = found.options;
  plan.seconds = found.seconds;
  return plan;
}

}  // namespace

LinkPlan plan_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                       const LinkRates& rates) {
  const Movement movement = forward_movement(kind);
  LinkPlan best = planned(kind, torus, block_bytes, rates, {}, kMostBundles);
  if (!may_lean(kind, torus, block_bytes, rates) ||
      Timetable::bundles(best.schedule, movement) > kMostLeaningBundles)
    return best;
  const double bound = link_bounds(movement, torus, block_bytes, rates).aim();
  for (std::size_t axis = 0; axis < torus.axes().size(); ++axis) {
    for (const std::int64_t percent : {150, 125, 110, 105, 95, 90, 80, 67}) {
      if (best.seconds <= kNear * bound) return best;
      std::vector<Rational> leans(torus.axes().size(), Rational(1));
      leans[axis] = Rational::fraction(percent, 100);
      LinkPlan plan = planned(kind, torus, block_bytes, rates, leans, kBundlesOfLean);
      if (plan.seconds < best.seconds) best = std::move(plan);
    }
  }
  return best;
}

Schedule schedule_for(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                      const std::optional<LinkRates>& rates) {
  if (!rates || !may_lean(kind, torus, block_bytes, *rates)) return schedule_of(kind, torus);
  return plan_on_links(kind, torus, block_bytes, *rates).schedule;
}

}  // namespace shard

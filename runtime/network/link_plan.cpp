#include "runtime/network/link_plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "base/cancellation.h"
#include "runtime/network/link_bounds.h"
#include "runtime/network/link_refinement.h"

namespace shard {
namespace {

// How close to its bound, as a ratio, a timetable has to be for the search to stop at first; once kEager is spent, kNear.
constexpr double kNearest = 1.0005;
constexpr double kEager = 100'000;  // bundles
// Beyond this nothing else is tried, whatever was found. It bounds planning to some tenths of a second; more would get
// a few toruses closer to their bounds (bench/README.md).
constexpr double kMostBundles = 250'000;
// The slot counts to try, in eighths of the most hops of any block: as many slots as hops suffice, and more let chunks
// follow one another. The finest steps are at the beginning, where one slot more matters most.
constexpr std::int64_t kSlotsOfHop[] = {8, 9, 10, 12, 14, 16, 20, 24, 32, 48, 64, 96, 128};
// No more slots are tried than fit, at a hop's latency each, into this multiple of the bound.
constexpr double kLongest = 1.5;

// Budgets where bytes count more than hops: there only small chunks come close to the bound, and they take more bundles
// per try.
constexpr double kBundlesOfBulkTry = 250'000;
constexpr double kMostBulkBundles = 500'000;
constexpr std::int64_t kFewChunks = 16;
// Of a try in one chunk, as others may not be had.
constexpr double kMostOfOneChunk = 2'000'000;
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

  // Tries as many slots as the most hops of any block, then more and more, until they are as short as a hop. Large
  // blocks are best cut into many chunks that follow one another. If none of that is close enough, tries everything
  // again with smaller chunks.
  Found run() {
    const std::int64_t hops = diameter(schedule_.torus);
    // If hops hardly count, there is time for three times the chunks from the start, and few slots lose nothing.
    if (bounds_.bytes > kRefinedTo * bounds_.hops) attempt({chunks_of(3), hops, 0});
    for (const std::int64_t finer : {1, 3}) {
      for (const std::int64_t eighths : kSlotsOfHop) {
        const std::int64_t slots = (hops * eighths + 7) / 8;
        const double shortest = static_cast<double>(slots) * rates_.hop;
        if (shortest > std::min(best_.seconds, kLongest * bounds_.aim())) break;
        // With no more slots than hops there is no slot to spare for leading chunks.
        for (const double lead : {0.0, 1.0, 2.0}) {
          if (is_done()) return best_;
          if (lead == 0 || slots > hops) attempt({chunks_of(eighths * finer / 8), slots, lead});
        }
      }
    }
    return best_;
  }

  // If bytes count more than hops, also tries chunks as small as possible, on a budget of its own: coarse chunks may
  // have used up the other one, which once left a gather over 4 line x 2 x 4 line 1.21 times above its bound.
  Found run_also_in_bulk() {
    run();
    if (bounds_.bytes >= kBulk * bounds_.hops) attempt_bulk();
    return best_;
  }

 private:
  bool is_done() const {
    const double near = done_ < kEager ? kNearest : kNear;
    return best_.seconds <= near * bounds_.aim() || best_.seconds <= kNearest * bounds_.most() ||
           done_ >= most_bundles_;
  }

  std::int64_t chunks_of(std::int64_t times) const {
    return chunks_within(kBundlesOfTry, kChunksForHop * times);
  }

  std::int64_t chunks_within(double bundles, std::int64_t wanted) const {
    const auto most = static_cast<std::int64_t>(bundles / bundles_);
    return std::clamp(std::min(wanted, most), std::int64_t{1}, kMostChunks);
  }

  // A slot of a gather carries some chunks of a part. What an exchange moves is in small pieces even if it is in one chunk, and
  // so is a gather over a torus that is too large for many chunks.
  void attempt_bulk() {
    const std::int64_t hops = diameter(schedule_.torus);
    const auto most = static_cast<std::int64_t>(bounds_.aim() / rates_.hop);
    const std::int64_t chunks = chunks_within(kBundlesOfBulkTry, kMostChunks);
    const auto many = [&](std::int64_t slots, double lead) {
      return Timetable::Options{chunks, std::min(slots, most), lead};
    };
    std::vector<Timetable::Options> tries;
    if (movement_ == Movement::Exchange) {
      for (const double lead : {2.0, 4.0}) {
        for (const std::int64_t times : {16, 8}) tries.push_back(many(hops * times, lead));
      }
    } else if (chunks < kFewChunks) {
      tries = {{1, std::min(hops * 4, most), 0},
               {std::max<std::int64_t>(chunks, 2), std::min(hops * 5 / 4, most), 1},
               many(hops * 4, 0),
               many(hops * 2, 1)};
    } else {
      for (const double lead : {2.0, 4.0}) {
        for (const std::int64_t each : {4, 8, 16})
          tries.push_back(many(hops * std::max<std::int64_t>(chunks / each, 1), lead));
      }
    }
    const double begun = done_;
    for (const Timetable::Options& options : tries) {
      if (best_.seconds <= kNear * bounds_.aim() || done_ - begun >= kMostBulkBundles) return;
      const double most_of_try = options.chunks == 1 ? kMostOfOneChunk : kMostBulkBundles;
      if (bundles_ * static_cast<double>(options.chunks) <= most_of_try) attempt(options);
    }
  }

  void attempt(const Timetable::Options& options) {
    throw_if_cancelled();
    Timetable timetable(schedule_, movement_, block_bytes_, 1, rates_, options);
    const double seconds = timetable.run(best_.seconds);
    // A timetable that was given up has carried something as well, or the search would not end.
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

LinkPlan first_plan(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                    const LinkRates& rates) {
  LinkPlan plan{schedule_of(kind, torus), {1, 1, 0}, 0};
  if (block_bytes == 0) return plan;
  const Found found =
      LinkPlanSearch(plan.schedule, forward_movement(kind), block_bytes, rates, kMostBundles)
          .run_also_in_bulk();
  plan.options = found.options;
  plan.seconds = found.seconds;
  return plan;
}

// For a Gather or Exchange.
LinkPlan found_plan(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                    const LinkRates& rates) {
  LinkPlan first = first_plan(kind, torus, block_bytes, rates);
  if (!may_be_refined(kind, torus, block_bytes, rates)) return first;
  return refined(kind, block_bytes, rates, std::move(first));
}

// A cache of plans, for any thread: pricing, timing and moving a collective use the same plan, often for many groups of
// devices, and a ReduceScatter that of an AllGather.
class Plans {
 public:
  LinkPlan find(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                const LinkRates& rates) {
    const Key key(kind, torus.axes(), block_bytes, rates.bandwidth, rates.hop);
    {
      const std::scoped_lock lock(mutex_);
      if (const auto known = plans_.find(key); known != plans_.end()) return known->second;
    }
    LinkPlan plan = found_plan(kind, torus, block_bytes, rates);
    const std::scoped_lock lock(mutex_);
    if (plans_.size() >= kMost) plans_.clear();
    plans_.try_emplace(key, plan);
    return plan;
  }

 private:
  // Beyond this the cache is emptied: plans are searched for again, with the same result.
  static constexpr std::size_t kMost = 256;
  using Key = std::tuple<CollectiveKind, std::vector<TorusAxis>, std::int64_t, double, double>;
  std::mutex mutex_;
  std::map<Key, LinkPlan> plans_;
};

}  // namespace

LinkPlan plan_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                       const LinkRates& rates) {
  static Plans plans;
  const CollectiveKind forwards = exchanges(kind) ? kind : CollectiveKind::AllGather;
  LinkPlan plan = plans.find(forwards, torus, block_bytes, rates);
  if (kind != forwards) plan.schedule = schedule_with(kind, torus, std::move(plan.schedule.parts));
  return plan;
}

Schedule schedule_for(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                      const std::optional<LinkRates>& rates) {
  if (!rates || !may_be_refined(kind, torus, block_bytes, *rates)) return schedule_of(kind, torus);
  return plan_on_links(kind, torus, block_bytes, *rates).schedule;
}

}  // namespace shard

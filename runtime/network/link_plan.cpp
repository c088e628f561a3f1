#include "runtime/network/link_plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "base/cancellation.h"
#include "runtime/network/link_bounds.h"

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
// How many slots are tried, in eighths of the hops that a block has at most.
constexpr std::int64_t kSlotsOfHop[] = {8, 9, 10, 12, 14, 16, 20, 24, 32, 48, 64, 96, 128};
// So many are needed only for a time that is no longer than that, to the bound.
constexpr double kLongest = 1.5;

// Where bytes count more than hops.
constexpr double kBundlesOfBulkTry = 250'000;
constexpr double kMostBulkBundles = 500'000;
constexpr std::int64_t kFewChunks = 16;
// Of a try in one chunk, as others may not be had.
constexpr double kMostOfOneChunk = 2'000'000;
constexpr double kBulk = 1;  // of the bound of bytes to that of hops
// Between these, of the same, both count.
constexpr double kRefinedFrom = 0.5;
constexpr double kRefinedTo = 8;

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Found {
  Timetable::Options options;
  double seconds = kNever;
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

  // As many slots as a block has hops at most, then more and more, until they are as short as a hop. Large blocks are best
  // cut into many chunks that follow one another. Where all that is not near enough, the same with smaller chunks.
  Found run() {
    const std::int64_t hops = diameter(schedule_.torus);
    // Where hops hardly count, slots as long as it takes lose nothing if there are chunks to fill them.
    if (bounds_.bytes > kRefinedTo * bounds_.hops) attempt({chunks_of(3), hops, 0});
    for (const std::int64_t finer : {1, 3}) {
      for (const std::int64_t eighths : kSlotsOfHop) {
        const std::int64_t slots = (hops * eighths + 7) / 8;
        const double shortest = static_cast<double>(slots) * rates_.hop;
        if (shortest > std::min(best_.seconds, kLongest * bounds_.aim())) break;
        for (const double lead : {0.0, 1.0, 2.0}) {
          if (is_done()) return best_;
          if (lead == 0 || slots > hops) attempt({chunks_of(eighths * finer / 8), slots, lead});
        }
      }
    }
    return best_;
  }

  // Where bytes count far more than hops as well: chunks as small as may be, whatever was reckoned before.
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

// Where other shares are looked for: while hops and bytes take about as long, on toruses that are reckoned fast.
constexpr double kMostRefinedBundles = 12'000;
constexpr std::size_t kMostRefinedAxes = 4;  // all orders of them are gone through
constexpr double kBundlesOfLean = 500'000;
constexpr double kBundlesOfChanges = 500'000;
constexpr double kTolerated = 0.01;
// To the bound. Hardly anything stays so far off: rounds more bring it nearer, but take a second where one takes a tenth.
constexpr double kFar = 1.09;
constexpr int kMostRounds = 8;
constexpr std::int64_t kShareUnits = 1 << 14;
constexpr std::int64_t kMostRoutes = 32;  // that a block is cut over

bool may_be_refined(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                    const LinkRates& rates) {
  const auto& axes = torus.axes();
  const bool alike = std::all_of(axes.begin(), axes.end(),
                                 [&](const TorusAxis& axis) { return axis == axes.front(); });
  if (alike || torus.is_network() || axes.size() > kMostRefinedAxes) return false;
  const LinkBounds bounds = link_bounds(forward_movement(kind), torus, block_bytes, rates);
  return bounds.bytes >= kRefinedFrom * bounds.hops && bounds.bytes <= kRefinedTo * bounds.hops;
}

// Looks for other shares, and slots that go with them. What carries nothing yet while hops count, as the second
// link to the same place of a ring of 2, makes other shares better than those that are best for bytes alone; and so does a
// link that has carried all: with parts that turn, axes end at the same time.
class Refinement {
 public:
  Refinement(CollectiveKind kind, std::int64_t block_bytes, const LinkRates& rates, LinkPlan first)
      : kind_(kind),
        movement_(forward_movement(kind)),
        torus_(first.schedule.torus),
        hops_(diameter(torus_)),
        block_bytes_(block_bytes),
        rates_(rates),
        enough_(kNear * link_bounds(movement_, torus_, block_bytes, rates).most()),
        best_(std::move(first)) {
    list_routes();
  }

  LinkPlan run() {
    if (movement_ == Movement::Gather) lean();
    units_ = units_of(best_.schedule);
    best_units_ = units_;
    options_ = best_.options;
    options_.chunks = std::min(options_.chunks, kChunksForHop);
    // The best of the first round is mostly the best of all. What is far off is begun anew from it.
    for (int round = 0; round < (round == 0 || is_far() ? kMostRounds : 0); ++round) {
      units_ = best_units_;
      seconds_ = best_.seconds;
      done_ = 0;
      while (!is_enough() && done_ < kBundlesOfChanges) change();
      cut_finer();
    }
    return std::move(best_);
  }

 private:
  bool is_enough() const { return best_.seconds <= enough_; }
  bool is_far() const { return best_.seconds > kFar / kNear * enough_; }

  // All orders of the axes, and for a gather of each those that turn on the first axis, anywhere on it.
  void list_routes() {
    std::vector<std::size_t> order(torus_.axes().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      routes_.push_back({order, 0});
      if (movement_ == Movement::Exchange) continue;
      std::vector<std::size_t> turned = order;
      turned.push_back(order.front());
      for (std::int64_t turn = 1; turn < torus_.axes()[order.front()].longest_way(); ++turn)
        routes_.push_back({turned, 0, turn});
    } while (std::next_permutation(order.begin(), order.end()));
  }

  // The shares that would be best if an axis had more links than it has, or fewer: one axis after the other, with less of a
  // change each round.
  void lean() {
    const auto& axes = torus_.axes();
    std::vector<std::int64_t> percents(axes.size(), 100);
    for (const std::int64_t step : {50, 25, 12}) {
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        for (const bool more : {true, false}) {
          if (is_enough() || done_ >= kBundlesOfLean) return;
          std::vector<std::int64_t> tried = percents;
          std::int64_t& percent = tried[axis];
          percent = more ? percent * (100 + step) / 100 : percent * 100 / (100 + step);
          if (attempt_slots(leaning(tried))) percents = std::move(tried);
        }
      }
    }
  }

  Schedule leaning(const std::vector<std::int64_t>& percents) const {
    std::vector<Rational> rates;
    for (std::size_t axis = 0; axis < percents.size(); ++axis)
      rates.push_back(gather_rate(torus_.axes()[axis]) * Rational::fraction(percents[axis], 100));
    return schedule_of(kind_, torus_, gather_shares(torus_, rates));
  }

  // With about as many slots as are best so far, and as there are hops. Whether it is better than all before.
  bool attempt_slots(const Schedule& schedule) {
    throw_if_cancelled();
    const double before = best_.seconds;
    const std::int64_t own = best_.options.slots;
    for (const std::int64_t slots : {own, own + 1, own - 1, own + 2, own + 4, hops_, hops_ + 1}) {
      for (const double lead : {0.0, 1.0}) {
        const Timetable::Options options = {std::min(kChunksForHop, best_.options.chunks),
                                            std::max(slots, hops_), lead};
        const double seconds = reckoned(schedule, options, best_.seconds);
        if (seconds < best_.seconds) best_ = {schedule, options, seconds};
      }
    }
    return best_.seconds < before;
  }

  double reckoned(const Schedule& schedule, const Timetable::Options& options, double limit) {
    const double bundles =
        Timetable::bundles(schedule, movement_) * static_cast<double>(options.chunks);
    // One that is not even begun counts, too, or the search would not end.
    done_ += bundles / 32;
    if (bundles > kBundlesOfTry) return kNever;
    Timetable timetable(schedule, movement_, block_bytes_, 1, rates_, options);
    const double seconds = timetable.run(limit);
    done_ += static_cast<double>(timetable.carried());
    return seconds;
  }

  // By route.
  std::vector<std::int64_t> units_of(const Schedule& schedule) const {
    std::vector<std::int64_t> units;
    std::int64_t left = kShareUnits;
    for (const ColourShare& route : routes_) {
      Rational share = 0;
      for (const Part& part : schedule.parts) {
        if (part.order == route.order && part.turn == route.turn)
          share = share + (part.end - part.begin);
      }
      units.push_back(*floor(share * Rational(kShareUnits)).to_int64());
      left -= units.back();
    }
    *std::max_element(units.begin(), units.end()) += left;
    return units;
  }

  // Shares, slots, chunks and leads hang together, so several are changed at once, at random: always the same random
  // numbers, so that a plan is the same everywhere. At first what ends a little later is kept, too, for what may follow.
  void change() {
    throw_if_cancelled();
    std::vector<std::int64_t> units = units_;
    Timetable::Options options = options_;
    do {
      switch (random(5)) {
        case 0:
        case 1:
          move_share(units);
          break;
        case 2: {
          // A little more or less of them, or hardly more than hops.
          const std::int64_t from = random(2) == 0 ? options.slots - 3 : hops_;
          options.slots = std::max(from + static_cast<std::int64_t>(random(7)), hops_);
          break;
        }
        case 3:
          options.chunks = kChunksForHop / 2 << random(3);
          break;
        default:
          options.chunk_lead = static_cast<double>(random(5)) / 2;
      }
    } while (random(2) == 0);
    attempt(std::move(units), options);
  }

  void attempt(std::vector<std::int64_t> units, const Timetable::Options& options) {
    Schedule schedule = schedule_of(kind_, torus_, shares_of(units));
    const double tolerated = kTolerated * std::max(0.0, 1 - done_ / (kBundlesOfChanges / 2));
    const double limit = seconds_ * (1 + tolerated);
    const double seconds = reckoned(schedule, options, limit);
    if (seconds >= limit) return;
    units_ = std::move(units);
    options_ = options;
    seconds_ = seconds;
    if (seconds >= best_.seconds) return;
    best_units_ = units_;
    best_ = {std::move(schedule), options, seconds};
  }

  // Shares are looked for with few chunks, as they are reckoned faster.
  void cut_finer() {
    Timetable::Options options = best_.options;
    for (std::int64_t chunks = 2 * kChunksForHop; chunks <= kMostChunks; chunks *= 2) {
      options.chunks = chunks;
      if (!is_enough()) attempt(best_units_, options);
    }
  }

  // From one route to another one, a fourth of a block at most. No crumbs are left: each part takes as long to reckon.
  void move_share(std::vector<std::int64_t>& units) {
    std::vector<std::size_t> taken;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (units[i] > 0) taken.push_back(i);
    }
    std::int64_t& from = units[taken[random(taken.size())]];
    std::int64_t& to = units[random(units.size())];
    std::int64_t moved = std::min(from, kShareUnits >> (2 + random(5)));
    if (from - moved < kShareUnits / kMostRoutes) moved = from;
    from -= moved;
    to += moved;
  }

  std::vector<ColourShare> shares_of(const std::vector<std::int64_t>& units) const {
    std::vector<ColourShare> shares;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (units[i] == 0) continue;
      shares.push_back(routes_[i]);
      shares.back().share = Rational::fraction(units[i], kShareUnits);
    }
    return shares;
  }

  // The generator's numbers are laid down by the standard, those of distributions are not.
  std::size_t random(std::size_t below) { return static_cast<std::size_t>(random_()) % below; }

  CollectiveKind kind_;
  Movement movement_;
  Torus torus_;
  std::int64_t hops_;
  std::int64_t block_bytes_;
  LinkRates rates_;
  double enough_;
  LinkPlan best_;
  std::vector<ColourShare> routes_;
  std::vector<std::int64_t> best_units_;  // by route: the share of a block
  // What is changed, from which the best may differ.
  std::vector<std::int64_t> units_;
  Timetable::Options options_;
  double seconds_ = 0;
  double done_ = 0;
  std::mt19937 random_;
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

// Of a Gather or Exchange.
LinkPlan found_plan(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                    const LinkRates& rates) {
  LinkPlan first = first_plan(kind, torus, block_bytes, rates);
  if (!may_be_refined(kind, torus, block_bytes, rates) ||
      Timetable::bundles(first.schedule, forward_movement(kind)) > kMostRefinedBundles)
    return first;
  return Refinement(kind, block_bytes, rates, std::move(first)).run();
}

// Plans that were found, for any thread: a collective is priced, timed and moved by the same one, often for many groups of
// devices, and a ReduceScatter by that of an AllGather.
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
  static constexpr std::size_t kMost = 256;
  using Key = std::tuple<CollectiveKind, std::vector<TorusAxis>, std::int64_t, double, double>;
  std::mutex mutex_;
  std::map<Key, LinkPlan> plans_;
};

}  // namespace

LinkPlan plan_on_links(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                       const LinkRates& rates) {
  static Plans plans;
  const CollectiveKind forwards =
      kind == CollectiveKind::AllToAll ? kind : CollectiveKind::AllGather;
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

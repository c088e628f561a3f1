#include "runtime/network/link_refinement.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "base/cancellation.h"
#include "runtime/network/link_bounds.h"

namespace shard {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Between these ratios of the bound of bytes to that of hops both count.
constexpr double kRefinedFrom = 0.5;
// Where other shares are searched for: on toruses whose timetables are fast enough to build some hundreds of them.
constexpr double kMostRefinedBundles = 12'000;
// Beyond, all orders of the axes would be too many routes to search.
constexpr std::size_t kMostRefinedAxes = 4;
// The budgets of both searches, and how much later than the current plan, as a share, a change may end at first.
constexpr double kBundlesOfLean = 500'000;
constexpr double kBundlesOfChanges = 500'000;
constexpr double kTolerated = 0.01;
// To the bound. Hardly anything stays so far off: rounds more bring it nearer, but take a second where one takes a tenth.
constexpr double kFar = 1.09;
constexpr int kMostRounds = 8;
// The units of shares: finer than any block is worth cutting, and all parts stay exact fractions.
constexpr std::int64_t kShareUnits = 1 << 14;
constexpr std::int64_t kMostRoutes = 32;  // over which a block is cut

// Searches for other shares, along with slots that suit them. Links that carry nothing yet while hops count, such as
// the second link to the same place of a ring of 2, favour other shares than those best for bytes alone; so do links
// that are done early: with parts that turn, axes finish together.
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
    // The best of the first round is mostly the best of all. What is still far off starts over from there.
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

  // All orders of the axes; for a gather also those that turn on the first axis, at any place.
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

  // Tries the shares that would be best if an axis had more or fewer links, axis by axis, with smaller changes each
  // round: half as many again, a quarter, an eighth.
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

  // Tries about as many slots as in the best plan so far, and about as many as hops. Returns whether one beats all
  // before.
  bool attempt_slots(const Schedule& schedule) {
    throw_if_cancelled();
    const double before = best_.seconds;
    const std::int64_t own = best_.options.slots;
    for (const std::int64_t slots : {own, own + 1, own - 1, own + 2, own + 4, hops_, hops_ + 1}) {
      for (const double lead : {0.0, 1.0}) {
        const Timetable::Options options = {std::min(kChunksForHop, best_.options.chunks),
                                            std::max(slots, hops_), lead};
        const double seconds = timed(schedule, options, best_.seconds);
        if (seconds < best_.seconds) best_ = {schedule, options, seconds};
      }
    }
    return best_.seconds < before;
  }

  double timed(const Schedule& schedule, const Timetable::Options& options, double limit) {
    const double bundles =
        Timetable::bundles(schedule, movement_) * static_cast<double>(options.chunks);
    // One that is not even started counts as well, or the search would not end.
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

  // Shares, slots, chunks and leads depend on one another, so several are changed at once, at random, with a fixed
  // seed, so that a plan is the same everywhere. Shares are changed most often, having the most freedom. At first,
  // changes that end a little later are kept as well, for what may follow from them.
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
          // A few more or fewer, or hardly more than hops.
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
    const double seconds = timed(schedule, options, limit);
    if (seconds >= limit) return;
    units_ = std::move(units);
    options_ = options;
    seconds_ = seconds;
    if (seconds >= best_.seconds) return;
    best_units_ = units_;
    best_ = {std::move(schedule), options, seconds};
  }

  // Shares are searched for with few chunks, which is faster; now tries more.
  void cut_finer() {
    Timetable::Options options = best_.options;
    for (std::int64_t chunks = 2 * kChunksForHop; chunks <= kMostChunks; chunks *= 2) {
      options.chunks = chunks;
      if (!is_enough()) attempt(best_units_, options);
    }
  }

  // Moves at most a fourth of a block from one route to another. Leaves no crumbs, as each part takes time whatever its
  // size.
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

  // The standard defines the generator's numbers, but not those of distributions.
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
  // The current state of the search, which may differ from the best.
  std::vector<std::int64_t> units_;
  Timetable::Options options_;
  double seconds_ = 0;
  double done_ = 0;
  std::mt19937 random_;
};

}  // namespace

bool may_be_refined(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                    const LinkRates& rates) {
  const auto& axes = torus.axes();
  const bool alike = std::all_of(axes.begin(), axes.end(),
                                 [&](const TorusAxis& axis) { return axis == axes.front(); });
  if (alike || torus.is_network() || axes.size() > kMostRefinedAxes) return false;
  const LinkBounds bounds = link_bounds(forward_movement(kind), torus, block_bytes, rates);
  return bounds.bytes >= kRefinedFrom * bounds.hops && bounds.bytes <= kRefinedTo * bounds.hops;
}

LinkPlan refined(CollectiveKind kind, std::int64_t block_bytes, const LinkRates& rates,
                 LinkPlan first) {
  if (Timetable::bundles(first.schedule, forward_movement(kind)) > kMostRefinedBundles)
    return first;
  return Refinement(kind, block_bytes, rates, std::move(first)).run();
}

}  // namespace shard

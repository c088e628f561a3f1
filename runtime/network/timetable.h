// When the links carry what the stages of a schedule move: in slots, with one transfer per link and slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/network/collective_schedule.h"

namespace shard {

// What a place passes on to its neighbour, of one part of the blocks, in one stage.
struct Bundle {
  // The place that passes it on, on behalf of all places that differ from it only on axes that are alike everywhere.
  std::int32_t place;
  std::int32_t part;   // of Timetable::parts
  std::int32_t stage;  // the axis is the one at this place of the part's order
  std::int32_t steps;  // that it has come along the axis
  std::int32_t
      goal;  // steps that it goes there in all; of a Gather every place on the way keeps it
  // Blocks of one place or those that have come about equally far along the axes before, see Timetable::tells_origins_apart
  // and band_of; of a part that turns those apart that go on afterwards, up or down.
  std::int32_t band;
  std::int32_t urgency;
  std::int32_t hops;  // to the farthest place that waits for it
  bool up;
  std::int64_t number;  // in the order in which bundles became ready
  std::int64_t blocks;
};

// A greedy list schedule in slots. In each slot every link carries one transfer: of the bundles that its place has, those
// with most hops before them first, as many as go through in the time of a slot. It is as long as the link with most left to
// carry needs for its share of that, if the rest goes in the slots that are left; and what has more hops before it than there
// would be slots left goes whatever its slot takes; the other links are filled up to that. All that a slot carries has arrived
// when it ends, not before a hop's latency has passed. A slot ends when the longest of its transfers is through.
//
// Why slots: a transfer shorter than the latency of a hop keeps those that depend on it waiting just as long. So links
// are best used if whatever is sent at about the same time is one transfer, at least as long as the latency; with equal
// slots every link is always busy, and no hop waits longer than it has to.
//
// Places that differ only on rings without faults do the same at the same time, so one represents them all. A Reduce is
// a Gather backwards in time: its slots are those of the Gather, from last to first.
class Timetable {
 public:
  struct Options {
    std::int64_t chunks = 1;  // that each part is cut into, so that slots can be filled
    std::int64_t slots = 1;   // in which everything is to arrive
    // How many hops the first chunk is ahead of the next: 0 lets the farthest bundles go first, more lets chunks follow
    // one another. The lead shrinks to nothing towards the last chunk: at the end the farthest have to go first, or the
    // links of those that go far would idle while others still carry.
    double chunk_lead = 0;
  };

  // For a Gather or Exchange over a torus, not a network, with blocks of `block_elements` elements.
  Timetable(const Schedule& schedule, Movement movement, std::int64_t block_elements,
            std::int64_t element_bytes, const LinkRates& rates, const Options& options);

  using Watch = std::function<void(const std::vector<Bundle>&, double seconds)>;
  // Seconds until everything has arrived; infinity if that exceeds `limit`. `watch` gets what each slot carries. Call
  // it only once.
  double run(double limit, const Watch& watch = nullptr);

  // Bundles carried so far, counting only those of representatives.
  std::int64_t carried() const { return carried_; }
  // The schedule's parts, cut into chunks; those without elements are left out.
  const std::vector<Part>& parts() const { return parts_; }
  // The place that represents this one.
  std::int32_t representative(std::int64_t place) const;
  // Whether the blocks of each place are a band of their own: those of the place n steps up from where they are, along the
  // first axis of the order, are the n-th; the axes behind it count like further digits. On large toruses, and in an
  // Exchange, blocks that have come equally far are one band, which goes on when the last of them is there. Links wait for
  // that, most of all where lines end and two axes bring what goes on along a third.
  static bool tells_origins_apart(const Torus& torus, Movement movement);
  // If they are not told apart, in the stage behind so many axes of the part's order: where blocks belong that have come so
  // many hops. A stage has no more than kMostBands, so that large toruses take no longer to reckon.
  std::int32_t band_of(std::int32_t part, std::int32_t stage, std::int64_t hops) const;

  // Roughly the number of bundles with one chunk.
  static double bundles(const Schedule& schedule, Movement movement);

 private:
  // Blocks within a thirty-second of the hops before a stage go on together: more bands let some go earlier, but
  // timetables of large toruses would take longer.
  static constexpr std::int32_t kMostBands = 32;
  // Of a part that turns: blocks that do not go on, those that go on up, those that go on down.
  static constexpr std::int32_t kClasses = 3;
  static std::int32_t class_of(bool up) { return up ? 1 : 2; }

  // Blocks that go on from a place together in a stage.
  struct Band {
    std::int64_t blocks = 0;
    std::int64_t hops = 0;     // of those that came farthest
    std::int32_t missing = 0;  // bundles that it still waits for
  };
  using Bands = std::vector<Band>;

  void cut_parts(const Schedule& schedule, std::int64_t block_elements, std::int64_t chunks);
  void place_axes();
  void place_links();
  std::int64_t places_before(const Part& part, std::size_t stage) const;
  std::int32_t next_band(std::int32_t part, std::int32_t stage, std::int32_t band, bool up,
                         std::int64_t steps, std::int64_t hops) const;
  void make_bands(std::int32_t part);
  void add_to_bands(std::int32_t part, std::int32_t stage, std::int32_t place);
  Bands& bands(std::int32_t part, std::int32_t stage, std::int32_t place);
  std::int64_t position(std::int32_t place, std::size_t axis) const {
    return positions_[axis][static_cast<std::size_t>(place)];
  }
  std::int64_t steps_from(std::int64_t position, const Part& part, std::size_t axis, bool up) const;
  std::int64_t steps_to(std::int64_t position, const Part& part, std::size_t axis, bool up) const;
  std::int64_t longest_way(const Part& part, std::size_t stage) const;
  std::int32_t neighbour(std::int32_t place, std::size_t axis, bool up) const {
    return neighbours_[torus_.link(place, axis, up)];
  }
  double slowness(std::int32_t place, std::size_t axis, bool up) const;
  std::int32_t urgency(const Bundle& bundle) const;
  std::int32_t hops_ahead(const Bundle& bundle) const;
  std::int64_t hops_behind_turn(const Bundle& bundle, const Part& part, std::size_t axis) const;

  void add_loads(std::int32_t part);
  double most_left() const;
  void arrive(std::int32_t part, std::int32_t stage, std::int32_t place, std::int32_t band);
  void begin(std::int32_t part, std::int32_t stage, std::int32_t place, std::int32_t band);
  void pass_on(const Bundle& bundle);
  void enqueue(Bundle bundle);
  double fill(std::size_t link, double busy, std::vector<Bundle>& slot);

  const Torus& torus_;
  bool exchanges_;
  bool apart_;
  std::int32_t bands_of_class_;
  LinkRates rates_;
  Options options_;
  std::vector<Part> parts_;
  std::vector<std::int32_t> leads_;    // by part: how much less urgent it is than the first chunk
  std::vector<double> seconds_;        // by part: for one block
  std::vector<bool> alike_;            // by axis
  std::vector<std::int32_t> strides_;  // by axis, between representatives; 0 if alike
  std::vector<std::int32_t> neighbours_;              // by link of a representative: where it leads
  std::vector<double> slowness_;                      // by link of a representative
  std::vector<std::vector<std::int64_t>> positions_;  // by axis and representative
  std::int32_t places_ = 1;                           // number of representatives
  std::vector<std::vector<std::int64_t>> hops_before_;
  std::vector<std::vector<Bands>> bands_;  // by part, then stage and place
  // By link of a representative: heaps, the most urgent first.
  std::vector<std::vector<Bundle>> queues_;
  std::vector<std::size_t> waiting_;  // links whose queue is not empty
  std::vector<double> left_;  // by link of a representative: seconds that it will still be busy
  std::int64_t carried_ = 0;
  std::int64_t number_ = 0;
  std::int64_t slots_left_ = 1;
  double room_ = 0;  // seconds, of the slot being filled
};

}  // namespace shard

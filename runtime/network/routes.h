// Blocks on their shortest ways through a torus or a network, hop by hop. The same hops move the data
// (runtime/collective/run_routes.h), are weighed (which link carries most) and timed on the links.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "runtime/machine/mesh.h"
#include "runtime/network/link_simulation.h"
#include "runtime/network/spanning_trees.h"
#include "runtime/network/torus.h"

namespace shard {

// A part of a block that travels in one piece; its hops follow one another.
struct RoutePart {
  std::int64_t block = 0;
  std::int64_t from = 0;  // devices
  std::int64_t to = 0;
  // Of the block, in units of 1 / kWholeBlock.
  std::int64_t begin = 0;
  std::int64_t end = 0;
  // The part that brings to `from` what this one carries; −1: it is there from the start.
  std::int64_t behind = -1;
};

// A part passes a link.
struct RouteHop {
  std::size_t part = 0;
  std::size_t link = 0;  // Routes::links
};

// The units in which parts of a block are counted: twice the least common multiple of 1 to 16, so that a block divides
// evenly among any number of ports, and each part in half.
inline constexpr std::int64_t kWholeBlock = 2 * std::int64_t{720'720};

// Blocks of one size that all travel at the same time, on the torus or on one network.
//
// On the torus a block takes the shortest way, one axis after the other. It leaves by as many ports as there are axes
// to travel: cut into as many equal parts, of which the first begins with the first axis, the second with the second,
// and so on cyclically; the parts of one block never share a link. Half way around a ring a part is split over both
// directions. To avoid a failed link it goes the other way.
//
// A block meant for everyone reaches each place by a shortest way, along the first axis, from there along the second,
// …: no link carries it twice. Or it goes in equal parts, each along its own spanning tree.
//
// On a network a block leaves by its device's port, and has then arrived. One meant for everyone is passed on from each
// device to the next. Where every device has a link to every other, a block leaves by that one, and one meant for
// everyone by all of them at the same time.
class Routes {
 public:
  // An axis of the torus, or a whole axis of a network. Along an axis that `stays` no block travels; it only identifies
  // the torus that a device is in.
  struct Axis {
    TorusAxis torus;
    bool stays = false;
  };
  // Whether the hops themselves are kept, or only their totals.
  enum class Keep { Loads, Hops };

  // Devices are numbered by their coordinates on the axes, the first being major.
  explicit Routes(const std::vector<Axis>& axes, Fabric fabric = Fabric::Torus,
                  Keep keep = Keep::Loads);

  void send(std::int64_t from, std::int64_t to, std::int64_t block = 0);
  // Along one ring, `up` of kWholeBlock goes up and the rest the other way round. REQUIRES: the two differ on no other
  // axis, and no link of the ring has failed.
  void send_round(std::int64_t from, std::int64_t to, std::int64_t block, std::int64_t up);
  // To all devices that differ from this one only on axes that do not stay.
  void broadcast(std::int64_t from, std::int64_t block = 0);
  void broadcast(const std::vector<SpanningTree>& trees, std::int64_t block = 0);

  // What the busiest link carries in one direction, in blocks; on a slow link, times its slowness.
  Rational busiest() const;
  // The longest way of any block so far.
  std::int64_t hops() const { return static_cast<std::int64_t>(rounds_.size()); }
  // The hops of all parts of all blocks; computed, not counted, if they are not kept.
  std::int64_t hop_count() const { return hop_count_; }
  // Whether failed links leave a block without a way.
  bool is_severed() const { return is_severed_; }

  // REQUIRES: hops are kept.
  const std::vector<RoutePart>& parts() const { return parts_; }
  // By round: the first hops of all blocks, then their second hops, … Links carry them in this order.
  const std::vector<std::vector<RouteHop>>& rounds() const { return rounds_; }
  const Torus& torus() const { return torus_; }
  // The numbers of links are below this. On the torus and on a network they are those of Torus::link.
  std::size_t links() const;
  // The factor by which a link takes longer for its bytes.
  double slowness(std::size_t link) const;

 private:
  // A part of a way along one axis, in one direction or, half way around, in both.
  struct Leg {
    std::size_t axis;
    std::int64_t begin;  // coordinates
    std::int64_t end;
    std::int64_t steps;
    bool up;
    bool down;
  };

  Leg leg_between(std::size_t axis, std::int64_t begin, std::int64_t end);
  std::vector<Leg> legs_between(std::int64_t from, std::int64_t to);
  void add_ways(RoutePart part, const std::vector<Leg>& legs, std::size_t first);
  void add_leg(const RoutePart& part, std::int64_t device, const Leg& leg, bool up,
               std::size_t& round);
  void add_load(std::int64_t device, const Leg& leg, bool up, std::int64_t load);
  std::vector<std::int64_t> loads() const;
  std::size_t add_part(const RoutePart& part);
  void add_hop(const RoutePart& part, std::size_t link, std::size_t round);
  // Passes on what the places in `held` have to the others along an axis, and adds these to `held`.
  struct Holder;
  void spread(std::size_t axis, std::int64_t block, std::vector<Holder>& held);
  void broadcast_on_network(std::int64_t from, std::int64_t block);
  // The link by which a block leaves for a device one hop away, other than on the torus.
  std::size_t port(std::int64_t from, std::int64_t to) const;
  // Where a device is among those that differ on no axis that stays; how many these are.
  std::int64_t number_in_node(std::int64_t device) const;
  std::int64_t node_size() const;
  Rational exact_slowness(std::size_t link) const;

  Torus torus_;
  std::vector<bool> stays_;
  Keep keep_;
  std::vector<RoutePart> parts_;
  std::vector<std::vector<RouteHop>> rounds_;
  std::vector<std::int64_t> loads_;  // by link, in units of 1 / kWholeBlock
  // By link, if only loads are kept: how much more its ring or line carries from here on than before.
  std::vector<std::int64_t> changes_;
  std::int64_t hop_count_ = 0;
  bool is_severed_ = false;
  bool has_slow_links_ = false;
};

// The elements of a block that belong to a part, as a half-open range.
std::pair<std::int64_t, std::int64_t> elements_of(const RoutePart& part,
                                                  std::int64_t block_elements);

// Until the last block has arrived (cost model, "Time of a collective on the links"): the head of a part moves on after
// each hop's latency, and the links on its way carry one part after the other, in the order of the rounds.
// REQUIRES: hops are kept.
LinkReport time_on_links(const Routes& routes, std::int64_t block_elements,
                         std::int64_t element_bytes, const LinkRates& rates);

}  // namespace shard

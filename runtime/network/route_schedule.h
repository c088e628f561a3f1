// Which blocks a CollectivePermute, a Shift or a Broadcast moves, and by which routes: first on the torus, then through
// a switch, then between slices; a Broadcast the other way round. Both its cost and what `--hops` executes follow from
// this.
#pragma once

#include <optional>
#include <vector>

#include "runtime/machine/machine.h"
#include "runtime/network/axis_group.h"
#include "runtime/network/block_moves.h"
#include "runtime/network/routes.h"

namespace shard {

// What goes over the links of one group of axes, after the previous stage has ended.
struct RouteStage {
  AxisGroup group;
  Routes routes;
};

struct RouteSchedule {
  // Devices are numbered by their coordinates on these, the first being major.
  std::vector<AxisId> axes;
  std::vector<BlockMove> blocks;  // by number; a block meant for everyone goes to −1
  std::vector<RouteStage> stages;

  // The most blocks that one device sends.
  std::int64_t most_sent() const;
  // Of all stages together.
  double hop_count() const;
};

// Blocks that change device, each by its routes. REQUIRES: the sizes of the axes are numbers above 1.
RouteSchedule routes_of(std::vector<BlockMove> blocks, std::vector<AxisId> axes,
                        const Machine& machine, Routes::Keep keep);

// A collective of one of these kinds between two layouts, of which only the axes it runs over matter.
struct RoutedCollective {
  CollectiveKind kind;
  std::vector<AxisId> axes;
  int shift = 0;
  Layout now;
  Layout then;
  // If this and the rates of the links (rates_on_links) are known, a Shift over one ring goes both ways round, and a
  // Broadcast by several trees, if that ends sooner.
  std::optional<std::int64_t> block_bytes = std::nullopt;
};
// nullopt if blocks do not move whole, or sizes are not numbers.
std::optional<RouteSchedule> routes_of(const RoutedCollective& collective, const Machine& machine,
                                       Routes::Keep keep);
// The axes that it runs over, without those of size 1.
std::vector<AxisId> axes_of(const RoutedCollective& collective, const Mesh& mesh);

}  // namespace shard

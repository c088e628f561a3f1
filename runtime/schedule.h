// A collective as the hops of a real algorithm. The same schedule moves the data (hop_run.h) and is timed on the links
// (links.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "runtime/plan.h"
#include "runtime/ring_hops.h"
#include "runtime/torus.h"

namespace shard {

// A part of every block, which goes round the axes in an order of its own, so that all axes carry something at the same
// time: as many colours as axes, each cut into chunks where axes differ in length.
struct Part {
  std::vector<std::size_t> order;  // of the axes, for a Gather; a Reduce takes them backwards
  Rational begin;                  // of a block, 0 to 1
  Rational end;
};

// The order of the colour that begins with this axis.
std::vector<std::size_t> order_of_colour(std::size_t first, const Torus& torus);

// What one part does along one axis, on all rings of that axis at the same time. It begins at a place when the part's
// stage before it has ended there.
struct Stage {
  std::size_t part = 0;
  Movement movement = Movement::Gather;
  std::size_t axis = 0;
  // Gather: axes that were gathered before; Reduce: axes that are reduced later. A hop carries the blocks of all places
  // that differ on them. Exchange: axes that were exchanged before.
  std::vector<std::size_t> along;
};

// Each of N places has
//   AllGather                  a block, which all get
//   ReduceScatter, AllReduce   N blocks of partial sums, of which each gets the sum of one, or all of all
//   AllToAll                   a block for every other place
struct Schedule {
  Torus torus;
  std::vector<Part> parts;
  std::vector<Stage> stages;  // in the order in which links carry them
};

// For AllGather, ReduceScatter, AllReduce and AllToAll, each colour in so many chunks. The parts are of such sizes that
// every axis carries its share of the bytes: each the same on axes of equal length.
Schedule schedule_of(CollectiveKind kind, const Torus& torus, std::int64_t chunks = 1);
// The chunks for blocks of so many bytes, a power of 2: as many as let it end first, as far as can be said without going
// through all hops. Many small ones keep all links busy, and wait for more hops. Where the rates are unknown, as many as it
// takes for the busiest axis to have always something to carry. The same for a ReduceScatter, an AllReduce and an AllGather.
std::int64_t chunks_for(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                        const std::optional<LinkRates>& rates);
// The schedule in so many: the one by which data moves, sums are added, and that is timed.
Schedule schedule_for(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                      const std::optional<LinkRates>& rates);

// Elements of a block that belong to a part, or to half of it: from the first to behind the last.
std::pair<std::int64_t, std::int64_t> elements_of(const Part& part, Half half,
                                                  std::int64_t block_elements);
// How many blocks a hop of the stage carries.
std::int64_t blocks_carried(const Stage& stage, const Torus& torus);

}  // namespace shard

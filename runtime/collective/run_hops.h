// Moving data through a schedule, hop by hop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/element/combination.h"
#include "runtime/element/dtype.h"
#include "runtime/network/collective_schedule.h"
#include "runtime/platform/executor.h"

namespace shard {

// What the places of a schedule hold: each as many consecutive blocks as there are places.
//   AllGather       before: place p has its block p; after: every block
//   ReduceScatter   before: partial sums of every block; after: place p has the sum of block p, others are undefined
//   AllReduce       before: partial sums of every block; after: every sum
//   AllToAll        before: place p has a block for each place q; after: the block from each place q
struct PlaceBlocks {
  std::vector<std::byte*> places;
  std::int64_t block_elements = 0;
  DType type = DType::Fp32;  // in which partial sums are added
  Combination combination = Combination::Sum;
};

// Executes every hop of the schedule in order. Returns the bytes that each link carried, by Torus::link. Throws
// std::bad_alloc and, between hops, Cancelled.
std::vector<std::int64_t> run_hops(const Schedule& schedule, const PlaceBlocks& blocks,
                                   const Executor& executor);

}  // namespace shard

#include "runtime/collective/run_hops.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "runtime/array/block_sum.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

using Blocks = std::vector<std::int64_t>;

// The places that differ from `place` only on the axes.
Blocks places_along(const Torus& torus, std::int64_t place, const std::vector<std::size_t>& axes) {
  Blocks places = {place};
  for (const std::size_t axis : axes) {
    Blocks more;
    for (const std::int64_t one : places) {
      for (std::int64_t c = 0; c < torus.axes()[axis].length; ++c)
        more.push_back(torus.at(one, axis, c));
    }
    places = std::move(more);
  }
  return places;
}

class HopRun {
 public:
  HopRun(const Schedule& schedule, const PlaceBlocks& blocks, const Executor& executor)
      : schedule_(schedule),
        torus_(schedule.torus),
        blocks_(blocks),
        executor_(executor),
        element_bytes_(static_cast<std::int64_t>(element_size(blocks.type))),
        carried_(torus_.links(), 0) {}

  std::vector<std::int64_t> run() {
    for (const Stage& stage : schedule_.stages) {
      const auto hops = hops_of(stage, part_of(stage), torus_);
      for (std::int64_t place = 0; place < torus_.places(); ++place) {
        if (torus_.coordinate(place, stage.axis) != 0) continue;
        if (stage.movement == Movement::Exchange)
          exchange(stage, hops, place);
        else
          pass_on(stage, hops, place);
      }
    }
    return std::move(carried_);
  }

 private:
  const Part& part_of(const Stage& stage) const { return schedule_.parts[stage.part]; }
  std::pair<std::int64_t, std::int64_t> range(const Stage& stage) const {
    return elements_of(part_of(stage), blocks_.block_elements);
  }

  std::byte* element(std::int64_t place, std::int64_t block, std::int64_t index) const {
    return blocks_.places[static_cast<std::size_t>(place)] +
           (block * blocks_.block_elements + index) * element_bytes_;
  }

  void count(const Stage& stage, const RingHop& hop, std::int64_t from, std::int64_t bytes) {
    const std::size_t link = torus_.fabric() == Fabric::Full
                                 ? torus_.link_to(from, torus_.at(from, stage.axis, hop.to))
                                 : torus_.link(from, stage.axis, hop.up);
    carried_[link] += bytes;
  }

  // A Gather or Reduce on the ring through `first`: blocks stay in their slots, and are copied or added to those of the
  // next place.
  void pass_on(const Stage& stage, const std::vector<RingHop>& hops, std::int64_t first) {
    for (const RingHop& hop : hops) {
      executor_.throw_if_cancelled();
      const std::int64_t from = torus_.at(first, stage.axis, hop.from);
      const std::int64_t to = torus_.at(first, stage.axis, hop.to);
      const auto [begin, end] = range(stage);
      for (const std::int64_t block :
           blocks_along(stage, torus_, torus_.at(first, stage.axis, hop.origin))) {
        const std::byte* source = element(from, block, begin);
        std::byte* target = element(to, block, begin);
        if (stage.movement == Movement::Gather)
          std::memcpy(target, source, static_cast<std::size_t>((end - begin) * element_bytes_));
        else
          add(source, target, end - begin);
        count(stage, hop, from, (end - begin) * element_bytes_);
      }
    }
  }

  void add(const std::byte* source, std::byte* target, std::int64_t elements) const {
    BlockSum({elements}, blocks_.type, {1}, blocks_.type, {1}, blocks_.combination)
        .run({target, source}, target);
  }

  // The slots of all places whose coordinate on the axis is `coordinate`.
  Blocks slots(const Stage& stage, std::int64_t coordinate) const {
    std::vector<std::size_t> others;
    for (std::size_t axis = 0; axis < torus_.axes().size(); ++axis) {
      if (axis != stage.axis) others.push_back(axis);
    }
    return places_along(torus_, coordinate * torus_.stride(stage.axis), others);
  }

  // An Exchange on the ring through `first`. A block bound for another coordinate is in a slot with that coordinate,
  // and arrives in one with the coordinate it came from.
  void exchange(const Stage& stage, const std::vector<RingHop>& hops, std::int64_t first) {
    using Journey = std::pair<std::int64_t, std::int64_t>;
    std::map<Journey, std::vector<std::byte>> travelling;
    for (const RingHop& hop : hops) {
      executor_.throw_if_cancelled();
      if (hop.from == hop.origin)
        travelling[{hop.origin, hop.destination}] = packed(stage, hop, first);
    }
    for (const RingHop& hop : hops) {
      executor_.throw_if_cancelled();
      auto& at = travelling[{hop.origin, hop.destination}];
      at = std::vector<std::byte>(at);  // a copy of its own at the next place
      count(stage, hop, torus_.at(first, stage.axis, hop.from),
            static_cast<std::int64_t>(at.size()));
      if (hop.to == hop.destination) unpack(stage, hop, first, at);
    }
  }

  std::vector<std::byte> packed(const Stage& stage, const RingHop& hop, std::int64_t first) const {
    const auto [begin, end] = range(stage);
    std::vector<std::byte> bytes;
    for (const std::int64_t slot : slots(stage, hop.destination)) {
      const std::byte* data = element(torus_.at(first, stage.axis, hop.origin), slot, begin);
      bytes.insert(bytes.end(), data, data + (end - begin) * element_bytes_);
    }
    return bytes;
  }

  void unpack(const Stage& stage, const RingHop& hop, std::int64_t first,
              const std::vector<std::byte>& bytes) const {
    const auto [begin, end] = range(stage);
    const std::byte* next = bytes.data();
    for (const std::int64_t slot : slots(stage, hop.origin)) {
      std::copy_n(next, (end - begin) * element_bytes_,
                  element(torus_.at(first, stage.axis, hop.destination), slot, begin));
      next += (end - begin) * element_bytes_;
    }
  }

  const Schedule& schedule_;
  const Torus& torus_;
  const PlaceBlocks& blocks_;
  const Executor& executor_;
  std::int64_t element_bytes_;
  std::vector<std::int64_t> carried_;
};

}  // namespace

std::vector<std::int64_t> run_hops(const Schedule& schedule, const PlaceBlocks& blocks,
                                   const Executor& executor) {
  return HopRun(schedule, blocks, executor).run();
}

}  // namespace shard

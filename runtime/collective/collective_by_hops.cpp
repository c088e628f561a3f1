#include "runtime/collective/collective_by_hops.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/check.h"
#include "base/contains.h"
#include "runtime/array/block_copy.h"
#include "runtime/collective/permute_by_routes.h"
#include "runtime/collective/run_hops.h"
#include "runtime/element/number.h"
#include "runtime/network/axis_group.h"
#include "runtime/network/link_plan.h"

namespace shard {
namespace {

using Coordinates = std::vector<std::int64_t>;

// The axes along which devices may hold different blocks without exchanging any.
std::vector<AxisId> axes_apart(const DeviceArray& operand, const DeviceArray& result,
                               const std::vector<AxisId>& exchanging) {
  std::vector<AxisId> axes;
  for (const auto* all : {&operand.shard_axes, &result.shard_axes}) {
    for (const AxisId axis : *all) {
      if (!contains(axes, axis) && !contains(exchanging, axis)) axes.push_back(axis);
    }
  }
  return axes;
}

// One collective among the devices that exchange with each other. Every place has a table of N blocks of E elements;
// the place in the fastest group is the major index.
class Exchange {
 public:
  Exchange(const DeviceArray& operand, const CollectiveStep& step, const Machine& machine,
           DeviceArray& result)
      : operand_(operand),
        result_(result),
        kind_(step.kind),
        planned_elements_(step.planned_elements.value_or(element_count(operand.local_shape))),
        mesh_(machine.mesh),
        groups_(groups_of(step.axes, machine)) {
    for (const AxisGroup& group : groups_) {
      toruses_.push_back(*torus_of(group, mesh_));
      places_ *= toruses_.back().places();
    }
    const std::int64_t local = element_count(operand.local_shape);
    block_ = kind_ == CollectiveKind::AllGather       ? local
             : kind_ == CollectiveKind::ReduceScatter ? element_count(result.local_shape)
                                                      : (local + places_ - 1) / places_;
    element_bytes_ = static_cast<std::int64_t>(element_size(operand.storage));
  }

  // The tables of blocks, and the hops along one axis.
  HopDemand demand() const {
    HopDemand demand;
    const Movement movement = forward_movement(kind_);
    const double times = times_of(kind_);
    double longest = 0;
    for (const Torus& torus : toruses_) {
      for (const TorusAxis& axis : torus.axes()) {
        const double hops = number_of_hops(movement, axis, torus.is_network());
        const std::int64_t rings = places_ / axis.length;
        demand.hops +=
            times * hops * static_cast<double>(rings) * static_cast<double>(torus.axes().size());
        longest = std::max(longest, hops);
      }
    }
    demand.bytes = static_cast<double>(places_) * static_cast<double>(places_) *
                       static_cast<double>(block_ * element_bytes_) +
                   longest * static_cast<double>(sizeof(RingHop));
    return demand;
  }

  // Runs among the devices that agree with `base` on all other axes.
  std::uint64_t run(const Coordinates& base, const Executor& executor) {
    devices_.clear();
    for (std::int64_t place = 0; place < places_; ++place) devices_.push_back(at(base, place));
    tables_.resize(static_cast<std::size_t>(places_));
    for (std::int64_t place = 0; place < places_; ++place) {
      executor.throw_if_cancelled();
      auto& table = tables_[static_cast<std::size_t>(place)];
      // Left uninitialised: hops read only what was packed or has arrived.
      if (!table) table = std::make_unique_for_overwrite<std::byte[]>(table_bytes());
      pack(place);
    }
    move(executor);
    std::uint64_t clamped = 0;
    for (std::int64_t place = 0; place < places_; ++place) {
      executor.throw_if_cancelled();
      clamped += unpack(place);
    }
    return clamped;
  }

 private:
  Coordinates at(const Coordinates& base, std::int64_t place) const {
    Coordinates device = base;
    for (std::size_t g = groups_.size(); g-- > 0;) {
      place_along(groups_[g].axes, place % toruses_[g].places(), device, mesh_);
      place /= toruses_[g].places();
    }
    return device;
  }

  std::size_t table_bytes() const {
    return static_cast<std::size_t>(places_ * block_ * element_bytes_);
  }
  std::byte* slot(std::int64_t place, std::int64_t block) {
    return tables_[static_cast<std::size_t>(place)].get() + block * block_ * element_bytes_;
  }

  const Coordinates& device(std::int64_t place) const {
    return devices_[static_cast<std::size_t>(place)];
  }
  const std::byte* operand_data(std::int64_t place) const {
    return operand_.shards[shard_of(operand_, device(place), mesh_)]->data();
  }

  // Copies what a device has for each place into its table; for a gather that is just its own block.
  void pack(std::int64_t place) {
    const std::byte* data = operand_data(place);
    const std::int64_t local = element_count(operand_.local_shape);
    if (kind_ == CollectiveKind::AllGather) {
      std::memcpy(slot(place, place), data, static_cast<std::size_t>(local * element_bytes_));
      return;
    }
    if (kind_ == CollectiveKind::AllReduce) {
      const auto bytes = static_cast<std::size_t>(local * element_bytes_);
      std::memcpy(slot(place, 0), data, bytes);
      // The blocks may be longer than the elements, in the last of them.
      std::memset(slot(place, 0) + bytes, 0, table_bytes() - bytes);
      return;
    }
    for (std::int64_t to = 0; to < places_; ++to) {
      const Overlap box = overlap(operand_, device(place), result_, device(to), mesh_);
      SHARD_CHECK(element_count(box.extents) == block_);
      copy_block(box.extents,
                 {data + box.source_offset * element_bytes_, operand_.storage,
                  row_major_strides(operand_.local_shape)},
                 {slot(place, to), operand_.storage, row_major_strides(box.extents)});
    }
  }

  // Devices with the same block share it: the first one fills it.
  std::uint64_t unpack(std::int64_t place) {
    auto& shard = result_.shards[shard_of(result_, device(place), mesh_)];
    if (shard != nullptr) return 0;
    shard = take_buffers(1, shard_bytes(result_), result_.pool).front();
    const auto target_bytes = static_cast<std::int64_t>(element_size(result_.storage));
    if (kind_ == CollectiveKind::AllReduce) {
      const Extents all = {element_count(result_.local_shape)};
      return copy_block(all, {slot(place, 0), operand_.storage, {1}},
                        {shard->data(), result_.storage, {1}});
    }
    std::uint64_t clamped = 0;
    for (std::int64_t from = 0; from < places_; ++from) {
      if (kind_ == CollectiveKind::ReduceScatter && from != place) continue;
      const Overlap box = overlap(operand_, device(from), result_, device(place), mesh_);
      clamped += copy_block(box.extents,
                            {slot(place, from), operand_.storage, row_major_strides(box.extents)},
                            {shard->data() + box.target_offset * target_bytes, result_.storage,
                             row_major_strides(result_.local_shape)});
    }
    return clamped;
  }

  void move(const Executor& executor) {
    const auto each = [&](CollectiveKind kind, bool fastest_first) {
      for (std::size_t i = 0; i < groups_.size(); ++i)
        along(fastest_first ? i : groups_.size() - 1 - i, kind, executor);
    };
    switch (kind_) {
      case CollectiveKind::AllGather:
        return each(CollectiveKind::AllGather, false);
      case CollectiveKind::AllReduce:
        if (groups_.size() == 1) return along(0, CollectiveKind::AllReduce, executor);
        each(CollectiveKind::ReduceScatter, true);
        return each(CollectiveKind::AllGather, false);
      default:
        return each(kind_, true);
    }
  }

  std::int64_t exchanged_bytes(std::size_t g) const {
    std::vector<std::int64_t> places;
    for (const Torus& torus : toruses_) places.push_back(torus.places());
    return shard::exchanged_bytes(kind_, places, g,
                                  bytes_of(operand_.dtype) * Rational(planned_elements_));
  }

  // All places that differ only in group `g` exchange among each other. Of the blocks of faster groups, an AllToAll
  // moves each, a gather or reduction the one of their own place.
  void along(std::size_t g, CollectiveKind kind, const Executor& executor) {
    const std::int64_t length = toruses_[g].places();
    std::int64_t inner = 1;  // places of slower groups
    for (std::size_t i = g + 1; i < groups_.size(); ++i) inner *= toruses_[i].places();
    const std::int64_t outer = places_ / length / inner;
    const Schedule schedule =
        schedule_for(kind, toruses_[g], exchanged_bytes(g), rates_of(groups_[g]));
    for (std::int64_t high = 0; high < outer; ++high) {
      for (std::int64_t low = 0; low < inner; ++low) {
        const bool all = exchanges(kind);
        for (std::int64_t range = all ? 0 : high; range < (all ? outer : high + 1); ++range) {
          PlaceBlocks blocks{{}, inner * block_, operand_.storage, operand_.layout.combination};
          for (std::int64_t k = 0; k < length; ++k)
            blocks.places.push_back(
                slot((high * length + k) * inner + low, range * length * inner));
          run_hops(schedule, blocks, executor);
        }
      }
    }
  }

  const DeviceArray& operand_;
  DeviceArray& result_;
  CollectiveKind kind_;
  std::int64_t planned_elements_;
  const Mesh& mesh_;
  std::vector<AxisGroup> groups_;  // the fastest first
  std::vector<Torus> toruses_;
  std::int64_t places_ = 1;
  std::int64_t block_ = 0;  // elements
  std::int64_t element_bytes_ = 1;
  std::vector<Coordinates> devices_;                  // by place
  std::vector<std::unique_ptr<std::byte[]>> tables_;  // by place
};

// Runs the exchange in every group of devices that exchange with each other.
template <class Exchange>
std::uint64_t run_everywhere(Exchange& exchange, const std::vector<AxisId>& axes,
                             const DeviceArray& operand, const DeviceArray& result,
                             const Mesh& mesh, const Executor& executor) {
  const std::vector<AxisId> apart = axes_apart(operand, result, axes);
  Coordinates base = holder_of(result, 0, mesh);
  std::uint64_t clamped = 0;
  for (std::int64_t i = 0; i < length_of(apart, mesh); ++i) {
    place_along(apart, i, base, mesh);
    clamped += exchange.run(base, executor);
  }
  return clamped;
}

}  // namespace

bool has_schedule(const CollectiveStep& step, const Mesh& mesh) {
  return length_of(step.axes, mesh) > 1;
}

std::uint64_t exchange_by_hops(const DeviceArray& operand, const CollectiveStep& step,
                               const Machine& machine, const Executor& executor,
                               DeviceArray& result) {
  if (goes_by_routes(step.kind)) {
    RouteExchange exchange(operand, step, machine, result);
    return run_everywhere(exchange, exchange.axes(), operand, result, machine.mesh, executor);
  }
  Exchange exchange(operand, step, machine, result);
  return run_everywhere(exchange, step.axes, operand, result, machine.mesh, executor);
}

HopDemand demand_of_hops(const DeviceArray& operand, const CollectiveStep& step,
                         const Machine& machine, const DeviceArray& result) {
  DeviceArray outline = result;
  if (!goes_by_routes(step.kind)) return Exchange(operand, step, machine, outline).demand();
  const RoutedCollective collective = routed_collective(operand, step, result.layout);
  const auto places =
      static_cast<double>(length_of(axes_of(collective, machine.mesh), machine.mesh));
  HopDemand demand;
  // With more devices than the limit on hops, no route is enumerated.
  demand.hops = places;
  if (places <= kMostTimedHops)
    demand.hops = routes_of(collective, machine, Routes::Keep::Loads)->hop_count();
  // A block at its start, under way and at its destination; and the hops.
  constexpr double kTimes = 3;
  demand.bytes = kTimes * places * static_cast<double>(shard_bytes(operand)) +
                 demand.hops * static_cast<double>(sizeof(RouteHop));
  return demand;
}

}  // namespace shard

#include "runtime/collective/permute_by_routes.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "runtime/array/block_copy.h"
#include "runtime/collective/run_routes.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

using Coordinates = std::vector<std::int64_t>;

RouteSchedule schedule_of(const DeviceArray& operand, const CollectiveStep& step,
                          const Machine& machine, const DeviceArray& result) {
  auto schedule =
      routes_of(routed_collective(operand, step, result.layout), machine, Routes::Keep::Hops);
  SHARD_CHECK(schedule.has_value());
  return *std::move(schedule);
}

}  // namespace

RoutedCollective routed_collective(const DeviceArray& operand, const CollectiveStep& step,
                                   const Layout& then) {
  const std::int64_t elements = step.planned_elements.value_or(element_count(operand.local_shape));
  const Rational bytes = bytes_of(operand.dtype) * Rational(elements);
  return {step.kind, step.axes, step.shift, operand.layout, then, ceil(bytes).to_int64()};
}

RouteExchange::RouteExchange(const DeviceArray& operand, const CollectiveStep& step,
                             const Machine& machine, DeviceArray& result)
    : operand_(operand),
      result_(result),
      mesh_(machine.mesh),
      schedule_(schedule_of(operand, step, machine, result)),
      places_(length_of(schedule_.axes, machine.mesh)) {
  SHARD_CHECK(operand.local_shape == result.local_shape);
}

Coordinates RouteExchange::device(const Coordinates& base, std::int64_t place) const {
  Coordinates device = base;
  place_along(schedule_.axes, place, device, mesh_);
  return device;
}

// Whether the device gets a block of the result, as far as the axes of the collective tell.
bool RouteExchange::is_target(const Coordinates& device) const {
  return std::all_of(schedule_.axes.begin(), schedule_.axes.end(), [&](AxisId axis) {
    return place_on(result_.layout, axis).value_or(device[static_cast<std::size_t>(axis.value)]) ==
           device[static_cast<std::size_t>(axis.value)];
  });
}

std::uint64_t RouteExchange::store(const std::vector<std::byte>& block, std::size_t shard) {
  const Extents all = {element_count(result_.local_shape)};
  result_.shards[shard] = take_buffers(1, shard_bytes(result_), result_.pool).front();
  return copy_block(all, {block.data(), operand_.storage, {1}},
                    {result_.shards[shard]->data(), result_.storage, {1}});
}

std::uint64_t RouteExchange::run(const Coordinates& base, const Executor& executor) {
  const auto source = [&](std::int64_t place) {
    return operand_.shards[shard_of(operand_, device(base, place), mesh_)];
  };
  const auto bytes_at = [&](std::int64_t place) {
    const auto block = source(place);
    return std::vector<std::byte>(block->data(), block->data() + shard_bytes(operand_));
  };
  HeldBlocks held;
  // By place: the block's number.
  std::vector<std::int64_t> arriving(static_cast<std::size_t>(places_), -1);
  for (std::size_t b = 0; b < schedule_.blocks.size(); ++b) {
    executor.throw_if_cancelled();
    const BlockMove& block = schedule_.blocks[b];
    held[{static_cast<std::int64_t>(b), block.from}] = bytes_at(block.from);
    if (block.to < 0)
      std::fill(arriving.begin(), arriving.end(), static_cast<std::int64_t>(b));
    else
      arriving[static_cast<std::size_t>(block.to)] = static_cast<std::int64_t>(b);
  }
  for (const RouteStage& stage : schedule_.stages)
    run_routes(stage.routes, element_count(operand_.local_shape),
               static_cast<std::int64_t>(element_size(operand_.storage)), held, executor);
  std::uint64_t clamped = 0;
  for (std::int64_t place = 0; place < places_; ++place) {
    executor.throw_if_cancelled();
    const Coordinates target = device(base, place);
    const std::size_t shard = shard_of(result_, target, mesh_);
    // Devices with the same block share it: the first one fills it.
    if (!is_target(target) || result_.shards[shard] != nullptr) continue;
    const std::int64_t block = arriving[static_cast<std::size_t>(place)];
    if (block >= 0)
      clamped += store(held.at({block, place}), shard);
    else if (operand_.storage == result_.storage)
      result_.shards[shard] = source(place);
    else
      clamped += store(bytes_at(place), shard);
  }
  return clamped;
}

}  // namespace shard

#include "interpreter/planning/search/prices.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/cancellation.h"
#include "base/check.h"
#include "interpreter/planning/search/block_pattern.h"
#include "interpreter/planning/search/weight.h"
#include "runtime/network/axis_group.h"
#include "runtime/plan/fingerprint.h"

namespace shard::planning {

namespace {

// Everything that times depend on, but for the bytes.
std::string key_of(const Machine& machine) {
  Fingerprint key;
  for (const MeshAxis& axis : machine.mesh.axes) {
    key.add(axis.size);
    key.add(static_cast<std::int64_t>(axis.kind));
    key.add(axis.bandwidth.value_or(0));
    key.add(static_cast<std::int64_t>(fabric_of(axis, machine.chip)));
    key.add(static_cast<std::int64_t>(axis.torus.size()));
    for (const TorusAxis& torus : axis.torus) {
      key.add(torus.length);
      key.add(std::int64_t{torus.wraps});
      key.add(static_cast<std::int64_t>(torus.cuts.size()));
      for (const std::int64_t cut : torus.cuts) key.add(cut);
      key.add(static_cast<std::int64_t>(torus.slow.size()));
      for (const SlowLink& slow : torus.slow) {
        key.add(slow.position);
        key.add(slow.by);
      }
    }
  }
  for (const AxisKind kind : {AxisKind::Ici, AxisKind::Switch, AxisKind::Dcn, AxisKind::Core})
    key.add(hop_latency(kind, machine.chip));
  key.add(launch_time(machine.chip));
  key.add(core_bandwidth(machine.chip));
  key.add(one_way_bandwidth(machine.chip));
  key.add(dcn_bandwidth(machine.chip));
  return std::move(key).bytes();
}

std::string key_of(char what, AxisMask axes) {
  std::string key(1, what);
  for (; axes != 0; axes >>= 8U) key.push_back(static_cast<char>(axes & 0xffU));
  return key;
}

// The changed axes of a hop, before and after: what decides on a permute.
std::string pattern_of(const Places& from, const Places& to, const Ground& ground) {
  std::string pattern;
  const std::size_t axes = ground.axes();
  std::uint32_t dims = 0;  // that change
  for (std::size_t a = 0; a < axes; ++a) {
    if (from.where[a] == to.where[a] && from.position[a] == to.position[a]) continue;
    if (from.splits(a)) dims |= 1U << from.dimension(a);
    if (to.splits(a)) dims |= 1U << to.dimension(a);
  }
  for (std::size_t a = 0; a < axes; ++a) {
    const bool stays = from.where[a] == to.where[a] && from.position[a] == to.position[a];
    if (stays && !(from.splits(a) && (dims >> from.dimension(a) & 1U))) continue;
    for (const std::uint8_t byte : {static_cast<std::uint8_t>(a), from.where[a], from.position[a],
                                    to.where[a], to.position[a]})
      pattern.push_back(static_cast<char>(byte));
  }
  return pattern;
}

// The axes of a dimension beyond the `kept` first ones, or those that are new to it, in order.
std::vector<AxisId> moved_axes(const Places& from, const Places& to, HopKind kind,
                               const Ground& ground) {
  const bool gathers = kind == HopKind::AllGather;
  const Places& in = gathers ? from : to;
  std::vector<AxisId> moved;
  for (std::size_t d = 0; d < ground.rank(); ++d) {
    for (std::uint8_t at = 0; at < kMostAxes; ++at) {
      for (std::size_t a = 0; a < ground.axes(); ++a) {
        if (!in.splits(a) || in.dimension(a) != d || in.position[a] != at) continue;
        if (from.where[a] != to.where[a]) moved.push_back(ground.ids(AxisMask{1} << a).front());
      }
    }
  }
  return moved;
}

}  // namespace

Prices::Prices(const Relayout& problem, const Ground& ground)
    : problem_(problem),
      ground_(ground),
      by_formula_(problem.machine.model == CostModel::Book),
      launch_(at_reference(launch_time(problem.machine.chip), problem.machine.mesh)),
      lines_(&own_) {
  constexpr std::size_t kMostLines = 200'000;  // some 30 MB
  if (problem.machine.link_times == nullptr) return;
  LinkTimes::Lines& remembered = problem.machine.link_times->lines(key_of(problem.machine));
  // Nobody else holds lines at this point.
  if (remembered.size() >= kMostLines) remembered.clear();
  lines_ = &remembered;
}

bool Prices::is_quick(const Hop& hop) const {
  switch (hop.kind) {
    case HopKind::Start:
    case HopKind::Slice:
    case HopKind::Keep:
      return true;
    case HopKind::AllGather:
    case HopKind::ReduceScatter:
    case HopKind::AllReduce:
    case HopKind::AllToAll:
      return by_formula_;
    default:
      return false;
  }
}

// Some device lacks all of a block.
double Prices::least_arriving(AxisMask axes, double bytes) const {
  return bytes / ground_.bandwidth(axes);
}

Price Prices::quick_price(const Hop& hop, double local) {
  double size = 1;
  double hop_seconds = HUGE_VAL;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (!(hop.axes >> a & 1U)) continue;
    size *= ground_.size(a);
    hop_seconds = std::min(hop_seconds, ground_.hop(a));
  }
  const auto seconds = [&](CollectiveKind kind, double volume) {
    return collective_seconds(kind, hop.axes, volume);
  };
  const double launch = by_formula_ ? launch_ : 0;
  switch (hop.kind) {
    case HopKind::AllGather: {
      const double volume = local * size;
      return {launch + seconds(CollectiveKind::AllGather, volume), volume};
    }
    case HopKind::ReduceScatter:
    case HopKind::AllReduce: {
      const double times = hop.kind == HopKind::AllReduce ? 2 : 1;
      return {launch + times * seconds(CollectiveKind::AllGather, local), times * local};
    }
    case HopKind::AllToAll:
      return {launch + seconds(CollectiveKind::AllToAll, local * size), local};
    case HopKind::Permute:
      return {least_arriving(hop.axes, local) + hop_seconds, local};
    default:
      return {};
  }
}

Price Prices::exact_price(const Places& from, const Hop& hop, double local, bool is_last) {
  if (is_quick(hop)) return quick_price(hop, local);
  if (hop.kind == HopKind::Permute && by_formula_) return permuted(from, hop, local);
  return simulated(from, hop, local, is_last);
}

// Past the devices that costs enumerate, formulas hold, which know all axes of the subscripts.
std::string Prices::key_of_permute(const Places& from, const Hop& hop) const {
  bool is_open = false;
  for (std::size_t a = 0; a < ground_.axes(); ++a)
    is_open = is_open || ((hop.axes >> a & 1U) && ground_.is_symbolic(a));
  if (is_open || ground_.size_of(hop.axes) > static_cast<double>(kMostEnumeratedDevices))
    return 'P' + pattern_of(from, hop.to, ground_);
  return 'p' + BlockPattern(from, hop.to, ground_).key();
}

Price Prices::counted_price(const Places& from, const Hop& hop, double local) {
  const BlockPattern pattern(from, hop.to, ground_);
  const auto [entry, is_new] = lines_->try_emplace('c' + pattern.key());
  if (is_new) {
    const BlockWays ways = least_ways(pattern, ground_);
    const Machine& machine = problem_.machine;
    const double hop_seconds = at_reference(hop_latency(AxisKind::Ici, machine.chip), machine.mesh);
    const double bandwidth = at_reference(one_way_bandwidth(machine.chip), machine.mesh);
    entry->second = {.latency = ways.hops * hop_seconds, .per_byte = ways.busiest / bandwidth};
  }
  // On the links the bytes of a block follow its head.
  const double transfer = local * entry->second.per_byte;
  return {launch_ + (by_formula_ ? entry->second.latency + transfer
                                 : std::max(entry->second.latency, transfer)),
          local};
}

Price Prices::permuted(const Places& from, const Hop& hop, double local) {
  const auto [entry, is_new] = lines_->try_emplace(key_of_permute(from, hop));
  Line& known = entry->second;
  if (is_new) {
    const Cost cost = cost_of(move(from, hop, false), problem_.shape, problem_.machine);
    const Mesh& mesh = problem_.machine.mesh;
    known.latency = cost.severed ? HUGE_VAL : at_reference(cost.comms_latency, mesh);
    known.per_byte = at_reference(cost.comms_transfer, mesh) / local;
    known.moved = at_reference(Formula(cost.comm_bytes), mesh) / local;
  }
  return {known.latency + local * known.per_byte, local * known.moved};
}

Price Prices::simulated(const Places& from, const Hop& hop, double local, bool is_last) {
  std::string key = pattern_of(from, hop.to, ground_);
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (from.is_placed(a)) key.push_back(static_cast<char>(from.where[a]));
    key.push_back('.');
  }
  const auto bits = std::bit_cast<std::uint64_t>(local);
  key.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  key.push_back(static_cast<char>(hop.kind));
  key.push_back(is_last ? '1' : '0');
  const auto [entry, is_new] = simulated_.try_emplace(std::move(key));
  if (is_new) {
    const Cost cost = cost_of(move(from, hop, is_last), problem_.shape, problem_.machine);
    const Mesh& mesh = problem_.machine.mesh;
    entry->second = {cost.severed ? HUGE_VAL : at_reference(cost.time(), mesh),
                     at_reference(Formula(cost.comm_bytes), mesh)};
  }
  return entry->second;
}

Move Prices::move(const Places& from, const Hop& hop, bool is_last) const {
  Move move{.kind = collective_of(hop.kind), .axes = {}, .dimension = {}};
  move.from = ground_.layout(from);
  move.to = ground_.layout(hop.to);
  switch (hop.kind) {
    case HopKind::Transpose:
      move.transpose = Transpose{problem_.transpose->order,
                                 is_last ? problem_.transpose->dtype : problem_.shape.dtype};
      break;
    case HopKind::AllGather:
    case HopKind::ReduceScatter:
    case HopKind::AllToAll:
    case HopKind::Slice:
      move.axes = moved_axes(from, hop.to, hop.kind, ground_);
      break;
    default:
      move.axes = ground_.ids(hop.axes);
  }
  const bool splits = hop.kind == HopKind::ReduceScatter || hop.kind == HopKind::AllToAll ||
                      hop.kind == HopKind::Slice;
  if (splits && !move.axes.empty()) {
    move.dimension = dimension_split_by(move.to, move.axes.front());
    const bool is_one = std::all_of(move.axes.begin(), move.axes.end(), [&](AxisId axis) {
      return dimension_split_by(move.to, axis) == move.dimension;
    });
    if (!is_one) move.dimension.reset();
  }
  return move;
}

double Prices::collective_seconds(CollectiveKind kind, AxisMask axes, double volume) {
  double seconds = 0;
  for (const Passage& passage : passages(kind, axes)) {
    seconds += by_formula_
                   ? std::max(passage.line.latency, volume * passage.share * passage.line.per_byte)
                   : volume * passage.least;
  }
  return seconds;
}

const Prices::Passages& Prices::passages(CollectiveKind kind, AxisMask axes) {
  auto& known = kind == CollectiveKind::AllToAll ? exchanges_ : gathers_;
  const auto [entry, is_new] = known.try_emplace(axes);
  if (is_new) entry->second = find_passages(kind, axes);
  return entry->second;
}

// As `cost_of_collective` does: a network gathers what all those before it, which are faster, have not; and in an AllToAll each
// exchanges all that a device holds.
Prices::Passages Prices::find_passages(CollectiveKind kind, AxisMask axes) {
  // Of 16 axes there are 65,536 sets, each with formulas of its own.
  throw_if_cancelled();
  const bool exchanges = kind == CollectiveKind::AllToAll;
  Passages found;
  double left = 1;  // of the volume
  for (std::size_t a = 0; a < ground_.axes() && exchanges; ++a) {
    if (axes >> a & 1U) left /= ground_.size(a);
  }
  const auto add = [&](AxisMask own) {
    const double size = ground_.size_of(own);
    Passage& passage = found.emplace_back();
    passage.share = exchanges ? left * size : left;
    passage.least = left * (1 - 1 / size) / ground_.bandwidth(own);
    if (by_formula_) passage.line = line(kind, own);
    if (!exchanges) left /= size;
  };
  if (ground_.is_torus(axes)) {
    add(axes);
    return found;
  }
  for (const AxisGroup& group : groups_of(ground_.ids(axes), problem_.machine))
    add(ground_.mask(group.axes));
  return found;
}

const Prices::Line& Prices::line(CollectiveKind kind, AxisMask axes) {
  const char what = kind == CollectiveKind::AllToAll ? 'x' : 'g';
  const auto [entry, is_new] = lines_->try_emplace(key_of(what, axes));
  if (is_new) entry->second = line_of(kind, axes);
  return entry->second;
}

// What one byte takes is all of it, as costs over one network are max(latency, transfer), and the transfer is
// proportional to the bytes.
Prices::Line Prices::line_of(CollectiveKind kind, AxisMask axes) const {
  const Machine& machine = problem_.machine;
  const std::vector<AxisId> ids = ground_.ids(axes);
  Copy operand{.shape = std::vector<Amount>{1}, .dtype = DType::Int8, .layout = replicated(1)};
  Copy result = operand;
  operand.layout.dims.edit()[0] = ids;
  const Cost cost = cost_of_collective(kind, ids, 0, operand, result, machine);
  const double latency = at_reference(cost.comms_latency, machine.mesh) - launch_;
  return {.latency = cost.severed ? HUGE_VAL : latency,
          .per_byte = at_reference(cost.comms_transfer, machine.mesh)};
}

}  // namespace shard::planning

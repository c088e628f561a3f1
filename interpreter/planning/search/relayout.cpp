#include "interpreter/planning/search/relayout.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/contains.h"
#include "interpreter/planning/search/weight.h"
#include "runtime/network/axis_group.h"

namespace shard::planning {

namespace {

// Whether all axes together cut the dimension into equal parts: then any of them do.
bool is_cut_by_all(const std::optional<std::int64_t>& length,
                   const std::vector<std::int64_t>& sizes) {
  if (!length) return false;
  std::int64_t rest = *length;
  for (const std::int64_t size : sizes) {
    if (rest % size != 0) return false;
    rest /= size;
  }
  return true;
}

// Up to which length of an axis distances are tabulated.
constexpr std::int64_t kMostDistances = 256;

// Of the shortest ways, failed links aside.
std::vector<std::uint32_t> distances_along(const MeshAxis& axis, std::int64_t length) {
  std::vector<std::uint32_t> distances;
  for (std::int64_t a = 0; a < length; ++a) {
    for (std::int64_t b = 0; b < length; ++b) {
      std::int64_t hops = 0;
      std::int64_t stride = 1;
      for (auto part = axis.torus.rbegin(); part != axis.torus.rend(); ++part) {
        const std::int64_t direct = std::abs(a / stride % part->length - b / stride % part->length);
        hops += part->wraps ? std::min(direct, part->length - direct) : direct;
        stride *= part->length;
      }
      distances.push_back(static_cast<std::uint32_t>(hops));
    }
  }
  return distances;
}

// A table of 256 places has 65,536 entries, and a script searches thousands of routes over the same few axes: the last ones are kept.
std::shared_ptr<const std::vector<std::uint32_t>> known_distances(const MeshAxis& axis,
                                                                  std::int64_t length) {
  struct Known {
    std::vector<TorusAxis> torus;
    std::int64_t length = 0;
    std::shared_ptr<const std::vector<std::uint32_t>> distances;
  };
  constexpr std::size_t kMostKept = 16;
  thread_local std::vector<Known> known;
  const auto is_same = [&](const Known& one) {
    return one.length == length && one.torus == axis.torus;
  };
  const auto found = std::find_if(known.begin(), known.end(), is_same);
  if (found != known.end()) return found->distances;
  if (known.size() == kMostKept) known.erase(known.begin());
  known.push_back(
      {axis.torus, length,
       std::make_shared<const std::vector<std::uint32_t>>(distances_along(axis, length))});
  return known.back().distances;
}

}  // namespace

std::optional<Ground> Ground::of(const Relayout& problem) {
  Ground ground;
  if (problem.target.rank() > kMostAxes || !ground.add_axes(problem)) return std::nullopt;
  ground.add_dimensions(problem);
  const auto target = ground.places_of(problem.target);
  if (!target) return std::nullopt;
  ground.target_ = *target;
  std::optional<Combination> combination;
  if (!problem.target.unreduced.empty()) combination = problem.target.combination;
  for (std::size_t i = 0; i < problem.sources.size(); ++i) {
    const Layout& source = problem.sources[i];
    const auto places = ground.places_of(source);
    if (!places) return std::nullopt;
    // Partial sums are no partial maxima.
    if (!source.unreduced.empty()) {
      if (!combination) combination = source.combination;
      if (source.combination != *combination) continue;
    }
    ground.sources_.push_back({*places, i});
  }
  ground.combination_ = combination.value_or(Combination::Sum);
  ground.find_alike_axes(problem);
  return ground;
}

bool Ground::add_axes(const Relayout& problem) {
  const Machine& machine = problem.machine;
  for (std::size_t i = 0; i < machine.mesh.axes.size(); ++i) {
    const AxisId id{static_cast<std::int32_t>(i)};
    const MeshAxis& axis = machine.mesh.axes[id];
    const auto length = axis.length();
    if (length == 1) continue;
    if (axes_.size() == kMostAxes) return false;
    const AxisGroup group = groups_of({id}, machine).front();
    Axis own{.id = id, .length = length};
    own.size =
        length ? static_cast<double>(*length) : at_reference(Formula(axis.size), machine.mesh);
    own.hop = at_reference(group.hop, machine.mesh);
    const double links = axis.torus.empty() ? 1 : static_cast<double>(axis.torus.size());
    const bool is_torus = axis.kind == AxisKind::Ici;
    own.bandwidth = at_reference(group.link, machine.mesh) * (is_torus ? 2 * links : 1);
    own.is_full = group.fabric == Fabric::Full;
    if (is_torus) {
      for (const TorusAxis& part : axis.torus) own.reach += static_cast<double>(part.longest_way());
      if (axis.torus.empty()) own.reach = own.size / 2;
    } else {
      networks_ |= AxisMask{1} << axes_.size();
      own.reach = 1;
    }
    if (is_torus && length && *length <= kMostDistances) {
      own.distances = known_distances(axis, *length);
      for (const TorusAxis& part : axis.torus) {
        const auto n = static_cast<double>(part.length);
        own.links_each += part.wraps ? 2 : 2 * (n - 1) / n;
      }
    }
    if (contains(problem.whole, id)) whole_ |= AxisMask{1} << axes_.size();
    axes_.push_back(std::move(own));
  }
  if (networks_ != 0) find_networks(machine);
  return true;
}

void Ground::find_networks(const Machine& machine) {
  for (const AxisGroup& group : groups_of(ids(networks_), machine)) {
    const AxisMask together = mask(group.axes);
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (together >> a & 1U) axes_[a].network = together;
    }
  }
}

void Ground::add_dimensions(const Relayout& problem) {
  const Mesh& mesh = problem.machine.mesh;
  bytes_ = bytes_of(problem.shape.dtype).to_double();
  std::vector<std::int64_t> sizes;
  for (const Axis& axis : axes_) {
    if (axis.length) sizes.push_back(*axis.length);
  }
  std::vector<bool> is_free;  // of dimensions that nothing splits
  std::vector<bool> is_even;
  for (std::size_t d = 0; d < problem.target.rank(); ++d) {
    const auto length = problem.shape.lengths[d].constant();
    bytes_ *= length ? length->to_double() : at_reference(Formula(problem.shape.lengths[d]), mesh);
    lengths_.push_back({length.has_value(), length ? length->to_int64() : std::nullopt});
    const auto is_split = [d](const Layout& layout) { return !layout.dims[d].empty(); };
    is_free.push_back(!problem.everywhere && !is_split(problem.target) &&
                      std::none_of(problem.sources.begin(), problem.sources.end(), is_split));
    is_even.push_back(!length || is_cut_by_all(lengths_[d].whole, sizes));
    is_cut_evenly_ = is_cut_evenly_ && is_even[d];
    alike_before_.emplace_back();
    // On links it matters which of them an axis splits, for blocks go in the order of the dimensions.
    for (std::size_t e = 0; e < d && is_free[d] && problem.machine.model != CostModel::Links; ++e) {
      const bool alike =
          is_even[d] ? is_even[e] : !is_even[e] && lengths_[e].whole == lengths_[d].whole;
      if (is_free[e] && alike) alike_before_[d] = e;
    }
  }
}

// On links blocks are followed one by one, which go first in the order of axes.
void Ground::find_alike_axes(const Relayout& problem) {
  const Machine& machine = problem.machine;
  is_symmetric_ = machine.model != CostModel::Links && !problem.transpose && !problem.everywhere &&
                  machine.faults == Faults{};
  alike_axes_before_.resize(axes_.size());
  if (!is_symmetric_ || whole_ != 0) return;
  const auto is_unused = [&](std::size_t a) {
    return target_.is_idle(a) &&
           std::all_of(sources_.begin(), sources_.end(),
                       [a](const Source& source) { return source.places.is_idle(a); });
  };
  const auto is_like = [&](std::size_t a, std::size_t b) {
    const MeshAxis& one = machine.mesh.axes[axes_[a].id];
    const MeshAxis& other = machine.mesh.axes[axes_[b].id];
    return axes_[a].length && axes_[a].network == 0 && axes_[b].network == 0 &&
           one.size == other.size && one.torus == other.torus;
  };
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    for (std::size_t b = 0; b < a && is_unused(a); ++b) {
      if (is_unused(b) && is_like(a, b)) alike_axes_before_[a] = b;
    }
  }
}

std::optional<Places> Ground::places_of(const Layout& layout) {
  Places places;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    Axis& axis = axes_[a];
    if (contains(layout.unreduced, axis.id)) places.where[a] = Places::kUnreduced;
    const auto coordinate = place_on(layout, axis.id);
    if (!coordinate) continue;
    auto code = position_of(axis.coordinates, *coordinate);
    if (!code) {
      code = axis.coordinates.size();
      axis.coordinates.push_back(*coordinate);
    }
    constexpr std::size_t kMostPlaces = 256 - Places::kPlaces;
    if (*code >= kMostPlaces) return std::nullopt;
    places.where[a] = static_cast<std::uint8_t>(Places::kPlaces + *code);
    has_places_ = true;
    most_where_ = std::max<unsigned>(most_where_, places.where[a]);
  }
  for (std::size_t d = 0; d < layout.rank(); ++d) {
    for (std::size_t at = 0; at < layout.dims[d].size(); ++at) {
      const auto axis = std::find_if(axes_.begin(), axes_.end(),
                                     [&](const Axis& a) { return a.id == layout.dims[d][at]; });
      if (axis == axes_.end()) return std::nullopt;
      places.put(static_cast<std::size_t>(axis - axes_.begin()), d, at);
    }
  }
  return places;
}

double Ground::size_of(AxisMask axes) const {
  double devices = 1;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (axes >> a & 1U) devices *= size(a);
  }
  return devices;
}

double Ground::bandwidth(AxisMask axes) const {
  double bandwidth = 0;
  double chips = 1;  // of the node, along these axes
  double link = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (!(axes >> a & 1U)) continue;
    if (axes_[a].is_full) {
      chips *= axes_[a].size;
      link = axes_[a].bandwidth;
    } else {
      bandwidth += axes_[a].bandwidth;
    }
  }
  return bandwidth + (chips - 1) * link;
}

std::size_t Ground::enumerated(AxisMask axes) const {
  const double devices = size_of(axes);
  const bool is_by_formula = devices > static_cast<double>(kMostEnumeratedDevices);
  return is_by_formula ? 1 : static_cast<std::size_t>(devices);
}

double Ground::local_bytes(const Places& places) const {
  double bytes = bytes_;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (places.splits(a)) bytes /= axes_[a].size;
  }
  return bytes;
}

// As `shard::divides` does.
bool Ground::divides(std::size_t dimension, const std::uint8_t* axes, std::size_t count) const {
  const Length& length = lengths_[dimension];
  if (!length.known) return true;
  if (!length.whole)
    return std::any_of(axes, axes + count, [&](std::uint8_t a) { return is_symbolic(a); });
  std::int64_t rest = *length.whole;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& parts = axes_[axes[i]].length;
    if (!parts) return true;
    if (rest % *parts != 0) return false;
    rest /= *parts;
  }
  return true;
}

std::vector<AxisId> Ground::ids(AxisMask axes) const {
  std::vector<AxisId> ids;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (axes >> a & 1U) ids.push_back(axes_[a].id);
  }
  return ids;
}

AxisMask Ground::mask(const std::vector<AxisId>& ids) const {
  AxisMask axes = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (contains(ids, axes_[a].id)) axes |= AxisMask{1} << a;
  }
  return axes;
}

Layout Ground::layout(const Places& places) const {
  Layout layout = replicated(rank());
  layout.combination = combination_;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const Axis& axis = axes_[a];
    if (places.is_unreduced(a)) layout.unreduced.edit().push_back(axis.id);
    if (places.is_placed(a)) {
      const std::size_t code = places.where[a] - std::size_t{Places::kPlaces};
      layout.placed.edit().push_back({axis.id, axis.coordinates[code]});
    }
    if (!places.splits(a)) continue;
    auto& subscript = layout.dims.edit()[places.dimension(a)];
    subscript.resize(std::max<std::size_t>(subscript.size(), places.position[a] + std::size_t{1}));
    subscript[places.position[a]] = axis.id;
  }
  return layout;
}

}  // namespace shard::planning

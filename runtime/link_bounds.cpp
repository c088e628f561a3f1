#include "runtime/link_bounds.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/colour_shares.h"

namespace shard {
namespace {

// Sets of axes are all gone through, 2^16 at most.
constexpr std::size_t kMostCutAxes = 16;

// How many places are how far: of a ring from any place, of a line from its end.
std::vector<double> places_by_hops(const TorusAxis& axis) {
  std::vector<double> places(static_cast<std::size_t>(axis.longest_way()) + 1, 0.0);
  for (std::int64_t place = 0; place < axis.length; ++place) {
    const std::int64_t hops = axis.is_ring() ? std::min(place, axis.length - place) : place;
    ++places[static_cast<std::size_t>(hops)];
  }
  return places;
}

std::vector<double> combined(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sums(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) sums[i + j] += a[i] * b[j];
  }
  return sums;
}

// The cut around the places that agree on a set of axes: what is outside comes in by the links of these axes.
void add_cut(const Torus& torus, std::size_t set, double block, double hop, LinkBounds& bounds) {
  std::vector<double> places = {1};
  double rate = 0;
  for (std::size_t axis = 0; axis < torus.axes().size(); ++axis) {
    if ((set >> axis & 1U) == 0) continue;
    places = combined(places, places_by_hops(torus.axes()[axis]));
    rate += gather_rate(torus.axes()[axis]).to_double();
  }
  double farther = 0;
  for (std::size_t hops = places.size(); hops-- > 1;) {
    farther += places[hops];
    const double seconds = static_cast<double>(hops - 1) * hop + farther * block / rate;
    bounds.start = std::max(bounds.start, seconds);
  }
  bounds.bytes = std::max(bounds.bytes, farther * block / rate);
}

}  // namespace

double LinkBounds::most() const { return std::max({bytes, hops, start}); }

std::int64_t diameter(const Torus& torus) {
  if (torus.is_network()) return 1;
  std::int64_t hops = 0;
  for (const TorusAxis& axis : torus.axes()) hops += axis.longest_way();
  return hops;
}

LinkBounds link_bounds(Movement movement, const Torus& torus, std::int64_t block_bytes,
                       const LinkRates& rates) {
  const double block = static_cast<double>(block_bytes) / rates.bandwidth;
  LinkBounds bounds;
  bounds.hops = static_cast<double>(diameter(torus)) * rates.hop;
  if (torus.is_network()) {
    bounds.bytes = static_cast<double>(torus.places() - 1) * block;
    return bounds;
  }
  const std::size_t axes = std::min(torus.axes().size(), kMostCutAxes);
  if (movement == Movement::Exchange) {
    for (const TorusAxis& axis : torus.axes()) {
      const double others = static_cast<double>(torus.places()) / static_cast<double>(axis.length);
      bounds.bytes =
          std::max(bounds.bytes, blocks_on_busiest_link(movement, axis, false) * others * block);
    }
    return bounds;
  }
  for (std::size_t set = 1; set < std::size_t{1} << axes; ++set)
    add_cut(torus, set, block, rates.hop, bounds);
  return bounds;
}

}  // namespace shard

#include "runtime/network/link_bounds.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/network/colour_shares.h"

namespace shard {
namespace {

// All sets of these axes are enumerated, 2^16 at most. Further axes are not cut: the bounds stay valid, but weaker.
constexpr std::size_t kMostCutAxes = 16;

// How many places are how many hops away: on a ring from any place, on a line from its end.
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

// The earliest time t at which links busy from `begin` on can have carried as much as one link does in `seconds`, if
// the links in links[d] are useless from t − d·hop on.
double time_to_carry(double seconds, const std::vector<double>& links, double begin, double hop) {
  double open = 0;  // links in use
  double lost = 0;  // seconds of them not available
  for (std::size_t d = 0; d < links.size(); ++d) {
    open += links[d];
    lost += links[d] * (begin + static_cast<double>(d) * hop);
    const double time = (seconds + lost) / open;
    const bool last = d + 1 == links.size();
    if (last || time <= begin + static_cast<double>(d + 1) * hop) return time;
  }
  return 0;
}

// The cut around the places that agree on a set of axes: everything outside comes in over the links of these axes. What
// one of the places needs may come in at any of them, and travels on from there.
void add_cut(const Torus& torus, std::size_t set, double block, double hop, LinkBounds& bounds) {
  std::vector<double> places = {1};
  std::vector<double> inside = {1};
  double rate = 0;
  for (std::size_t axis = 0; axis < torus.axes().size(); ++axis) {
    const bool crosses = (set >> axis & 1U) != 0;
    auto& by_hops = crosses ? places : inside;
    by_hops = combined(by_hops, places_by_hops(torus.axes()[axis]));
    if (crosses) rate += gather_rate(torus.axes()[axis]).to_double();
  }
  const double count = std::accumulate(inside.begin(), inside.end(), 0.0);
  double farther = 0;
  for (std::size_t hops = places.size(); hops-- > 1;) {
    farther += places[hops];
    const double begin = static_cast<double>(hops - 1) * hop;
    const double carried = farther * block / rate;
    bounds.start = std::max(bounds.start, begin + carried);
    bounds.spread = std::max(bounds.spread, time_to_carry(carried * count, inside, begin, hop));
  }
  bounds.bytes = std::max(bounds.bytes, farther * block / rate);
}

}  // namespace

double LinkBounds::aim() const { return std::max({bytes, hops, start}); }

double LinkBounds::most() const { return std::max(aim(), spread); }

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
    const std::int64_t blocks = torus.fabric() == Fabric::Full ? 1 : torus.places() - 1;
    bounds.bytes = static_cast<double>(blocks) * block;
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

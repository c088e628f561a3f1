#include "runtime/network/colour_shares.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "runtime/network/ring_schedule.h"

namespace shard {
namespace {

// Enumerates all sets of axes and all orders, 2^5 and 5!. With more axes shares are equal, which is correct but slower.
constexpr std::size_t kMostUnequalAxes = 5;
// An exchange takes all orders of up to three axes, 3! parts; of more, as many orders as there are axes.
constexpr std::size_t kMostOrderedAxes = 3;

using Order = std::vector<std::size_t>;
using Loads = std::vector<Rational>;  // by axis
using AxisSet = std::size_t;          // a bit per axis

bool has(AxisSet set, std::size_t axis) { return (set >> axis & 1U) != 0; }

class Polytope {
 public:
  Polytope(const Torus& torus, const std::vector<Rational>& rates) : torus_(torus), rates_(rates) {}

  std::size_t axes() const { return rates_.size(); }
  AxisSet all() const { return (AxisSet{1} << axes()) - 1; }

  // The blocks that have to reach a place over the links of these axes: from all places that differ on them alone.
  Rational needed(AxisSet set) const {
    std::int64_t places = 1;
    for (std::size_t axis = 0; axis < axes(); ++axis) {
      if (has(set, axis)) places *= torus_.axes()[axis].length;
    }
    return places - 1;
  }

  Loads corner(const Order& order) const {
    Loads loads(axes());
    std::int64_t held = 1;
    for (const std::size_t axis : order) {
      const std::int64_t length = torus_.axes()[axis].length;
      loads[axis] = held * (length - 1);
      held *= length;
    }
    return loads;
  }

  // The loads that minimise the busiest axes, then the busiest of the others, and so on.
  Loads least_busy() const {
    Loads loads(axes());
    for (AxisSet done = 0; done != all();) {
      AxisSet busiest = 0;
      Rational most = -1;
      for (AxisSet set = 1; set <= all(); ++set) {
        if ((set & done) != 0) continue;
        const Rational busy = (needed(set | done) - needed(done)) / sum(set, rates_);
        // On a tie the largest set, which contains the others.
        if (busy > most || (busy == most && (set & busiest) == busiest)) {
          most = busy;
          busiest = set;
        }
      }
      for (std::size_t axis = 0; axis < axes(); ++axis) {
        if (has(busiest, axis)) loads[axis] = most * rates_[axis];
      }
      done |= busiest;
    }
    return loads;
  }

  Rational sum(AxisSet set, const Loads& loads) const {
    Rational total = 0;
    for (std::size_t axis = 0; axis < axes(); ++axis) {
      if (has(set, axis)) total = total + loads[axis];
    }
    return total;
  }

 private:
  const Torus& torus_;
  const std::vector<Rational>& rates_;
};

// Solves a·x = b by elimination; nullopt if there is no unique solution.
std::optional<std::vector<Rational>> solved(std::vector<std::vector<Rational>> a,
                                            std::vector<Rational> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    while (pivot < n && a[pivot][column].is_zero()) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(a[pivot], a[column]);
    std::swap(b[pivot], b[column]);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column || a[row][column].is_zero()) continue;
      const Rational factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < n; ++k) a[row][k] = a[row][k] - factor * a[column][k];
      b[row] = b[row] - factor * b[column];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] = b[i] / a[i][i];
  return b;
}

// The axes from `first` on, cyclically.
Order turned(std::size_t first, std::size_t axes, bool forwards) {
  Order order;
  for (std::size_t i = 0; i < axes; ++i)
    order.push_back((first + (forwards ? i : axes - i)) % axes);
  return order;
}

std::vector<Order> orders_around(std::size_t axes, bool forwards) {
  std::vector<Order> orders;
  for (std::size_t first = 0; first < axes; ++first)
    orders.push_back(turned(first, axes, forwards));
  return orders;
}

std::vector<ColourShare> equal_shares(const std::vector<Order>& orders) {
  std::vector<ColourShare> shares;
  for (const Order& order : orders)
    shares.push_back({order, Rational::fraction(1, static_cast<std::int64_t>(orders.size()))});
  return shares;
}

// The shares of just these orders that give the loads; nullopt if there are none.
std::optional<std::vector<ColourShare>> shares_of(const std::vector<Order>& orders,
                                                  const Loads& loads, const Polytope& polytope) {
  std::vector<std::vector<Rational>> equations(loads.size());
  for (const Order& order : orders) {
    const Loads corner = polytope.corner(order);
    for (std::size_t axis = 0; axis < loads.size(); ++axis) equations[axis].push_back(corner[axis]);
  }
  const auto solution = solved(std::move(equations), loads);
  if (!solution) return std::nullopt;
  std::vector<ColourShare> shares;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const Rational& share = (*solution)[i];
    if (share.is_overflow() || share < Rational(0)) return std::nullopt;
    if (!share.is_zero()) shares.push_back({orders[i], share});
  }
  return shares;
}

// A corner of the smallest face that the loads lie on: any set of axes that carries no more than it must is gathered
// first.
Order order_on_face(const Loads& loads, const Polytope& polytope) {
  Order order(polytope.axes());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    AxisSet prefix = 0;
    std::vector<AxisSet> prefixes;
    for (const std::size_t axis : order) prefixes.push_back(prefix |= AxisSet{1} << axis);
    bool fits = true;
    const Loads corner = polytope.corner(order);
    for (AxisSet set = 1; set <= polytope.all() && fits; ++set) {
      const Rational needed = polytope.needed(set);
      fits = polytope.sum(set, loads) > needed || polytope.sum(set, corner) == needed;
    }
    if (fits) return order;
  } while (std::next_permutation(order.begin(), order.end()));
  return order;
}

// Takes corner after corner, each with the largest share that leaves the rest inside the polytope. Every step reaches a
// smaller face, so there are at most as many corners as axes.
std::vector<ColourShare> decomposed(Loads loads, const Polytope& polytope) {
  std::vector<ColourShare> shares;
  Rational rest = 1;
  while (shares.size() <= polytope.axes()) {
    const Order order = order_on_face(loads, polytope);
    const Loads corner = polytope.corner(order);
    Rational part = 1;
    for (AxisSet set = 1; set <= polytope.all(); ++set) {
      const Rational needed = polytope.needed(set);
      const Rational beyond = polytope.sum(set, corner) - needed;
      if (beyond > Rational(0)) part = std::min(part, (polytope.sum(set, loads) - needed) / beyond);
    }
    shares.push_back({order, rest * part});
    if (part == Rational(1)) break;
    for (std::size_t axis = 0; axis < loads.size(); ++axis)
      loads[axis] = (loads[axis] - part * corner[axis]) / (Rational(1) - part);
    rest = rest * (Rational(1) - part);
  }
  return shares;
}

bool are_exact(const std::vector<ColourShare>& shares) {
  Rational sum = 0;
  for (const ColourShare& share : shares) sum = sum + share.share;
  return sum == Rational(1);
}

// How long the axis is busy exchanging one block per place.
double exchange_load(const TorusAxis& axis) {
  return blocks_on_busiest_link(Movement::Exchange, axis, false) / static_cast<double>(axis.length);
}

}  // namespace

Rational gather_rate(const TorusAxis& axis) {
  if (axis.is_ring()) return Rational(2) / axis.slowness();
  Rational most = 0;
  for (std::int64_t link = 0; link + 1 < axis.length; ++link) {
    const std::int64_t blocks = std::max(link + 1, axis.length - link - 1);
    const std::int64_t place = (axis.line_begin() + link) % axis.length;
    most = std::max(most, Rational(blocks) * axis.slowness(place));
  }
  return Rational(axis.length - 1) / most;
}

std::vector<ColourShare> gather_shares(const Torus& torus, const std::vector<Rational>& rates) {
  const std::size_t axes = torus.axes().size();
  const auto around = orders_around(axes, true);
  if (axes == 1 || axes > kMostUnequalAxes) return equal_shares(around);
  const Polytope polytope(torus, rates);
  const Loads loads = polytope.least_busy();
  // Two sets of orders, cyclic up and down the axes, each have one solution. If both do, one half of each block takes
  // either: blocks arriving from many sides keep links busier in between than those of few orders.
  std::vector<std::vector<ColourShare>> found;
  for (const bool forwards : {true, false}) {
    if (axes == 2 && !forwards) continue;
    auto shares = shares_of(orders_around(axes, forwards), loads, polytope);
    if (shares) found.push_back(std::move(*shares));
  }
  if (found.empty()) found.push_back(decomposed(loads, polytope));
  std::vector<ColourShare> shares;
  const Rational each = Rational::fraction(1, static_cast<std::int64_t>(found.size()));
  for (const auto& some : found) {
    for (const ColourShare& share : some) shares.push_back({share.order, share.share * each});
  }
  return are_exact(shares) ? shares : equal_shares(around);
}

std::vector<ColourShare> exchange_shares(const Torus& torus) {
  const std::size_t axes = torus.axes().size();
  Order sorted(axes);
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    return exchange_load(torus.axes()[a]) < exchange_load(torus.axes()[b]);
  });
  if (axes > kMostOrderedAxes) {
    std::vector<Order> orders = orders_around(axes, true);
    for (Order& order : orders) {
      for (std::size_t& axis : order) axis = sorted[axis];
    }
    return equal_shares(orders);
  }
  std::vector<Order> orders;
  Order order(axes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return equal_shares(orders);
}

}  // namespace shard

#include "runtime/schedule.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "base/check.h"

namespace shard {
namespace {

// Where axes differ in length each colour is cut into chunks, so that an axis has work while the others finish. The share
// of the time that the busiest axis may idle, and the chunks that are tried to that end.
constexpr double kIdle = 0.005;
constexpr std::int64_t kMostChunks = 256;

using Order = std::vector<std::size_t>;

// Each colour begins with another axis and goes round.
std::vector<Order> orders_of(const Torus& torus) {
  std::vector<Order> orders;
  for (std::size_t first = 0; first < torus.axes().size(); ++first)
    orders.push_back(order_of_colour(first, torus));
  return orders;
}

// The solution of a·x = b by elimination; nothing if there is none.
std::optional<std::vector<double>> solved(std::vector<std::vector<double>> a,
                                          std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    if (a[pivot][column] == 0) return std::nullopt;
    std::swap(a[pivot], a[column]);
    std::swap(b[pivot], b[column]);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < n; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return b;
}

// The stages of one part, along its axes.
std::vector<Stage> stages_along(const Order& order, std::size_t part, Movement movement) {
  std::vector<Stage> stages;
  for (auto axis = order.begin(); axis != order.end(); ++axis)
    stages.push_back({part, movement, *axis, Order(order.begin(), axis)});
  return stages;
}

class Scheduler {
 public:
  Scheduler(Movement movement, const Torus& torus)
      : movement_(movement), torus_(torus), orders_(orders_of(torus)) {
    for (const TorusAxis& axis : torus.axes())
      link_blocks_.push_back(blocks_on_busiest_link(movement, axis, torus.is_network()));
    shares_ = shares_of_colours();
  }

  // Stages of a Gather or an Exchange.
  Schedule schedule(std::int64_t chunks) const {
    std::vector<Part> parts = parts_of(shares_, chunks);
    auto stages = in_link_order(parts).first;
    return {torus_, std::move(parts), std::move(stages)};
  }

  // What some chunks come to.
  struct Outlook {
    bool is_always_busy = false;  // the busiest axis
    double seconds = 0;           // 0 without rates
  };
  Outlook outlook(std::int64_t chunks, std::int64_t block_bytes,
                  const std::optional<LinkRates>& rates) const {
    const std::vector<Part> parts = parts_of(shares_, chunks);
    const auto [stages, time] = in_link_order(parts);
    return {time <= (1 + kIdle) * busiest(stages, parts),
            rates ? seconds(stages, parts, block_bytes, *rates) : 0};
  }

 private:
  // How long the stage keeps its busiest link busy, if its part is the whole block and a block takes 1.
  double busy(const Stage& stage) const {
    return static_cast<double>(blocks_carried(stage, torus_)) * link_blocks_[stage.axis];
  }
  double busy(const Stage& stage, const std::vector<Part>& parts) const {
    const Part& part = parts[stage.part];
    return busy(stage) * (part.end - part.begin).to_double();
  }

  // About the seconds until all has arrived: each axis carries stage after stage, and a stage takes its rounds, of which
  // none is shorter than a hop. Blocks have so many bytes.
  double seconds(const std::vector<Stage>& stages, const std::vector<Part>& parts,
                 std::int64_t block_bytes, const LinkRates& rates) const {
    std::vector<double> free(torus_.axes().size(), 0.0);  // by axis
    std::vector<double> ready(parts.size(), 0.0);
    const double block = static_cast<double>(block_bytes) / rates.bandwidth;
    for (const Stage& stage : stages) {
      const auto rounds = static_cast<double>(rounds_on(torus_.axes()[stage.axis]));
      const double round = busy(stage, parts) * block / rounds;
      const double last =
          std::max(ready[stage.part], free[stage.axis]) + (rounds - 1) * std::max(round, rates.hop);
      free[stage.axis] = last + round;
      ready[stage.part] = last + std::max(round, rates.hop);
    }
    return *std::max_element(ready.begin(), ready.end());
  }

  // Hops one behind the other along the axis.
  std::int64_t rounds_on(const TorusAxis& axis) const {
    if (torus_.is_network()) return 1;
    return axis.is_ring() ? axis.length / 2 : axis.length - 1;
  }

  // How long all stages keep the busiest axis busy.
  double busiest(const std::vector<Stage>& stages, const std::vector<Part>& parts) const {
    std::vector<double> axes(torus_.axes().size(), 0.0);
    for (const Stage& stage : stages) axes[stage.axis] += busy(stage, parts);
    return *std::max_element(axes.begin(), axes.end());
  }

  // Such that every axis is busy as long as any other: then no link could carry less. Where no shares do that, equal ones.
  std::vector<double> shares_of_colours() const {
    const std::size_t n = orders_.size();
    std::vector<double> equal(n, 1.0 / static_cast<double>(n));
    const auto& axes = torus_.axes();
    const bool alike = std::all_of(axes.begin(), axes.end(),
                                   [&](const TorusAxis& axis) { return axis == axes.front(); });
    if (alike) return equal;
    // Unknowns: the shares. Equations: an axis is as busy as axis 0; the shares add up to 1.
    std::vector<std::vector<double>> equations(n, std::vector<double>(n, 1.0));
    for (std::size_t colour = 0; colour < n; ++colour) {
      std::vector<double> by_axis(n);
      for (const Stage& stage : stages_along(orders_[colour], 0, movement_))
        by_axis[stage.axis] = busy(stage);
      for (std::size_t axis = 1; axis < n; ++axis)
        equations[axis - 1][colour] = by_axis[axis] - by_axis[0];
    }
    std::vector<double> sums(n, 0.0);
    sums.back() = 1;
    auto shares = solved(std::move(equations), std::move(sums));
    const bool fits = shares && std::all_of(shares->begin(), shares->end(),
                                            [](double share) { return share >= 0; });
    return fits ? *shares : least_busy_shares(equal);
  }

  // Where not all axes can be equally busy: the shares with which the busiest one is least busy. They are at a corner, where
  // as many axes are busiest as colours have a share; all corners are tried. `equal` if none is better.
  std::vector<double> least_busy_shares(const std::vector<double>& equal) const {
    const std::size_t n = orders_.size();
    constexpr std::size_t kMostAxes = 6;
    std::vector<double> best = equal;
    if (n > kMostAxes) return best;
    const std::size_t subsets = std::size_t{1} << n;
    for (std::size_t colours = 1; colours < subsets; ++colours) {
      for (std::size_t axes = 1; axes < subsets; ++axes) {
        if (std::popcount(colours) != std::popcount(axes)) continue;
        const auto shares = shares_at_corner(colours, axes);
        constexpr double kBetter = 1 - 1e-9;
        if (shares && busiest(*shares) < kBetter * busiest(best)) best = *shares;
      }
    }
    return best;
  }

  // Shares of the colours of a set that keep the axes of a set, as many, equally busy.
  std::optional<std::vector<double>> shares_at_corner(std::size_t colours, std::size_t axes) const {
    const std::size_t n = orders_.size();
    std::vector<std::size_t> chosen;
    for (std::size_t colour = 0; colour < n; ++colour) {
      if (colours >> colour & 1U) chosen.push_back(colour);
    }
    // Unknowns: the shares, and how busy the axes are.
    const std::size_t count = chosen.size() + 1;
    std::vector<std::vector<double>> equations(1, std::vector<double>(count, 1.0));
    equations[0].back() = 0;
    for (std::size_t axis = 0; axis < n; ++axis) {
      if ((axes >> axis & 1U) == 0) continue;
      auto& equation = equations.emplace_back(count, -1.0);
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        std::vector<double> one(n, 0.0);
        one[chosen[i]] = 1;
        equation[i] = busy_by_axis(one)[axis];
      }
    }
    std::vector<double> sums(count, 0.0);
    sums.front() = 1;
    const auto solution = solved(std::move(equations), std::move(sums));
    if (!solution) return std::nullopt;
    std::vector<double> shares(n, 0.0);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if ((*solution)[i] < 0) return std::nullopt;
      shares[chosen[i]] = (*solution)[i];
    }
    return shares;
  }

  // How long the colours keep each axis busy, if they have these shares.
  std::vector<double> busy_by_axis(const std::vector<double>& shares) const {
    std::vector<double> axes(torus_.axes().size(), 0.0);
    for (std::size_t colour = 0; colour < orders_.size(); ++colour) {
      for (const Stage& stage : stages_along(orders_[colour], 0, movement_))
        axes[stage.axis] += shares[colour] * busy(stage);
    }
    return axes;
  }
  double busiest(const std::vector<double>& shares) const {
    const std::vector<double> axes = busy_by_axis(shares);
    return *std::max_element(axes.begin(), axes.end());
  }

  std::vector<Part> parts_of(const std::vector<double>& shares, std::int64_t chunks) const {
    constexpr std::int64_t kSteps = std::int64_t{1} << 20;
    std::vector<Part> parts;
    Rational begin = 0;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      double sum = 0;
      for (std::size_t colour = 0; colour < orders_.size(); ++colour) {
        sum += shares[colour];
        const bool is_last = colour + 1 == orders_.size();
        const std::int64_t steps =
            is_last ? kSteps : std::llround(sum * static_cast<double>(kSteps));
        const Rational end = Rational(chunk * kSteps + steps) / Rational(chunks * kSteps);
        parts.push_back({orders_[colour], begin, end});
        begin = end;
      }
    }
    return parts;
  }

  // A part on its way along the axes.
  struct Traveller {
    std::vector<Stage> stages;
    std::size_t next = 0;
    double ready = 0;
    double left = 0;  // how long its stages behind the next one take
  };

  // Of the stages that come next in their parts always the one that can begin first; among equals that of the part with
  // the most still to do, so that no axis waits for work in the end. Also how long they take together.
  std::pair<std::vector<Stage>, double> in_link_order(const std::vector<Part>& parts) const {
    std::vector<Traveller> travellers(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
      Traveller& traveller = travellers[part];
      traveller.stages = stages_along(parts[part].order, part, movement_);
      for (std::size_t i = 1; i < traveller.stages.size(); ++i)
        traveller.left += busy(traveller.stages[i], parts);
    }
    std::vector<double> free(torus_.axes().size(), 0.0);
    std::vector<Stage> stages;
    while (Traveller* first = first_to_begin(travellers, free)) {
      const Stage& stage = first->stages[first->next++];
      first->ready = std::max(first->ready, free[stage.axis]) + busy(stage, parts);
      free[stage.axis] = first->ready;
      if (first->next < first->stages.size())
        first->left -= busy(first->stages[first->next], parts);
      stages.push_back(stage);
    }
    return {std::move(stages), *std::max_element(free.begin(), free.end())};
  }

  // Null if all have arrived.
  static Traveller* first_to_begin(std::vector<Traveller>& travellers,
                                   const std::vector<double>& free) {
    Traveller* first = nullptr;
    double earliest = 0;
    for (Traveller& traveller : travellers) {
      if (traveller.next == traveller.stages.size()) continue;
      const double start = std::max(traveller.ready, free[traveller.stages[traveller.next].axis]);
      const bool is_first = first == nullptr || start < earliest ||
                            (start == earliest && traveller.left > first->left);
      if (!is_first) continue;
      first = &traveller;
      earliest = start;
    }
    return first;
  }

  Movement movement_;
  const Torus& torus_;
  std::vector<Order> orders_;
  std::vector<double>
      link_blocks_;  // by axis: blocks on its busiest link while one is gathered or exchanged
  std::vector<double> shares_;  // of a block, by colour
};

Movement forward_movement(CollectiveKind kind) {
  return kind == CollectiveKind::AllToAll ? Movement::Exchange : Movement::Gather;
}

}  // namespace

std::vector<std::size_t> order_of_colour(std::size_t first, const Torus& torus) {
  const std::size_t axes = torus.axes().size();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < axes; ++i) order.push_back((first + i) % axes);
  return order;
}

std::int64_t chunks_for(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                        const std::optional<LinkRates>& rates) {
  const Scheduler scheduler(forward_movement(kind), torus);
  std::int64_t best = 1;
  double shortest = 0;
  for (std::int64_t chunks = 1; chunks <= kMostChunks; chunks *= 2) {
    const auto [is_always_busy, seconds] = scheduler.outlook(chunks, block_bytes, rates);
    // Of still smaller ones more hops would have to be waited for.
    if (rates && chunks > 1 && seconds > shortest) break;
    if (!rates || chunks == 1 || seconds < shortest) {
      best = chunks;
      shortest = seconds;
    }
    if (is_always_busy) break;
  }
  return best;
}

Schedule schedule_of(CollectiveKind kind, const Torus& torus, std::int64_t chunks) {
  SHARD_CHECK(!torus.axes().empty());
  Schedule schedule = Scheduler(forward_movement(kind), torus).schedule(chunks);
  if (kind == CollectiveKind::AllToAll || kind == CollectiveKind::AllGather) return schedule;
  // A ReduceScatter is an AllGather backwards in time.
  const std::vector<Stage> gathers = std::move(schedule.stages);
  schedule.stages.assign(gathers.rbegin(), gathers.rend());
  for (Stage& stage : schedule.stages) stage.movement = Movement::Reduce;
  if (kind == CollectiveKind::AllReduce)
    schedule.stages.insert(schedule.stages.end(), gathers.begin(), gathers.end());
  return schedule;
}

Schedule schedule_for(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                      const std::optional<LinkRates>& rates) {
  return schedule_of(kind, torus, chunks_for(kind, torus, block_bytes, rates));
}

std::pair<std::int64_t, std::int64_t> elements_of(const Part& part, Half half,
                                                  std::int64_t block_elements) {
  const auto cut = [&](const Rational& fraction) {
    return *floor(fraction * Rational(block_elements)).to_int64();
  };
  const std::int64_t begin = cut(part.begin);
  const std::int64_t end = cut(part.end);
  const std::int64_t middle = begin + (end - begin) / 2;
  if (half == Half::First) return {begin, middle};
  if (half == Half::Second) return {middle, end};
  return {begin, end};
}

std::int64_t blocks_carried(const Stage& stage, const Torus& torus) {
  // What a place holds for one other coordinate of the axis: all its blocks, cut by the length of the axis.
  if (stage.movement == Movement::Exchange) return torus.places() / torus.axes()[stage.axis].length;
  std::int64_t blocks = 1;
  for (const std::size_t axis : stage.along) blocks *= torus.axes()[axis].length;
  return blocks;
}

}  // namespace shard

#include "interpreter/estimate/totals.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/cancellation.h"
#include "base/contains.h"
#include "runtime/plan/places.h"

namespace shard {

namespace {

// Steps of equal cost share one Cost object: that cost, and how many steps have it.
struct Share {
  const Cost* cost;
  std::int64_t steps;
};

// In order of first occurrence.
template <class Steps, class Counts>
std::vector<Share> shares_of(const Program& program, const Steps& steps, const Counts& counts) {
  std::vector<Share> shares;
  std::unordered_map<const Cost*, std::size_t> places;
  for (const std::size_t i : steps) {
    throw_if_cancelled();
    if (!counts(i)) continue;
    const Cost* cost = program.steps[i].cost.get();
    const auto [known, is_new] = places.try_emplace(cost, shares.size());
    if (is_new) shares.push_back({cost, 0});
    ++shares[known->second].steps;
  }
  return shares;
}

template <class Steps>
std::vector<Share> shares_of(const Program& program, const Steps& steps) {
  return shares_of(program, steps, [](std::size_t) { return true; });
}

std::vector<std::size_t> range(std::size_t first, std::size_t end) {
  std::vector<std::size_t> steps;
  for (std::size_t i = first; i < end; ++i) steps.push_back(i);
  return steps;
}

Amount times(std::int64_t count, const Amount& amount) { return Amount(count) * amount; }
Formula times(std::int64_t count, const Formula& formula) { return Formula(count) * formula; }
Cost times(std::int64_t count, const Cost& cost) {
  Cost result = cost;
  for (Amount* amount : {&result.flops, &result.hbm_bytes, &result.comm_bytes})
    *amount = times(count, *amount);
  for (Formula* time : {&result.math, &result.math_at_peak, &result.hbm, &result.comms,
                        &result.comms_latency, &result.comms_transfer})
    *time = times(count, *time);
  return result;
}

Cost operator+(Cost a, const Cost& b) {
  a += b;
  return a;
}

// The sum of `of` over the shares, added as a balanced tree: formulas may grow with each term, and adding one after
// another would copy them once per term.
template <class Sum, class Of>
Sum sum_of(std::span<const Share> shares, const Of& of) {
  if (shares.empty()) return {};
  if (shares.size() == 1 && shares.front().steps == 1) return of(*shares.front().cost);
  if (shares.size() == 1) return times(shares.front().steps, of(*shares.front().cost));
  const std::size_t middle = shares.size() / 2;
  Sum sum = sum_of<Sum>(shares.first(middle), of);
  return std::move(sum) + sum_of<Sum>(shares.subspan(middle), of);
}

constexpr std::array<TotalFigure, 9> kFigures = {{{"flops", &Totals::flops},
                                                  {"comm_bytes", &Totals::comm_bytes},
                                                  {"hbm_bytes", &Totals::hbm_bytes},
                                                  {"math", &Totals::math},
                                                  {"hbm", &Totals::hbm},
                                                  {"comms", &Totals::comms},
                                                  {"time", &Totals::time},
                                                  {"lower", &Totals::lower},
                                                  {"upper", &Totals::upper}}};

// Steps that run at the same places.
struct Group {
  std::vector<std::size_t> places;
  std::vector<std::size_t> steps;
  Totals sum;
  std::vector<Formula> comms_by_axis;
};

std::vector<Group> groups_of(const Program& program, const Places& places) {
  if (places.names().size() == 1)
    return {
        {.places = {0}, .steps = range(0, program.steps.size()), .sum = {}, .comms_by_axis = {}}};
  std::map<StepEnds, std::vector<std::size_t>> by_ends;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    throw_if_cancelled();
    const Step& step = program.plan.steps[i];
    if (result_of(step).valid()) by_ends[ends_of(step, program.plan)].push_back(i);
  }
  std::vector<Group> groups;
  for (auto& [ends, steps] : by_ends)
    groups.push_back(
        {.places = places.of(ends), .steps = std::move(steps), .sum = {}, .comms_by_axis = {}});
  return groups;
}

void add_up(Group& group, const Program& program) {
  const std::vector<Share> shares = shares_of(program, group.steps);
  group.sum = totals_of(sum_of<Cost>(shares, [](const Cost& cost) { return cost; }));
  group.sum.time = sum_of<Formula>(shares, [](const Cost& cost) { return cost.time(); });
  for (std::size_t i = 0; i < program.machine.mesh.axes.size(); ++i) {
    const AxisId axis{static_cast<std::int32_t>(i)};
    const auto runs_over = [&](std::size_t step) {
      return contains(communication_axes(program.plan.steps[step]), axis);
    };
    group.comms_by_axis.push_back(sum_of<Formula>(shares_of(program, group.steps, runs_over),
                                                  [](const Cost& cost) { return cost.comms; }));
  }
}

void add(Totals& sum, const Totals& other) {
  for (const auto figure : {&Totals::flops, &Totals::comm_bytes, &Totals::hbm_bytes, &Totals::math,
                            &Totals::math_at_peak, &Totals::hbm, &Totals::comms,
                            &Totals::comms_latency, &Totals::comms_transfer, &Totals::time})
    sum.*figure = sum.*figure + other.*figure;
}

void set_bounds(Totals& totals) {
  totals.lower = max(totals.math, totals.comms);
  totals.upper = totals.math + totals.comms;
}

// As a balanced tree, like sums.
Formula greatest(std::span<const Totals> places, Formula Totals::*figure) {
  if (places.size() == 1) return places.front().*figure;
  const std::size_t middle = places.size() / 2;
  return max(greatest(places.first(middle), figure), greatest(places.subspan(middle), figure));
}

// Places where more figures are greatest come first, so that one place is named for as many figures as possible rather
// than several for a few each.
std::vector<std::string> names_of_greatest(const Totals& most, const std::vector<Totals>& places,
                                           const std::vector<std::string>& names) {
  const auto has = [&](std::size_t place, const TotalFigure& figure) {
    return places[place].*figure.value == most.*figure.value;
  };
  std::vector<std::size_t> order = range(0, places.size());
  std::vector<std::int64_t> count(places.size(), 0);
  for (const std::size_t place : order)
    count[place] = std::count_if(kFigures.begin(), kFigures.end(),
                                 [&](const TotalFigure& figure) { return has(place, figure); });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  std::vector<std::string> at;
  for (const TotalFigure& figure : kFigures) {
    const auto place =
        std::find_if(order.begin(), order.end(), [&](std::size_t one) { return has(one, figure); });
    const bool is_known = place != order.end() && !(most.*figure.value).is_zero();
    at.push_back(is_known ? names[*place] : "");
  }
  return at;
}

}  // namespace

std::span<const TotalFigure> total_figures() { return kFigures; }

Totals totals_of(const Cost& cost) {
  return {.flops = Formula(cost.flops),
          .comm_bytes = Formula(cost.comm_bytes),
          .hbm_bytes = Formula(cost.hbm_bytes),
          .math = cost.math,
          .math_at_peak = cost.math_at_peak,
          .hbm = cost.hbm,
          .comms = cost.comms,
          .comms_latency = cost.comms_latency,
          .comms_transfer = cost.comms_transfer,
          .time = cost.time(),
          .lower = cost.lower(),
          .upper = cost.upper()};
}

Bound bound_of(const Totals& totals) {
  Cost times;
  times.math = totals.math;
  times.hbm = totals.hbm;
  times.comms = totals.comms;
  times.comms_latency = totals.comms_latency;
  times.comms_transfer = totals.comms_transfer;
  return bound_of(times);
}

Cost total_cost(const Program& program, std::size_t first, std::size_t end) {
  if (end == first + 1) return *program.steps[first].cost;
  return sum_of<Cost>(shares_of(program, range(first, end)), [](const Cost& cost) { return cost; });
}

PlaceTotals totals_by_place(const Program& program) {
  const Places places(program.plan, program.machine.mesh);
  const auto& axes = program.machine.mesh.axes;
  std::vector<Totals> sums(places.names().size());
  PlaceTotals totals;
  totals.comms_by_axis.resize(sums.size());
  for (auto& own : totals.comms_by_axis) {
    for (const MeshAxis& axis : axes) own.push_back({axis.name, {}});
  }
  for (Group& group : groups_of(program, places)) {
    add_up(group, program);
    for (const std::size_t place : group.places) {
      add(sums[place], group.sum);
      auto& own = totals.comms_by_axis[place];
      for (std::size_t i = 0; i < own.size(); ++i)
        own[i].seconds = own[i].seconds + group.comms_by_axis[i];
    }
  }
  for (Totals& sum : sums) set_bounds(sum);
  for (const auto figure : {&Totals::math_at_peak, &Totals::comms_latency, &Totals::comms_transfer})
    totals.most.*figure = greatest(sums, figure);
  for (const TotalFigure& figure : kFigures)
    totals.most.*figure.value = greatest(sums, figure.value);
  totals.at = names_of_greatest(totals.most, sums, places.names());
  return totals;
}

Formula comms_over(const PlaceTotals& totals, std::span<const std::size_t> axes) {
  Formula most;
  for (const auto& own : totals.comms_by_axis) {
    Formula sum;
    for (const std::size_t axis : axes) sum = sum + own[axis].seconds;
    most = max(most, sum);
  }
  return most;
}

}  // namespace shard

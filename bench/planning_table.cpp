// How long the search for the cheapest re-layout takes (interpreter/planning/search/), over random re-layouts, and the one for the
// cheapest product (interpreter/planning/cheapest.h): a row for each number of axes and dimensions. Arguments: how many problems, the
// most axes, `products` for these, and `slices` for machines whose first axis is between slices. Not run by `./dev bench`.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "interpreter/planning/search/relayout_search.h"
#include "interpreter/planning/search/route_search.h"
#include "interpreter/planning/term_plan.h"
#include "runtime/machine/topology.h"
#include "runtime/network/link_time_cache.h"

namespace shard {
namespace {

using Random = std::mt19937_64;

std::size_t below(std::size_t bound, Random& random) { return random() % bound; }

// Rings; `slices`: the first axis is the network between slices.
Machine machine_of(const std::vector<std::int64_t>& sizes, bool slices) {
  Chip chip{"TPUv5p", {16, 20, 28}, {2, 2, 1}};
  chip.hbm_bandwidth = 2'765'000'000'000;
  chip.ici_one_way = 90'000'000'000;
  chip.dcn_bandwidth = 6'250'000'000;
  chip.wrap = WrapRule::Cube4;
  std::vector<DeclaredAxis> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string name = fmt::format("X{}", i);
    if (slices && i == 0)
      axes.push_back({name, {sizes[i]}, AxisKind::Dcn, std::nullopt, std::nullopt});
    else
      axes.push_back({name, {sizes[i]}, AxisKind::Ici, true, std::nullopt});
  }
  Machine machine{chip, std::get<Mesh>(fit_mesh(chip, std::nullopt, axes))};
  machine.link_times = std::make_shared<LinkTimes>();
  return machine;
}

// Each axis splits some dimension, is unreduced, or idle.
Layout any_layout(std::size_t axes, std::size_t rank, bool unreduced, Random& random) {
  Layout layout = replicated(rank);
  std::vector<std::size_t> order(axes);
  for (std::size_t i = 0; i < axes; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  for (const std::size_t i : order) {
    const AxisId axis{static_cast<std::int32_t>(i)};
    const std::size_t place = below(rank + 2, random);
    if (place < rank) layout.dims.edit()[place].push_back(axis);
    if (place == rank && unreduced) layout.unreduced.edit().push_back(axis);
  }
  std::sort(layout.unreduced.edit().begin(), layout.unreduced.edit().end());
  return layout;
}

struct Row {
  std::vector<double> seconds;
  int unproven = 0;
};

// On few machines, as a script has one: its later statements are planned with what the earlier ones have found.
Row measure(std::size_t axes, std::size_t rank, int cases, bool slices) {
  Random random(axes * 100 + rank);
  Row row;
  const std::vector<std::int64_t> lengths = {2, 4, 8};
  Machine machine;
  for (int i = 0; i < cases; ++i) {
    if (i % 50 == 0) {
      std::vector<std::int64_t> sizes;
      for (std::size_t a = 0; a < axes; ++a)
        sizes.push_back(axes > 4 ? 2 : lengths[below(lengths.size(), random)]);
      machine = machine_of(sizes, slices);
    }
    // From 1 MiB to 1 TiB.
    planning::Shape shape;
    const std::size_t bits = 19 + below(21, random);
    for (std::size_t d = 0; d < rank; ++d)
      shape.lengths.emplace_back(std::int64_t{1} << std::max<std::size_t>(bits / rank, 4));
    const Layout from = any_layout(axes, rank, true, random);
    const Layout to = any_layout(axes, rank, false, random);
    if (indivisible_dimension(shape.lengths, from, machine.mesh) ||
        indivisible_dimension(shape.lengths, to, machine.mesh)) {
      --i;
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    const auto route = planning::cheapest_route({from}, to, shape, machine);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    row.seconds.push_back(taken.count());
    if (route && route->bound) ++row.unproven;
  }
  std::sort(row.seconds.begin(), row.seconds.end());
  return row;
}

planning::Term source(const Layout& layout, const planning::Labels& labels, std::int64_t length) {
  planning::Term term{.node = planning::Source{{layout}}, .labels = labels, .shape = {}};
  term.shape.lengths.assign(labels.size(), Amount(length));
  return term;
}

// In processor time, as others may use the computer. A[…, I, J] · B[…, J, K] → C[…, I, K], with as many batch dimensions as the rank needs.
Row measure_products(std::size_t axes, std::size_t rank, PlanRule rule, int cases, bool slices) {
  Random random(axes * 100 + rank);
  Row row;
  const std::vector<std::int64_t> lengths = {2, 4, 8};
  Machine machine;
  planning::Labels left;
  for (std::size_t d = 0; d + 2 < rank; ++d) left.push_back(static_cast<int>(10 + d));
  planning::Labels right = left;
  planning::Labels result = left;
  left.insert(left.end(), {0, 1});
  right.insert(right.end(), {1, 2});
  result.insert(result.end(), {0, 2});
  for (int i = 0; i < cases; ++i) {
    if (i % 50 == 0) {
      std::vector<std::int64_t> sizes;
      for (std::size_t a = 0; a < axes; ++a)
        sizes.push_back(axes > 4 ? 2 : lengths[below(lengths.size(), random)]);
      machine = machine_of(sizes, slices);
    }
    const std::size_t bits = 19 + below(21, random);
    const std::int64_t length = std::int64_t{1} << std::max<std::size_t>(bits / rank, 4);
    const Layout a = any_layout(axes, rank, true, random);
    const Layout b = any_layout(axes, rank, true, random);
    const Layout c = any_layout(axes, rank, false, random);
    planning::Term product = source(c, result, length);
    product.node = Box<planning::Product>(
        planning::Product{source(a, left, length), source(b, right, length)});
    if (indivisible_dimension(product.shape.lengths, a, machine.mesh) ||
        indivisible_dimension(product.shape.lengths, b, machine.mesh) ||
        indivisible_dimension(product.shape.lengths, c, machine.mesh)) {
      --i;
      continue;
    }
    const std::clock_t start = std::clock();
    const auto ways = planning::plan_term(product, c, machine, {}, rule);
    row.seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    if (!ways.empty() && ways.front()->unproven > 0) ++row.unproven;
  }
  std::sort(row.seconds.begin(), row.seconds.end());
  return row;
}

int run_products(int cases, std::size_t most_axes, bool slices) {
  fmt::print(
      "| axes | dimensions | rule | products | median, ms | 99 % | worst | budget used up |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t axes : {1U, 2U, 3U, 4U, 5U, 6U, 8U}) {
    if (axes > most_axes) break;
    for (const std::size_t rank : {2U, 3U, 4U}) {
      const int here = axes > 4 ? std::max(1, cases / 50) : axes == 4 ? cases / 10 : cases;
      for (const PlanRule rule : {PlanRule::Cases, PlanRule::Cheapest}) {
        const Row row = measure_products(axes, rank, rule, here, slices);
        const std::size_t n = row.seconds.size();
        fmt::print("| {} | {} | {} | {} | {:.3f} | {:.3f} | {:.3f} | {} |\n", axes, rank,
                   rule == PlanRule::Cases ? "cases" : "cheapest", here, 1e3 * row.seconds[n / 2],
                   1e3 * row.seconds[n * 99 / 100], 1e3 * row.seconds.back(), row.unproven);
        std::fflush(stdout);
      }
    }
  }
  return 0;
}

int run(int cases, std::size_t most_axes, bool slices) {
  fmt::print("| axes | dimensions | re-layouts | median, ms | 99 % | worst | budget used up |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const std::size_t axes : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 12U, 16U}) {
    if (axes > most_axes) break;
    for (const std::size_t rank : {2U, 3U, 4U, 6U, 16U}) {
      if (rank == 16 && axes != 16) continue;
      const int here = axes > 4 ? std::max(1, cases / 50) : axes == 4 ? cases / 5 : cases;
      const Row row = measure(axes, rank, here, slices);
      const std::size_t n = row.seconds.size();
      fmt::print("| {} | {} | {} | {:.3f} | {:.3f} | {:.3f} | {} |\n", axes, rank, here,
                 1e3 * row.seconds[n / 2], 1e3 * row.seconds[n * 99 / 100],
                 1e3 * row.seconds.back(), row.unproven);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace shard

int main(int count, char** arguments) {
  const auto number = [&](int i, int otherwise) {
    return count > i ? std::atoi(arguments[i]) : otherwise;
  };
  const auto most_axes = static_cast<std::size_t>(number(2, 16));
  const auto has = [&](std::string_view word) {
    return std::find(arguments, arguments + count, word) != arguments + count;
  };
  return (has("products") ? shard::run_products : shard::run)(number(1, 1000), most_axes,
                                                              has("slices"));
}

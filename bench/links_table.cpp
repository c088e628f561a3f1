// Prints how close the `links` model comes to what no schedule can beat: the tables in README.md.
//   links_table            the tables
//   links_table AXES…      one torus, size by size: `links_table 2 28` two rings, `links_table 4l 8` a line and a ring
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "runtime/cost/collective_cost.h"
#include "runtime/network/axis_group.h"
#include "runtime/network/link_bounds.h"
#include "runtime/network/link_simulation.h"

namespace shard {
namespace {

constexpr LinkRates kRates{9e10, 1e-6};  // TPU v5p
// From volumes at which only hops count to volumes at which only bytes do, on every torus in the tables.
constexpr double kSmallest = 1e3;  // bytes: V, the volume of the collective
constexpr double kLargest = 1e9;
constexpr int kStepsPerDecade = 8;

using Axes = std::vector<TorusAxis>;

struct Case {
  double volume = 0;
  double seconds = 0;
  LinkBounds bounds;

  // To the larger of the bounds of bytes and of hops; then to all bounds.
  double ratio() const { return seconds / std::max(bounds.bytes, bounds.hops); }
  double exact_ratio() const { return seconds / bounds.most(); }
};

Case measured(CollectiveKind kind, const Torus& torus, double volume) {
  const bool exchanges = kind == CollectiveKind::AllToAll;
  const auto places = static_cast<double>(torus.places());
  const double blocks = exchanges ? places * places : places;
  const auto block = static_cast<std::int64_t>(std::max(1.0, std::round(volume / blocks)));
  const Movement movement = exchanges ? Movement::Exchange : Movement::Gather;
  return {static_cast<double>(block) * blocks, seconds_on_links(kind, torus, block, kRates),
          link_bounds(movement, torus, block, kRates)};
}

std::vector<double> volumes() {
  std::vector<double> all;
  const int steps =
      static_cast<int>(std::lround(std::log10(kLargest / kSmallest))) * kStepsPerDecade;
  for (int i = 0; i <= steps; ++i)
    all.push_back(kSmallest * std::pow(10.0, static_cast<double>(i) / kStepsPerDecade));
  return all;
}

struct Worst {
  Case simple;
  Case exact;
};

Worst worst(CollectiveKind kind, const Torus& torus) {
  Worst worst;
  for (const double volume : volumes()) {
    const Case found = measured(kind, torus, volume);
    if (worst.simple.seconds == 0 || found.ratio() > worst.simple.ratio()) worst.simple = found;
    if (worst.exact.seconds == 0 || found.exact_ratio() > worst.exact.exact_ratio())
      worst.exact = found;
  }
  return worst;
}

std::string name_of(const Axes& axes) {
  std::string name;
  for (const TorusAxis& axis : axes)
    name += (name.empty() ? "" : " x ") + std::to_string(axis.length) + (axis.wraps ? "" : " line");
  return name;
}

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 3) {
    bytes /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
  return text;
}

TorusAxis ring(std::int64_t length) { return {length, true}; }
TorusAxis line(std::int64_t length) { return {length, false}; }

std::vector<Axes> toruses() {
  std::vector<Axes> all;
  for (const std::int64_t n : {2, 3, 4, 5, 8, 16, 28}) all.push_back({ring(n)});
  for (const std::int64_t n : {2, 3, 4, 5, 8, 16}) all.push_back({line(n)});
  const std::vector<std::pair<std::int64_t, std::int64_t>> pairs = {
      {2, 2}, {2, 3}, {3, 3}, {4, 4}, {2, 28}, {4, 8}, {5, 7}, {8, 8}, {16, 16}};
  for (const auto& [a, b] : pairs) {
    all.push_back({ring(a), ring(b)});
    // Larger pairs appear as rings only, to keep the table short; `links_table AXES…` prints any other.
    if (a * b > 64) continue;
    all.push_back({line(a), line(b)});
    all.push_back({line(a), ring(b)});
    if (a != b) all.push_back({ring(a), line(b)});
  }
  all.push_back({ring(2), ring(2), ring(2)});
  all.push_back({line(2), line(2), line(2)});
  all.push_back({line(2), line(2), line(4)});
  all.push_back({ring(2), ring(3), ring(5)});
  all.push_back({ring(4), ring(4), ring(4)});
  all.push_back({ring(4), line(4), line(4)});
  all.push_back({line(2), line(4), line(8)});
  all.push_back({ring(3), ring(5), ring(7)});
  all.push_back({ring(4), ring(4), ring(8)});
  all.push_back({ring(4), ring(8), ring(16)});
  all.push_back({ring(2), line(3), ring(16)});
  all.push_back({ring(8), ring(8), ring(8)});
  all.push_back({ring(16), ring(20), ring(28)});
  return all;
}

void print_row(CollectiveKind kind, const Axes& axes, double& most) {
  const Worst found = worst(kind, Torus(axes));
  std::printf("| %s | %s | %.3f | %s | %.3f |\n", name_of(axes).c_str(),
              std::string(name_of(kind)).c_str(), found.simple.ratio(),
              bytes_text(found.simple.volume).c_str(), found.exact.exact_ratio());
  std::fflush(stdout);
  most = std::max(most, found.exact.exact_ratio());
}

void print_table() {
  std::printf("| torus | collective | worst, to bytes and hops | at V | worst, to the bound |\n");
  std::printf("| - | - | - | - | - |\n");
  double most = 0;
  for (const Axes& axes : toruses()) {
    for (const CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::AllToAll})
      print_row(kind, axes, most);
  }
  std::printf("\nthe worst: %.3f\n", most);
}

// ------------------------------------------------------------ Broadcast and Shift

Machine machine_of(const Axes& axes) {
  Machine machine;
  machine.model = CostModel::Links;
  machine.chip.ici_one_way = Rational(static_cast<std::int64_t>(kRates.bandwidth));
  for (const TorusAxis& torus : axes) {
    MeshAxis axis;
    axis.name = std::string(1, "XYZ"[machine.mesh.axes.size()]);
    axis.size = Amount(torus.length);
    axis.torus = {torus};
    machine.mesh.axes.add(std::move(axis));
  }
  return machine;
}

// Seconds for a block of `bytes` bytes; for a Broadcast, one held at the end of every line.
double seconds_of(CollectiveKind kind, int shift, std::int64_t bytes, const Machine& machine) {
  std::vector<AxisId> over;
  for (std::size_t i = 0; i < machine.mesh.axes.size(); ++i)
    over.push_back(AxisId{static_cast<std::int32_t>(i)});
  Copy from;
  from.dtype = DType::Int8;
  from.layout.dims.edit().emplace_back();
  Copy to = from;
  if (kind == CollectiveKind::Shift) {
    from.layout.dims.edit().front() = to.layout.dims.edit().front() = over;
    from.shape = to.shape = {Amount(bytes) * size_of(over, machine.mesh)};
  } else {
    for (const AxisId axis : over) from.layout.placed.edit().push_back({axis, 0});
    from.shape = to.shape = {Amount(bytes)};
  }
  return cost_of_collective(kind, over, shift, from, to, machine).comms.constant()->to_double();
}

// The larger of what has to get by the narrowest cut, and the way to the farthest place. The cut is around the place with
// the fewest links, or, where there is a single line and else rings of two, around the end of the line.
double broadcast_bound(const Axes& axes, double bytes) {
  double links = 0;
  double lines = 0;
  double at_its_end = 1;
  for (const TorusAxis& axis : axes) {
    links += axis.wraps ? 2 : 1;
    if (axis.wraps)
      at_its_end *= static_cast<double>(axis.length);
    else
      ++lines;
  }
  if (lines == 1) links = std::min(links, at_its_end);
  return std::max(bytes / links / kRates.bandwidth,
                  static_cast<double>(diameter(Torus(axes))) * kRates.hop);
}

// Blocks go s hops one way or n - s the other: the links of both directions together can carry no less.
double shift_bound(std::int64_t length, int shift, double bytes) {
  const auto n = static_cast<double>(length);
  return std::max(shift * (n - shift) / n * bytes / kRates.bandwidth,
                  std::min<double>(shift, n - shift) * kRates.hop);
}

void print_routed_row(const std::string& name, CollectiveKind kind, int shift, const Axes& axes) {
  const Machine machine = machine_of(axes);
  double worst = 0;
  double at = 0;
  double largest = 0;
  for (const double volume : volumes()) {
    const double bound = kind == CollectiveKind::Shift
                             ? shift_bound(axes.front().length, shift, volume)
                             : broadcast_bound(axes, volume);
    largest = seconds_of(kind, shift, std::llround(volume), machine) / bound;
    if (largest > worst) {
      worst = largest;
      at = volume;
    }
  }
  std::printf("| %s | %.3f | %.3f | %s |\n", name.c_str(), largest, worst, bytes_text(at).c_str());
  std::fflush(stdout);
}

void print_routed() {
  std::printf("\n| collective | at 1 GB, to the bound | worst | at |\n| - | - | - | - |\n");
  const std::vector<Axes> toruses = {{ring(8)},
                                     {ring(4), ring(4)},
                                     {ring(8), ring(8)},
                                     {ring(4), ring(4), ring(4)},
                                     {ring(8), ring(8), ring(8)},
                                     {ring(3), ring(5), ring(7)},
                                     {line(8)},
                                     {line(4), line(4)},
                                     {line(4), line(4), line(4)},
                                     {line(4), ring(8)},
                                     {ring(4), ring(4), line(4)},
                                     {ring(4), line(4), line(4)},
                                     {ring(2), line(4)},
                                     {ring(2), ring(2), line(4)},
                                     {ring(2), ring(4), line(4)},
                                     {ring(2), line(4), line(4)}};
  for (const Axes& axes : toruses)
    print_routed_row("Broadcast, " + name_of(axes), CollectiveKind::Broadcast, 0, axes);
  for (const auto& [length, shift] :
       std::vector<std::pair<std::int64_t, int>>{{4, 1}, {8, 1}, {8, 2}, {8, 3}, {8, 4}, {16, 1}})
    print_routed_row("Shift by " + std::to_string(shift) + ", " + std::to_string(length),
                     CollectiveKind::Shift, shift, {ring(length)});
}

void print_torus(const Axes& axes) {
  const Torus torus(axes);
  for (const CollectiveKind kind : {CollectiveKind::AllGather, CollectiveKind::AllToAll}) {
    for (const double volume : volumes()) {
      const Case found = measured(kind, torus, volume);
      std::printf("%-10s %9s  bytes %.4g us  hops %.4g us  bound %.4g us  takes %.4g us  %.3f\n",
                  std::string(name_of(kind)).c_str(), bytes_text(found.volume).c_str(),
                  found.bounds.bytes * 1e6, found.bounds.hops * 1e6, found.bounds.most() * 1e6,
                  found.seconds * 1e6, found.exact_ratio());
    }
  }
}

}  // namespace
}  // namespace shard

int main(int count, char** arguments) {
  shard::Axes axes;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    axes.push_back({std::stoll(word), word.back() != 'l'});
  }
  if (!axes.empty()) {
    shard::print_torus(axes);
    return 0;
  }
  shard::print_table();
  shard::print_routed();
}

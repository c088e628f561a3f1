#include "interpreter/machine/mesh_misfit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include "base/format.h"
#include "base/match.h"
#include "base/words.h"
#include "grammar/tree/names.h"
#include "runtime/cost/cost.h"
#include "runtime/machine/chip.h"
#include "runtime/machine/mesh_text.h"

namespace shard {

namespace {

using Lengths = std::vector<std::int64_t>;

std::int64_t product_of(const Lengths& lengths) {
  std::int64_t product = 1;
  for (const std::int64_t length : lengths) product *= length;
  return product;
}

// States that the mesh and the slice differ in the number of devices, if that is what is wrong.
std::string misfit_text(const MachineState& machine) {
  Amount mesh(1);
  for (const DeclaredAxis& axis : machine.declared_axes) {
    if (axis.kind != AxisKind::Ici) continue;
    for (const std::int64_t size : axis.sizes) mesh = mesh * Amount(size);
  }
  Amount slice(1);
  for (const std::int64_t length : machine.slice->lengths) slice = slice * Amount(length);
  const std::string text = slice_text(machine.slice->lengths);
  return mesh == slice
             ? fmt::format("the axes of the mesh are no products of the slice's, {}", text)
             : fmt::format("the mesh has {} device{}, and the slice {} has {}", mesh.to_string(),
                           mesh == Amount(1) ? "" : "s", text, slice.to_string());
}

std::string written(const DeclaredAxis& axis) {
  std::string text = fmt::format("{}: {}", axis.name, slice_text(axis.sizes));
  if (axis.ring) text += *axis.ring ? " ring" : " line";
  if (axis.kind == AxisKind::Dcn) text += " dcn";
  if (axis.kind == AxisKind::Switch) text += " switch";
  if (axis.kind == AxisKind::Core) text += " core";
  return text;
}

// Finds the mesh with the same axes that fits the slice and is most similar to the declared one.
class MeshSearch {
 public:
  explicit MeshSearch(const MachineState& machine) : machine_(machine) {
    for (const std::int64_t length : machine.slice->lengths) {
      if (length > 1) lengths_.push_back(length);
    }
    for (std::size_t i = 0; i < machine.declared_axes.size(); ++i) {
      if (machine.declared_axes[i].kind == AxisKind::Ici) open_.push_back(i);
    }
  }

  // Empty if there is none. A mesh is not rewritten if one of its axes has a bandwidth of its own.
  std::string find() {
    const bool own = std::any_of(machine_.declared_axes.begin(), machine_.declared_axes.end(),
                                 [](const DeclaredAxis& axis) { return axis.bandwidth; });
    // All ways to give the slice's axes to the mesh's are tried, at most 6^6 = 46,656. Beyond that no mesh is proposed.
    constexpr std::size_t kMostAxes = 6;
    if (own || open_.empty() || open_.size() > kMostAxes || lengths_.size() > kMostAxes) return "";
    place(0, std::vector<Lengths>(open_.size()));
    return best_;
  }

 private:
  // Dissimilarity to the declared mesh: how many sizes differ, how many axes have size 1, how far the sizes are apart.
  // In this order, as it is better to change one size a lot than two a little.
  using Score = std::tuple<int, int, double>;

  void place(std::size_t next, std::vector<Lengths> taken) {
    if (next == lengths_.size()) return judge(taken);
    for (std::size_t axis = 0; axis < open_.size(); ++axis) {
      taken[axis].push_back(lengths_[next]);
      place(next + 1, taken);
      taken[axis].pop_back();
    }
  }

  void judge(const std::vector<Lengths>& taken) {
    Score score{0, 0, 0};
    auto& [different, alone, distance] = score;
    std::vector<DeclaredAxis> axes = machine_.declared_axes;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      DeclaredAxis& axis = axes[open_[i]];
      const std::int64_t before = product_of(axis.sizes);
      const std::int64_t now = product_of(taken[i]);
      if (now != before) ++different;
      if (now == 1) ++alone;
      distance += std::abs(std::log(static_cast<double>(now) / static_cast<double>(before)));
      axis.sizes = taken[i].empty() ? Lengths{1} : taken[i];
    }
    if (!best_.empty() && best_score_ <= score) return;
    if (!std::holds_alternative<Mesh>(fit_mesh(*machine_.chip, machine_.slice, axes))) return;
    std::vector<std::string> texts;
    for (const DeclaredAxis& axis : axes) texts.push_back(written(axis));
    best_ = fmt::format("mesh {{{}}}", join(texts, ", "));
    best_score_ = score;
  }

  const MachineState& machine_;
  Lengths lengths_;
  std::vector<std::size_t> open_;  // the axes that take axes of the slice
  std::string best_;
  Score best_score_;
};

// The slice that the declared axes fit, each along an axis of the torus; empty if the torus has fewer.
std::string fitting_slice(const MachineState& machine, const Scope& scope) {
  const Chip& chip = *machine.chip;
  Lengths lengths;
  for (const DeclaredAxis& axis : machine.declared_axes) {
    if (axis.kind != AxisKind::Ici) continue;
    std::copy_if(axis.sizes.begin(), axis.sizes.end(), std::back_inserter(lengths),
                 [](std::int64_t size) { return size > 1; });
  }
  const std::size_t most = has_torus(chip.wrap) ? chip.pod.size() : 1;
  if (lengths.size() > most && most == 1) lengths = {product_of(lengths)};
  if (lengths.empty() || lengths.size() > most) return "";
  while (lengths.size() < std::min(most, machine.slice->lengths.size())) lengths.push_back(1);
  const Slice slice{.lengths = lengths, .wraparound = machine.slice->wraparound};
  if (exceeds_pod(chip, slice)) return "";
  if (!std::holds_alternative<Mesh>(fit_mesh(chip, slice, axes_to_fit(machine)))) return "";
  // Figures that `hardware` gave the chip would be lost.
  const auto known = scope.names.chips.find(name_key(chip.name));
  if (known == scope.names.chips.end() || !(known->second == chip)) return "";
  const auto wrap = machine.slice->wraparound;
  return fmt::format("hardware {} {}{}", chip.name, slice_text(lengths),
                     !wrap   ? ""
                     : *wrap ? " wrap"
                             : " nowrap");
}

void report_no_fit(CheckContext& context) {
  const MachineState& machine = context.scope.machine;
  std::vector<std::string> help;
  if (std::string mesh = MeshSearch(machine).find(); !mesh.empty()) help.push_back(std::move(mesh));
  const std::string slice = fitting_slice(machine, context.scope);
  if (!slice.empty()) help.push_back((help.empty() ? "" : "or a slice for this mesh: ") + slice);
  const bool has_cores =
      std::any_of(machine.declared_axes.begin(), machine.declared_axes.end(),
                  [](const DeclaredAxis& axis) { return axis.kind == AxisKind::Core; });
  if (machine.chip->cores && !has_cores)
    help.push_back(
        fmt::format("a slice counts chips; an axis over the {} cores of each is `C: {} core`",
                    machine.chip->cores->to_string(), machine.chip->cores->to_string()));
  if (help.empty())
    help.emplace_back(
        "each axis takes whole axes of the slice, and together they take all of them");
  report(context, DiagnosticKind::MeshMismatch, *machine.mesh_span, misfit_text(machine),
         std::move(help), {{machine.hardware_span, "the slice is declared here"}});
}

// "    # AllGathers at 180 GB/s over X (1 GB in 5.556 ms), 270 GB/s over Y (3.704 ms)"; "" if the chip states no bandwidth.
std::string bandwidths_text(const Mesh& mesh, const MachineState& machine) {
  if (!machine.chip->ici_one_way) return "";
  constexpr std::int64_t kGigabyte = 1'000'000'000;  // at which what hops take at least is nothing
  std::vector<std::string> texts;
  for (const MeshAxis& axis : mesh.axes) {
    if (axis.kind != AxisKind::Ici || axis.torus.empty()) continue;
    const std::vector<AxisId> axes = {*mesh.find(axis.name)};
    Copy split{
        .shape = std::vector<Amount>{kGigabyte}, .dtype = DType::Int8, .layout = replicated(1)};
    const Copy whole = split;
    split.layout.dims.edit()[0] = axes;
    const Machine laid{
        .chip = chip_of_device(*machine.chip, mesh), .mesh = mesh, .model = machine.machine.model};
    const Cost cost = cost_of_collective(CollectiveKind::AllGather, axes, 0, split, whole, laid);
    const auto known = cost.comms.constant();
    if (!known) return "";
    const double seconds = known->to_double();
    texts.push_back(fmt::format("{}/s over {} ({}{})",
                                format_bytes(static_cast<double>(kGigabyte) / seconds), axis.name,
                                texts.empty() ? "1 GB in " : "", format_seconds(seconds)));
  }
  return "    # AllGathers at " + join(texts, ", ");
}

// Reports an axis over cores that has not all cores of a chip, or a second one.
bool report_cores(CheckContext& context) {
  const MachineState& machine = context.scope.machine;
  const Amount cores(machine.chip->cores.value_or(1));
  const DeclaredAxis* known = nullptr;
  for (const DeclaredAxis& axis : machine.declared_axes) {
    if (axis.kind != AxisKind::Core) continue;
    Amount size(1);
    for (const std::int64_t one : axis.sizes) size = size * Amount(one);
    const bool second = known != nullptr;
    if (!second && size == cores) {
      known = &axis;
      continue;
    }
    report(context, DiagnosticKind::MeshMismatch, *machine.mesh_span,
           second ? fmt::format("both `{}` and `{}` are axes over the cores of a chip", known->name,
                                axis.name)
                  : fmt::format("`{}` has {} cores of a chip, and {} has {}", axis.name,
                                size.to_string(), machine.chip->name, cores.to_string()),
           {cores == Amount(1)
                ? fmt::format("a device is a chip of {}: leave the axis out", machine.chip->name)
            : second ? fmt::format("leave one of them out")
                     : fmt::format("{}: {} core", axis.name, cores.to_string())});
    return true;
  }
  return false;
}

// As many chips on so many axes: the last one has those of all after it.
std::vector<std::int64_t> on_fewer_axes(std::vector<std::int64_t> lengths, std::size_t axes) {
  std::erase(lengths, 1);
  while (lengths.size() > std::max<std::size_t>(axes, 1)) {
    const std::int64_t last = lengths.back();
    lengths.pop_back();
    lengths.back() *= last;
  }
  return lengths;
}

// A chip of the same make on whose torus the slice can be laid, the one with the most alike name first; null if there is none.
const Chip* chip_for(const Slice& slice, const Chip& chip, const Scope& scope) {
  constexpr std::ptrdiff_t kSameMake = 3;
  const auto lengths_of = [](std::vector<std::int64_t> lengths) {
    std::erase(lengths, 1);
    std::sort(lengths.begin(), lengths.end());
    return lengths;
  };
  const std::vector<std::int64_t> wanted = lengths_of(slice.lengths);
  const auto alike = [&](const Chip& other) {
    const auto differ =
        std::mismatch(chip.name.begin(), chip.name.end(), other.name.begin(), other.name.end());
    return differ.first - chip.name.begin();
  };
  const Chip* best = nullptr;
  for (const auto& [key, other] : scope.names.chips) {
    const std::vector<std::int64_t> pod = lengths_of(other.pod);
    const bool fits =
        key == name_key(other.name) && pod.size() == wanted.size() &&
        std::equal(wanted.begin(), wanted.end(), pod.begin(), std::less_equal<std::int64_t>());
    if (!fits || alike(other) < kSameMake) continue;
    const bool better = best == nullptr || alike(other) > alike(*best) ||
                        (alike(other) == alike(*best) && other.name < best->name);
    if (better) best = &other;
  }
  return best;
}

}  // namespace

std::vector<DeclaredAxis> axes_to_fit(const MachineState& machine) {
  std::vector<DeclaredAxis> axes = machine.declared_axes;
  for (DeclaredAxis& axis : axes) {
    if (!machine.slice && machine.wraparound && !axis.ring && axis.kind == AxisKind::Ici) {
      axis.ring = machine.wraparound;
    }
  }
  return axes;
}

bool fits_slice(const MachineState& machine) {
  const Chip chip = machine.chip.value_or(unknown_chip());
  return std::holds_alternative<Mesh>(fit_mesh(chip, machine.slice, axes_to_fit(machine)));
}

void report_misfit(const Fit& fit, CheckContext& context) {
  const MachineState& machine = context.scope.machine;
  if (report_cores(context)) return;
  const auto* several = std::get_if<SeveralFits>(&fit);
  if (several == nullptr) return report_no_fit(context);
  std::vector<std::string> help;
  for (std::size_t i = 0; i < several->meshes.size(); ++i)
    help.push_back(
        fmt::format("mesh {}{}", several->meshes[i], bandwidths_text(several->laid[i], machine)));
  std::vector<std::string> axes;
  for (const DeclaredAxis& axis : machine.declared_axes) axes.push_back(written(axis));
  // Of some array that the axis divides, as the array that is meant is not known here.
  const DeclaredAxis& first = machine.declared_axes.front();
  std::int64_t rows = 1024;
  for (const std::int64_t size : first.sizes) rows *= size;
  help.push_back(fmt::format(
      "mesh {{{0}}} place best time {{ AllGather_{1} A[{2}_{1}, 4Ki] → A[{2}, 4Ki] }}    # the one "
      "where a figure is least, also that of a cost block above",
      join(axes, ", "), first.name, rows));
  report(context, DiagnosticKind::AmbiguousMesh, *machine.mesh_span,
         fmt::format("the mesh fits on the slice {} in several ways that differ in cost",
                     slice_text(machine.slice->lengths)),
         std::move(help));
}

void report_torus(const ast::Hardware& hardware, const Chip& chip, const Slice& slice,
                  CheckContext& context) {
  const Span span = cover(hardware.slice.front().at.span, hardware.slice.back().at.span);
  const auto axes = std::count_if(slice.lengths.begin(), slice.lengths.end(),
                                  [](std::int64_t length) { return length > 1; });
  const std::string message =
      fmt::format("a slice {} has {} axes, and the torus of {} has {}", slice_text(slice.lengths),
                  axes, chip.name, chip.pod.size());
  const std::string fewer = slice_text(on_fewer_axes(slice.lengths, chip.pod.size()));
  const std::string pod = fmt::format("its pod is {}", slice_text(chip.pod));
  const Chip* other = chip_for(slice, chip, context.scope);
  if (other == nullptr)
    return report(context, DiagnosticKind::BadSlice, span, message, {pod}, {}, {{span, fewer}});
  report(context, DiagnosticKind::BadSlice, span, message,
         {fmt::format("or as many chips on {} axes: `hardware {} {}`, as {}", chip.pod.size(),
                      chip.name, fewer, pod)},
         {}, {{hardware.chip.at.span, other->name}});
}

}  // namespace shard

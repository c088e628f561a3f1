#include "interpreter/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/words.h"
#include "grammar/parse/cloud_name.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/machine/figures.h"
#include "interpreter/machine/mesh_misfit.h"
#include "runtime/machine/mesh_text.h"

namespace shard {

namespace {

// ---------------------------------------------------------------- chips

// `TPUv5` is an abbreviation of a few names, `TPU` of too many; `TPUv5x` is a slip for `TPUv5e` as much as for `TPUv5p`.
std::vector<std::string> chips_meant(const std::string& name,
                                     const std::vector<std::string>& known) {
  constexpr std::size_t kMostMeant = 3;
  const std::string written = name_key(name);
  const auto but_last = [](const std::string& key) { return key.substr(0, key.size() - 1); };
  std::vector<std::string> longer;
  std::vector<std::string> sisters;
  for (const std::string& chip : known) {
    const std::string key = name_key(chip);
    if (key.starts_with(written)) longer.push_back("`" + chip + "`");
    if (key.size() == written.size() && !is_digit(key.back()) && !is_digit(written.back()) &&
        but_last(key) == but_last(written))
      sisters.push_back("`" + chip + "`");
  }
  if (longer.empty() || longer.size() > kMostMeant) longer = std::move(sisters);
  std::sort(longer.begin(), longer.end());
  return longer;
}

const Chip* find_chip(const ast::Identifier& name, CheckContext& context) {
  const auto& chips = context.scope.names.chips;
  const auto found = chips.find(name_key(name.text));
  if (found != chips.end()) return &found->second;
  // The mistake in its declaration has been reported.
  if (context.scope.told.unknown.contains(name_key(name.text))) return nullptr;
  const auto cloud = read_cloud_name(name.text);
  if (cloud && (!cloud->chip.empty() || chips.contains(name_key(cloud->machine)))) {
    report(context, DiagnosticKind::UnknownChip, name.at.span,
           fmt::format("no chip is called `{}`", name.text),
           {cloud->chip.empty() ? fmt::format("did you mean `{}`?", cloud->machine) : cloud->chip});
    return nullptr;
  }
  std::vector<std::string> known;
  for (const auto& [key, chip] : chips) known.push_back(chip.name);
  const auto near = nearest_name(name.text, known);
  // A name with another letter or another number is another chip: `A100` is no typo of `H100`, nor `TPUv99` of `TPUv2`.
  const auto digits_of = [](std::string text) {
    std::erase_if(text, [](char c) { return !is_digit(c); });
    return text;
  };
  const bool slip =
      near && near->size() != name.text.size() && digits_of(*near) == digits_of(name.text);
  const std::vector<std::string> meant = chips_meant(name.text, known);
  report(context, DiagnosticKind::UnknownChip, name.at.span,
         fmt::format("no chip is called `{}`", name.text),
         {!meant.empty() ? fmt::format("did you mean {}?", join_words(meant, "or"))
          : slip         ? fmt::format("did you mean `{}`?", *near)
                 : fmt::format("the chips are {}; a new one is declared as chip {} {{HBM: 16 GB, "
                               "W_hbm: 8e11 B/s, C: 2e14 "
                               "FLOP/s, W1: 4.5e10 B/s, wrap: axis16}}",
                               join_words(known), name.text)});
  return nullptr;
}

// ---------------------------------------------------------------- mesh

void warn_of_pod(const Chip& chip, const Slice& slice, Span span, CheckContext& context) {
  if (!exceeds_pod(chip, slice)) return;
  report(context, DiagnosticKind::SliceLargerThanPod, span,
         fmt::format("a slice {} is larger than a pod of {}, which is {}",
                     slice_text(slice.lengths), chip.name, slice_text(chip.pod)));
}

// The slice of a `hardware` statement.
std::optional<Slice> read_slice(const ast::Hardware& hardware, const Chip& chip, Span span,
                                CheckContext& context) {
  Slice slice{.lengths = {}, .wraparound = hardware.wraparound};
  std::int64_t devices = 1;
  for (const ast::Number& number : hardware.slice) {
    const auto length = number.value.to_int64();
    if (!length || *length <= 0 || *length > kMaxDevices || (devices *= *length) > kMaxDevices) {
      report(
          context, DiagnosticKind::BadSlice, number.at.span,
          fmt::format("`{}` is no length of a slice's axis: slices are written as 4x4x4, with {} "
                      "devices at the most",
                      number.text, kMaxDevices));
      return std::nullopt;
    }
    slice.lengths.push_back(*length);
  }
  const auto longer_than_one = std::count_if(slice.lengths.begin(), slice.lengths.end(),
                                             [](std::int64_t length) { return length > 1; });
  if (!chip.pod.empty() && longer_than_one > static_cast<std::ptrdiff_t>(chip.pod.size())) {
    report_torus(hardware, chip, slice, context);
    return std::nullopt;
  }
  warn_of_pod(chip, slice, span, context);
  return slice;
}

// A mesh without a slice is its own slice.
Slice own_slice(const MachineState& machine) {
  Slice slice;
  for (const DeclaredAxis& axis : machine.declared_axes) {
    if (axis.kind == AxisKind::Ici) {
      slice.lengths.insert(slice.lengths.end(), axis.sizes.begin(), axis.sizes.end());
    }
  }
  return slice;
}

// Words for what only a torus has, which would change nothing.
void check_words_of_torus(const MachineState& machine, CheckContext& context) {
  if (!machine.chip || has_torus(machine.chip->wrap)) return;
  const std::string why =
      fmt::format("a node of {} has no torus: {}", machine.chip->name,
                  machine.chip->wrap == WrapRule::Full ? "each chip has a link to each other"
                                                       : "its chips are joined by a switch");
  const bool has_word = std::any_of(machine.declared_axes.begin(), machine.declared_axes.end(),
                                    [](const DeclaredAxis& axis) { return axis.ring.has_value(); });
  if (machine.mesh_span && has_word)
    report(context, DiagnosticKind::BadMesh, *machine.mesh_span, why,
           {"leave `ring` and `line` out"});
}

// Lays the declared axes over the slice. If they do not fit, each becomes a ring of its own, so that what follows can
// still be checked.
void fit_declared_mesh(CheckContext& context) {
  MachineState& machine = context.scope.machine;
  const Chip chip = machine.chip.value_or(unknown_chip());
  const Fit fitted = fit_mesh(chip, machine.slice, axes_to_fit(machine));
  if (const auto* mesh = std::get_if<Mesh>(&fitted)) {
    machine.machine.mesh = *mesh;
    machine.machine.chip = chip_of_device(chip, *mesh);
    check_words_of_torus(machine, context);
    return;
  }
  // After faulty hardware there is nothing that the mesh could fit.
  if (!machine.failed) {
    report_misfit(fitted, context);
  }
  const Fit alone = fit_mesh(unknown_chip(), std::nullopt, machine.declared_axes);
  if (const auto* mesh = std::get_if<Mesh>(&alone)) machine.machine.mesh = *mesh;
}

// The mesh on new hardware. A mesh that was declared for other hardware and no longer fits is forgotten, and the
// slice's own axes hold.
void refit_mesh(CheckContext& context, bool had_hardware) {
  MachineState& machine = context.scope.machine;
  machine.machine.chip = *machine.chip;
  if (machine.mesh_span) {
    if (fits_slice(machine) || !had_hardware) return fit_declared_mesh(context);
    machine.mesh_span.reset();
    machine.declared_axes.clear();
    machine.machine.mesh = {};
  }
  if (!machine.slice) return;
  machine.machine.mesh = default_mesh(*machine.chip, *machine.slice);
  machine.machine.chip = chip_of_device(*machine.chip, machine.machine.mesh);
}

// Reports the first open size of a mesh.
void check_open_sizes(const ast::MeshAxis& axis, CheckContext& context) {
  const auto open = std::find_if(axis.sizes.begin(), axis.sizes.end(),
                                 [](const ast::Number& size) { return size.text == "?"; });
  if (open == axis.sizes.end() || std::exchange(context.scope.told.open_sizes, true)) return;
  report(context, DiagnosticKind::OpenLayout, open->at.span,
         "`?` leaves the size of an axis open, and nothing looks for it here",
         {"put the mesh and what it is for into one block: best { mesh {X: ?, Y: ?}; … }"});
}

// Nullopt where its size is open, or after a report.
std::optional<DeclaredAxis> declared_axis(const ast::MeshAxis& axis, CheckContext& context) {
  DeclaredAxis result{.name = axis.name.text};
  for (const ast::Number& size : axis.sizes) {
    if (size.text == "?") return std::nullopt;
    const auto length = size.value.to_int64();
    if (!length || *length <= 0 || !size.unit.is_plain()) {
      report(
          context, DiagnosticKind::BadMesh, size.at.span,
          fmt::format("`{}` is no size of an axis: it must be a positive whole number", size.text));
      return std::nullopt;
    }
    result.sizes.push_back(*length);
  }
  if (axis.kind == ast::AxisKind::Dcn) result.kind = AxisKind::Dcn;
  if (axis.kind == ast::AxisKind::Switch) result.kind = AxisKind::Switch;
  if (axis.kind == ast::AxisKind::Core) result.kind = AxisKind::Core;
  if (axis.kind == ast::AxisKind::Ring) result.ring = true;
  if (axis.kind == ast::AxisKind::Line) result.ring = false;
  if (axis.bandwidth) {
    if (axis.bandwidth->unit != kBytesPerSecond) {
      report(context, DiagnosticKind::UnitMismatch, axis.bandwidth->at.span,
             "the bandwidth of an axis is in bytes per second", {"switch 2.5e10 B/s"});
      return std::nullopt;
    }
    result.bandwidth = axis.bandwidth->value;
  }
  return result;
}

bool check_device_count(const std::vector<DeclaredAxis>& axes, Span span, CheckContext& context) {
  std::int64_t devices = 1;
  for (const DeclaredAxis& axis : axes) {
    for (const std::int64_t size : axis.sizes) {
      if (devices <= kMaxDevices) devices *= std::min(size, kMaxDevices + 1);
    }
  }
  if (devices <= kMaxDevices) return true;
  report(context, DiagnosticKind::TooManyDevices, span,
         fmt::format("this mesh has more than {} devices", kMaxDevices));
  return false;
}

// A new machine has none of the faults of the previous one.
void forget_faults(MachineState& machine) {
  machine.machine.faults = {};
  machine.has_given_faults = false;
}

}  // namespace

std::string rate_figure(DType dtype) {
  const DType rated = rated_as(dtype);
  return rated == DType::Bf16 ? "C" : fmt::format("C_{}", name_of(rated));
}

void check_chip(const ast::Chip& chip, CheckContext& context) {
  Chip result;
  if (chip.base) {
    if (const Chip* base = find_chip(*chip.base, context)) result = *base;
  }
  result.name = chip.name.text;
  read_figures(chip.figures, result, context);
  context.scope.names.chips[name_key(chip.name.text)] = std::move(result);
}

void check_hardware(const ast::Hardware& hardware, Span span, CheckContext& context) {
  MachineState& machine = context.scope.machine;
  const Chip* known = find_chip(hardware.chip, context);
  const bool had_hardware = machine.chip.has_value() || machine.failed;
  machine.failed = known == nullptr;
  if (known == nullptr) return;
  Chip chip = *known;
  read_figures(hardware.overrides, chip, context);
  if (hardware.wraparound && !has_torus(chip.wrap))
    report(context, DiagnosticKind::BadSlice, span,
           fmt::format("a node of {} has no torus whose axes could wrap around", chip.name),
           {fmt::format("leave `{}` out", *hardware.wraparound ? "wrap" : "nowrap")});
  std::optional<Slice> slice;
  if (!hardware.slice.empty()) {
    slice = read_slice(hardware, chip, span, context);
    if (!slice) return;
  }
  const Mesh before = machine.machine.mesh;
  machine.chip = std::move(chip);
  machine.slice = std::move(slice);
  machine.wraparound = hardware.wraparound;
  machine.hardware_span = span;
  forget_faults(machine);
  refit_mesh(context, had_hardware);
  context.scope.adopt_mesh(before);
}

std::vector<ast::Mesh> placements_of(const ast::Mesh& mesh, CheckContext& context) {
  const MachineState& machine = context.scope.machine;
  DiagnosticSink unseen;
  CheckContext check{context.scope, unseen, context.scalars};
  std::vector<DeclaredAxis> axes;
  for (const ast::MeshAxis& axis : mesh.axes) {
    if (auto declared = declared_axis(axis, check)) axes.push_back(std::move(*declared));
  }
  std::vector<ast::Mesh> placements;
  if (!machine.chip || !machine.slice || axes.size() != mesh.axes.size() || axes.size() > kMaxAxes)
    return placements;
  const Fit fit = fit_mesh(*machine.chip, machine.slice, axes);
  const auto* several = std::get_if<SeveralFits>(&fit);
  if (several == nullptr) return placements;
  for (const Mesh& laid : several->laid) {
    ast::Mesh placement{.axes = mesh.axes};
    for (std::size_t i = 0; i < placement.axes.size(); ++i) {
      const auto& torus = laid.axes[AxisId{static_cast<std::int32_t>(i)}].torus;
      if (torus.empty()) continue;
      std::vector<ast::Number>& sizes = placement.axes[i].sizes;
      sizes.clear();
      for (const TorusAxis& part : torus)
        sizes.push_back({.value = Rational(part.length),
                         .unit = kPlain,
                         .text = std::to_string(part.length),
                         .at = mesh.axes[i].name.at});
    }
    placements.push_back(std::move(placement));
  }
  return placements;
}

void check_mesh(const ast::Mesh& mesh, Span span, CheckContext& context) {
  std::vector<DeclaredAxis> axes;
  std::set<std::string> names;
  context.scope.told.open_sizes = false;
  bool fine = true;
  for (const ast::MeshAxis& axis : mesh.axes) {
    fine = check_name_length(axis.name, context) && fine;
    if (!names.insert(axis.name.text).second) {
      std::string other;
      for (const char* const name : {"X", "Y", "Z", "V", "U", "T"}) {
        const bool taken =
            std::any_of(mesh.axes.begin(), mesh.axes.end(),
                        [&](const ast::MeshAxis& known) { return known.name.text == name; });
        if (!taken && other.empty()) other = name;
      }
      report(context, DiagnosticKind::BadMesh, axis.name.at.span,
             fmt::format("axis `{}` is declared twice", axis.name.text), {}, {},
             other.empty() ? std::vector<Edit>() : std::vector<Edit>{{axis.name.at.span, other}});
      fine = false;
    }
    check_open_sizes(axis, context);
    auto declared = declared_axis(axis, context);
    fine = fine && declared.has_value();
    if (declared) axes.push_back(std::move(*declared));
  }
  if (axes.size() > kMaxAxes) {
    report(context, DiagnosticKind::TooLarge, span,
           fmt::format("this mesh has {} axes; {} are the most", axes.size(), kMaxAxes));
    fine = false;
  }
  if (!fine || !check_device_count(axes, span, context)) {
    for (const ast::MeshAxis& axis : mesh.axes)
      context.scope.told.unknown_axes.insert(axis.name.text);
    return;
  }
  MachineState& machine = context.scope.machine;
  const Mesh before = machine.machine.mesh;
  machine.declared_axes = std::move(axes);
  machine.mesh_span = span;
  forget_faults(machine);
  fit_declared_mesh(context);
  if (machine.chip && !machine.slice) warn_of_pod(*machine.chip, own_slice(machine), span, context);
  context.scope.adopt_mesh(before);
}

}  // namespace shard

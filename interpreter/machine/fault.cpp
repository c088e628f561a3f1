#include "interpreter/machine/fault.h"

#include <fmt/format.h>

#include "base/format.h"
#include "grammar/print/printer.h"
#include "runtime/machine/fault.h"
#include "runtime/machine/mesh_text.h"
#include "runtime/network/axis_group.h"

namespace shard {

namespace {

void fail(CheckContext& context, Span span, std::string message,
          std::vector<std::string> help = {}) {
  report(context, DiagnosticKind::BadFault, span, std::move(message), std::move(help));
}

bool check_mesh_known(Span span, CheckContext& context) {
  if (context.scope.machine.mesh_known()) return true;
  fail(context, span, "there is no mesh with links and devices that could misbehave",
       {"declare it before: mesh {X: 4, Y: 2}"});
  return false;
}

// The mesh axis, if it has links.
std::optional<AxisId> axis_with_links(const ast::Identifier& name, CheckContext& context) {
  const auto id = check_axis(name, context);
  if (!id) return std::nullopt;
  const MeshAxis& axis = context.scope.mesh().axes[*id];
  if (axis.kind != AxisKind::Ici) {
    if (axis.kind == AxisKind::Core) {
      fail(context, name.at.span,
           fmt::format("`{}` joins the cores of a chip, and has no links of the torus", axis.name),
           {"devices fail: fault device 5"});
      return std::nullopt;
    }
    const Chip& chip = context.scope.machine.machine.chip;
    if (fabric_of(axis, chip) == Fabric::Full) {
      fail(context, name.at.span,
           fmt::format("`{}` is an axis of a node without a torus, whose links have no positions "
                       "along it",
                       axis.name),
           {"devices fail: fault device 5",
            fmt::format("links that are all slower have a lower W1: hardware {} {{W1: 1e9 B/s}}",
                        chip.name)});
      return std::nullopt;
    }
    fail(context, name.at.span,
         fmt::format("`{}` is a network, and has no links from place to place", axis.name),
         {"devices fail: fault device 5",
          fmt::format("a network that is slow is written mesh {{{}: {} {} 1e9 B/s}}", axis.name,
                      axis.size.to_string(), axis.kind == AxisKind::Dcn ? "dcn" : "switch")});
    return std::nullopt;
  }
  if (axis.torus.empty()) {
    fail(context, name.at.span, fmt::format("`{}` has one place, and no links", axis.name));
    return std::nullopt;
  }
  return id;
}

std::optional<std::size_t> torus_of(const ast::LinkName& link, const MeshAxis& axis,
                                    CheckContext& context) {
  if (!link.torus) return 0;
  const auto index = link.torus->value.to_int64();
  if (index && *index >= 0 && static_cast<std::size_t>(*index) < axis.torus.size() &&
      link.torus->unit.is_plain())
    return static_cast<std::size_t>(*index);
  fail(context, link.torus->at.span,
       axis.torus.size() == 1
           ? fmt::format("`{}` runs over one axis of the torus", axis.name)
           : fmt::format("`{}` runs over {} axes of the torus, `{}` and up to `{}.{}`", axis.name,
                         axis.torus.size(), axis.name, axis.name, axis.torus.size() - 1));
  return std::nullopt;
}

std::optional<LinkPlace> check_link(const ast::LinkName& link, CheckContext& context) {
  const auto id = axis_with_links(link.axis, context);
  if (!id) return std::nullopt;
  const MeshAxis& axis = context.scope.mesh().axes[*id];
  const auto torus = torus_of(link, axis, context);
  if (!torus) return std::nullopt;
  const TorusAxis& part = axis.torus[*torus];
  const auto position = link.position.value.to_int64();
  const bool is_place = position && link.position.unit.is_plain() && *position >= 0;
  if (is_place && *position < part.links()) return LinkPlace{*id, *torus, *position};
  const LinkPlace last{*id, *torus, part.links() - 1};
  const std::string name = link_text(last, context.scope.mesh());
  if (is_place && *position < part.length) {
    fail(context, link.position.at.span,
         fmt::format("`{}` is a line of {} places: nothing joins the last one to the first",
                     axis.name, part.length),
         {fmt::format("its last link is {}", name)});
  } else {
    fail(context, link.position.at.span,
         fmt::format("`{}` is no link of `{}`, which has {} places along one axis of the torus",
                     link.position.text, axis.name, part.length),
         {fmt::format("its last link is {}", name)});
  }
  return std::nullopt;
}

std::optional<Rational> check_time(const std::optional<ast::Number>& at, CheckContext& context) {
  if (!at) return Rational(0);
  if (at->unit == kSeconds) return at->value;
  report(context, DiagnosticKind::UnitMismatch, at->at.span,
         fmt::format("`{}` is no time", at->text), {"at 2 us"});
  return std::nullopt;
}

// A valid form of the statement, for a link with a bandwidth or without.
std::string slower_by(ast::Slow slow) {
  slow.to = false;
  slow.amount.text = "10";
  return print(ast::Statement{std::move(slow)}, Spelling::Unicode);
}
std::string slower_to(ast::Slow slow) {
  slow.to = true;
  slow.amount.text = "1e9 B/s";
  return print(ast::Statement{std::move(slow)}, Spelling::Unicode);
}

// How many times slower `slow … by` makes it.
std::optional<Rational> factor_of(const ast::Slow& slow, CheckContext& context) {
  const ast::Number& amount = slow.amount;
  if (!amount.unit.is_plain()) {
    report(context, DiagnosticKind::UnitMismatch, amount.at.span,
           fmt::format("`{}` does not say how many times slower", amount.text),
           std::holds_alternative<ast::LinkName>(slow.part.name)
               ? std::vector<std::string>{slower_by(slow), slower_to(slow)}
               : std::vector<std::string>{slower_by(slow)});
    return std::nullopt;
  }
  if (!(amount.value < Rational(1)) && !amount.value.is_overflow()) return amount.value;
  fail(context, amount.at.span, "nothing gets faster here: the number is at least 1");
  return std::nullopt;
}

// By what factor the bandwidth of `slow … to` is below W1.
std::optional<Rational> factor_to(const ast::Slow& slow, CheckContext& context) {
  const ast::Number& amount = slow.amount;
  const auto& bandwidth = context.scope.machine.machine.chip.ici_one_way;
  if (amount.unit != kBytesPerSecond) {
    report(context, DiagnosticKind::UnitMismatch, amount.at.span,
           fmt::format("`{}` is no bandwidth", amount.text), {slower_to(slow)});
    return std::nullopt;
  }
  if (!bandwidth) {
    fail(context, amount.at.span, "what a link carries is not known: no hardware is declared",
         {"say how many times slower it is: " + slower_by(slow)});
    return std::nullopt;
  }
  if (amount.value > Rational(0) && !(*bandwidth < amount.value)) return *bandwidth / amount.value;
  fail(context, amount.at.span,
       fmt::format("a link of a {} carries {} in each direction; a slow one carries less, and more "
                   "than nothing",
                   context.scope.machine.machine.chip.name,
                   format_bytes(bandwidth->to_double()) + "/s"));
  return std::nullopt;
}

// Each coordinate that is too large becomes the last one of its axis.
std::vector<Edit> last_places(const std::vector<std::int64_t>& numbers,
                              const ast::DeviceName& device, const Mesh& mesh) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t last = *mesh.axes[AxisId{static_cast<std::int32_t>(i)}].length() - 1;
    if (numbers[i] > last)
      edits.push_back({device.coordinates[i].at.span, fmt::format("{}", last)});
  }
  return edits;
}

std::optional<std::int64_t> device_at(const std::vector<std::int64_t>& numbers,
                                      const ast::DeviceName& device, DiagnosticKind kind,
                                      CheckContext& context) {
  const Mesh& mesh = context.scope.mesh();
  const std::string there = "the mesh is " + mesh_text(mesh);
  if (numbers.size() != mesh.axes.size()) {
    const Span all = cover(device.coordinates.front().at.span, device.coordinates.back().at.span);
    report(context, kind, all,
           fmt::format("a device of this mesh has {} coordinate{}, and {} {} written here",
                       mesh.axes.size(), mesh.axes.size() == 1 ? "" : "s", numbers.size(),
                       numbers.size() == 1 ? "is" : "are"),
           {there + "; a device has a coordinate on each of its axes"});
    return std::nullopt;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const MeshAxis& axis = mesh.axes[AxisId{static_cast<std::int32_t>(i)}];
    if (numbers[i] < *axis.length()) continue;
    report(context, kind, device.coordinates[i].at.span,
           fmt::format("`{}` is no place on axis `{}`, which has the places 0 to {}", numbers[i],
                       axis.name, *axis.length() - 1),
           {there + "; its devices are counted from 0 on along each axis"}, {},
           last_places(numbers, device, mesh));
    return std::nullopt;
  }
  return shard::device_at(mesh, numbers);
}

template <class LinkAction, class DeviceAction>
void for_part(const ast::MachinePart& part, CheckContext& context, const LinkAction& link_action,
              const DeviceAction& device_action) {
  if (!check_mesh_known(part.at.span, context)) return;
  match(
      part.name,
      [&](const ast::LinkName& name) {
        if (const auto link = check_link(name, context)) link_action(*link);
      },
      [&](const ast::DeviceName& name) {
        const auto device = check_device(name, DiagnosticKind::BadFault, context);
        if (device) device_action(*device);
      });
}

}  // namespace

std::optional<std::int64_t> check_device(const ast::DeviceName& device, DiagnosticKind kind,
                                         CheckContext& context) {
  std::vector<std::int64_t> numbers;
  for (const ast::Number& number : device.coordinates) {
    const auto whole = number.value.to_int64();
    if (whole && *whole >= 0 && number.unit.is_plain()) {
      numbers.push_back(*whole);
      continue;
    }
    report(context, kind, number.at.span,
           fmt::format("`{}` is no {}: it must be a whole number", number.text,
                       device.listed ? "coordinate" : "device"));
    return std::nullopt;
  }
  if (device.listed) return device_at(numbers, device, kind, context);
  const std::int64_t count = context.scope.mesh().device_count().value_or(1);
  if (numbers.front() < count) return numbers.front();
  report(context, kind, device.coordinates.front().at.span,
         fmt::format("there is no device {}: the mesh has {}, and the last one is {}",
                     numbers.front(), format_integer(count), format_integer(count - 1)),
         {}, {}, {{device.coordinates.front().at.span, fmt::format("{}", count - 1)}});
  return std::nullopt;
}

void check_fault(const ast::Fault& fault, CheckContext& context) {
  const auto at = check_time(fault.at, context);
  if (!at) return;
  Machine& machine = context.scope.machine.machine;
  for_part(
      fault.part, context,
      [&](const LinkPlace& link) {
        if (at->is_zero())
          cut_link(machine.mesh, link);
        else
          machine.faults.links.push_back({link, *at});
      },
      [&](std::int64_t device) {
        machine.faults.devices.push_back({device, *at});
      });
}

void add_given_faults(const std::vector<ast::Statement>* faults, CheckContext& context) {
  if (faults == nullptr || context.scope.machine.has_given_faults) return;
  context.scope.machine.has_given_faults = true;
  for (const ast::Statement& statement : *faults) {
    if (const auto* fault = std::get_if<ast::Fault>(&statement.node)) check_fault(*fault, context);
    if (const auto* slow = std::get_if<ast::Slow>(&statement.node)) check_slow(*slow, context);
  }
}

void check_slow(const ast::Slow& slow, CheckContext& context) {
  Machine& machine = context.scope.machine.machine;
  for_part(
      slow.part, context,
      [&](const LinkPlace& link) {
        const auto by = slow.to ? factor_to(slow, context) : factor_of(slow, context);
        if (by) slow_link(machine.mesh, link, *by);
      },
      [&](std::int64_t device) {
        if (slow.to) {
          return fail(context, slow.amount.at.span, "a device has no bandwidth",
                      {fmt::format("slow device {} by 2", device)});
        }
        const auto by = factor_of(slow, context);
        if (!by) return;
        auto& slow_devices = machine.faults.slow_devices;
        std::erase_if(slow_devices, [&](const SlowDevice& one) { return one.device == device; });
        slow_devices.push_back({device, *by});
      });
}

}  // namespace shard

#include "runtime/machine/fault.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/words.h"
#include "runtime/machine/machine.h"

namespace shard {
namespace {

TorusAxis& torus_axis(Mesh& mesh, const LinkPlace& link) {
  return mesh.axes[link.axis].torus.at(link.torus);
}

// Calls `visit(link, axis)` for every torus axis; the caller sets the link's position.
template <class AnyMesh, class Visit>
void for_each_torus_axis(AnyMesh& mesh, const Visit& visit) {
  for (std::size_t i = 0; i < mesh.axes.size(); ++i) {
    const AxisId id{static_cast<std::int32_t>(i)};
    auto& torus = mesh.axes[id].torus;
    for (std::size_t t = 0; t < torus.size(); ++t) visit(LinkPlace{id, t, 0}, torus[t]);
  }
}

std::string factor_text(const Rational& by) {
  return by.is_integer() ? by.to_string() : format_significant(by.to_double());
}

FaultMark link_mark(const LinkPlace& link, const Mesh& mesh, double at) {
  return {fmt::format("link {} fails", link_text(link, mesh)), at};
}

}  // namespace

void cut_link(Mesh& mesh, const LinkPlace& link) {
  auto& cuts = torus_axis(mesh, link).cuts;
  const auto place = std::lower_bound(cuts.begin(), cuts.end(), link.position);
  if (place == cuts.end() || *place != link.position) cuts.insert(place, link.position);
}

void slow_link(Mesh& mesh, const LinkPlace& link, const Rational& by) {
  auto& slow = torus_axis(mesh, link).slow;
  std::erase_if(slow, [&](const SlowLink& one) { return one.position == link.position; });
  slow.push_back({link.position, by});
  std::sort(slow.begin(), slow.end());
}

std::string link_text(const LinkPlace& link, const Mesh& mesh) {
  return fmt::format("{}[{}]", mesh.axes[link.axis].torus_name(link.torus), link.position);
}

std::vector<FaultMark> fault_marks(const Machine& machine) {
  std::vector<FaultMark> marks;
  for_each_torus_axis(machine.mesh, [&](LinkPlace link, const TorusAxis& axis) {
    for (const std::int64_t cut : axis.cuts) {
      link.position = cut;
      marks.push_back(link_mark(link, machine.mesh, 0));
    }
    for (const SlowLink& slow : axis.slow) {
      link.position = slow.position;
      marks.push_back({fmt::format("link {} is slow by {}", link_text(link, machine.mesh),
                                   factor_text(slow.by)),
                       0});
    }
  });
  for (const SlowDevice& slow : machine.faults.slow_devices)
    marks.push_back({fmt::format("device {} is slow by {}", slow.device, factor_text(slow.by)), 0});
  for (const LinkFault& fault : machine.faults.links)
    marks.push_back(link_mark(fault.link, machine.mesh, fault.at.to_double()));
  for (const DeviceFault& fault : machine.faults.devices)
    marks.push_back({fmt::format("device {} fails", fault.device), fault.at.to_double()});
  std::stable_sort(marks.begin(), marks.end(),
                   [](const FaultMark& a, const FaultMark& b) { return a.at < b.at; });
  return marks;
}

bool has_faults(const Machine& machine) { return !fault_marks(machine).empty(); }

Machine without_faults(Machine machine) {
  machine.faults = {};
  for_each_torus_axis(machine.mesh, [](const LinkPlace&, TorusAxis& axis) {
    axis.cuts.clear();
    axis.slow.clear();
  });
  return machine;
}

std::vector<Rational> link_fault_times(const Machine& machine) {
  std::vector<Rational> times;
  for (const LinkFault& fault : machine.faults.links) times.push_back(fault.at);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

Machine machine_at(Machine machine, const Rational& seconds) {
  for (const LinkFault& fault : machine.faults.links) {
    if (fault.at <= seconds) cut_link(machine.mesh, fault.link);
  }
  return machine;
}

std::string severed_text(const std::vector<AxisId>& axes, const Mesh& mesh,
                         std::optional<double> at) {
  const std::string when = at ? " at " + format_seconds(*at) : "";
  for (const AxisId id : axes) {
    for (std::size_t t = 0; t < mesh.axes[id].torus.size(); ++t) {
      const TorusAxis& axis = mesh.axes[id].torus[t];
      if (axis.is_connected()) continue;
      std::vector<std::string> links;
      for (const std::int64_t cut : axis.cuts) links.push_back(link_text({id, t, cut}, mesh));
      return links.size() == 1
                 ? fmt::format("link {} has failed{}, and the line along {} has no other way",
                               links.front(), when, mesh.axes[id].name)
                 : fmt::format("links {} have failed{}", join_words(links),
                               at ? ", the last one" + when : "");
    }
  }
  return "";
}

}  // namespace shard

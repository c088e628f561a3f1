#include "interpreter/report/json/machine.h"

#include <utility>

#include "interpreter/report/json/statement.h"

namespace shard {

namespace {

using Json = nlohmann::ordered_json;

Json torus_axis(const TorusAxis& axis) {
  Json json{{"length", axis.length}, {"wraps", axis.wraps}};
  if (!axis.cuts.empty()) json["failed_links"] = axis.cuts;
  for (const SlowLink& slow : axis.slow)
    json["slow_links"].push_back({{"link", slow.position}, {"by", slow.by.to_double()}});
  return json;
}

Json faults(const Machine& machine) {
  Json list = Json::array();
  for (const FaultMark& mark : fault_marks(machine))
    list.push_back({{"text", mark.text}, {"at", mark.at}});
  return list;
}

}  // namespace

Json json_of(const Machine& machine) {
  Json axes = Json::array();
  for (const MeshAxis& axis : machine.mesh.axes) {
    Json one{{"name", axis.name}};
    if (const auto length = axis.length()) one["size"] = *length;
    one["kind"] = axis.kind == AxisKind::Ici    ? "ici"
                  : axis.kind == AxisKind::Dcn  ? "dcn"
                  : axis.kind == AxisKind::Core ? "core"
                                                : "switch";
    Json torus = Json::array();
    for (const TorusAxis& part : axis.torus) torus.push_back(torus_axis(part));
    one["torus"] = std::move(torus);
    axes.push_back(std::move(one));
  }
  Json json{{"chip", machine.chip.name.empty() ? Json() : Json(machine.chip.name)},
            {"axes", std::move(axes)},
            {"model", machine.model == CostModel::Links ? "links" : "book"}};
  if (const auto count = machine.mesh.device_count()) json["devices"] = *count;
  if (machine.chip.launch) json["launch"] = json_of(Quantity{launch_time(machine.chip), kSeconds});
  if (machine.chip.efficiency) json["efficiency"] = machine.chip.efficiency->to_double();
  if (has_faults(machine)) json["faults"] = faults(machine);
  return json;
}

}  // namespace shard

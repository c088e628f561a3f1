#include "interpreter/report/json/plot.h"

namespace shard {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json json_of(const PlotEntry& plot, std::size_t index) {
  const Curves& curves = plot.curves;
  Json rows = Json::array();
  for (std::size_t i = 0; i < curves.sizes.size(); ++i) {
    Json row = Json::array({curves.sizes[i]});
    for (const Curve& curve : curves.curves)
      row.push_back(curve.values[i] ? Json(*curve.values[i]) : Json());
    rows.push_back(std::move(row));
  }
  Json names = Json::array();
  for (const Curve& curve : curves.curves) names.push_back(curve.name);
  Json crossings = Json::array();
  for (const CurveCrossing& crossing : curves.crossings) {
    crossings.push_back({{"curves", {crossing.one, crossing.other}},
                         {"size", crossing.size},
                         {"value", crossing.value}});
  }
  Json json{{"entry", index},
            {"kind", "plot"},
            {"size", curves.size},
            {"unit", to_string(curves.unit)},
            {"curves", std::move(names)},
            {"rows", std::move(rows)},
            {"crossings", std::move(crossings)},
            {"remarks", curves.remarks}};
  if (!plot.path.empty()) {
    json["path"] = plot.path;
    json["written"] = plot.written;
  }
  return json;
}

Json flips(const std::vector<WayFlip>& flips) {
  Json list = Json::array();
  for (const WayFlip& flip : flips) {
    list.push_back(
        {{"size", flip.size}, {"at", flip.at}, {"larger", flip.larger}, {"steps", flip.steps}});
  }
  return list;
}

}  // namespace shard

#include "interpreter/report/json/printed.h"

#include <cmath>
#include <utility>

#include "base/format.h"

namespace shard {

namespace {

using Json = JsonText::Json;

Json json_of_range(const SizeRange& range) {
  Json json = Json::object();
  if (range.from) {
    json["from"] = range.from->to_double();
    json["from_included"] = range.has_from;
  }
  if (range.to) {
    json["to"] = range.to->to_double();
    json["to_included"] = range.has_to;
  }
  return json;
}

void add_found(const Value& found, Json& json) {
  if (const auto* list = std::get_if<List>(&found)) {
    json["crossings"] = Json::array();
    for (const Quantity& each : list->values) {
      if (const auto number = each.value.constant())
        json["crossings"].push_back(number->to_double());
    }
  }
  if (const auto* word = std::get_if<Word>(&found)) {
    json["value"] = nullptr;
    json["word"] = word->text;
    json["crossings"] = Json::array();
  }
  const auto* condition = std::get_if<Condition>(&found);
  if (condition == nullptr) return;
  if (condition->text == kHoldsNever || condition->text == kHoldsAlways)
    json["word"] = condition->text;
  if (condition->size.empty()) return;
  json["size"] = condition->size;
  json["ranges"] = Json::array();
  for (const SizeRange& range : condition->ranges) json["ranges"].push_back(json_of_range(range));
}

}  // namespace

Json json_of(const PrintedCell& cell) {
  Json json;
  if (cell.number) {
    json["value"] = *cell.number;
    json["unit"] = to_string(cell.unit);
  }
  for (const double value : cell.elements)
    json["values"].push_back(std::isfinite(value) ? Json(value) : Json(format_number(value)));
  if (cell.found != nullptr) add_found(*cell.found, json);
  json["text"] = cell.text;
  return json;
}

Json json_of(const PrintedEntry& printed, std::size_t index) {
  Json json{
      {"entry", index}, {"kind", "print"}, {"names", printed.names}, {"values", printed.values}};
  if (printed.cells.empty()) return json;
  json["cells"] = Json::array();
  for (const PrintedCell& cell : printed.cells) json["cells"].push_back(json_of(cell));
  return json;
}

Json json_of(const PrintedTable& table, std::size_t index) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const PrintedCell& one : row) cells.push_back(json_of(one));
    rows.push_back(std::move(cells));
  }
  return {{"entry", index}, {"kind", "table"}, {"columns", table.columns}, {"rows", rows}};
}

}  // namespace shard

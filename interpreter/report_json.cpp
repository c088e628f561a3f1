#include <nlohmann/json.hpp>

#include "interpreter/report.h"

namespace shard {

namespace {

using Json = nlohmann::ordered_json;

// {"value": 23.3e-6, "text": "23.30 us"}; without a value while sizes are missing.
Json quantity(const Formula& formula, const Unit& unit) {
  Json json;
  if (const auto number = formula.constant()) json["value"] = number->to_double();
  json["unit"] = to_string(unit);
  json["text"] = to_text(Quantity{formula, unit});
  return json;
}

Json cost(const Cost& cost) {
  return {{"flops", quantity(Formula(cost.flops), kFlops)},
          {"comm_bytes", quantity(Formula(cost.comm_bytes), kBytes)},
          {"hbm_bytes", quantity(Formula(cost.hbm_bytes), kBytes)},
          {"math", quantity(cost.math, kSeconds)},
          {"hbm", quantity(cost.hbm, kSeconds)},
          {"comms", quantity(cost.comms, kSeconds)},
          {"bound", std::string(name_of(bound_of(cost)))}};
}

Json machine(const Machine& machine) {
  Json axes = Json::array();
  for (const MeshAxis& axis : machine.mesh.axes) {
    Json one{{"name", axis.name}};
    if (const auto length = axis.length()) one["size"] = *length;
    one["kind"] = axis.kind == AxisKind::Ici   ? "ici"
                  : axis.kind == AxisKind::Dcn ? "dcn"
                                               : "switch";
    Json torus = Json::array();
    for (const TorusAxis& part : axis.torus)
      torus.push_back({{"length", part.length}, {"wraps", part.wraps}});
    one["torus"] = std::move(torus);
    axes.push_back(std::move(one));
  }
  Json json{{"chip", machine.chip.name.empty() ? Json() : Json(machine.chip.name)},
            {"axes", std::move(axes)}};
  if (const auto count = machine.mesh.device_count()) json["devices"] = *count;
  return json;
}

Json ways(const std::vector<WeighedWay>& weighed) {
  Json list = Json::array();
  for (const WeighedWay& way : weighed)
    list.push_back(
        {{"steps", way.steps}, {"time", quantity(way.time, kSeconds)}, {"cost", cost(way.cost)}});
  return list;
}

Json statement(const Program& program, const StatementRecord& record, const SourceMap& sources) {
  Json steps = Json::array();
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    const StepRecord& step = program.steps[i];
    if (!step.text.empty())
      steps.push_back(
          {{"text", step.text}, {"inferred", step.inferred}, {"cost", cost(step.cost)}});
  }
  Json json{{"text", record.text}};
  if (record.span.valid()) {
    json["file"] = sources.name(record.span.file);
    json["line"] = sources.position(record.span.file, record.span.begin).line;
  }
  json["steps"] = std::move(steps);
  json["cost"] = cost(total_cost(program, record.first_step, record.end_step));
  json["ways"] = ways(record.ways);
  return json;
}

Json totals(const Figures& figures) {
  Json json = cost(figures.total);
  json["time"] = quantity(figures.time, kSeconds);
  json["lower"] = quantity(figures.lower, kSeconds);
  json["upper"] = quantity(figures.upper, kSeconds);
  json["peak_memory"] = quantity(figures.peak.bytes, kBytes);
  Json by_axis = Json::object();
  for (const AxisComms& comms : figures.comms_by_axis)
    by_axis[comms.axis] = quantity(comms.seconds, kSeconds);
  json["comms_by_axis"] = std::move(by_axis);
  return json;
}

Json execution(const Execution& execution, const Scope& scope) {
  Json json{{"executed", execution.executed}};
  if (!execution.executed) json["reason"] = execution.cancelled ? "stopped" : execution.reason;
  json["saturated"] = execution.saturated;
  Json compared = Json::array();
  for (const Comparison& comparison : execution.comparisons) {
    const ArrayInfo& array = scope.arrays[comparison.array];
    compared.push_back({{"array", array.name},
                        {"dtype", std::string(name_of(array.dtype))},
                        {"within_rounding", comparison.within},
                        {"undecided", comparison.undecided},
                        {"largest_error", comparison.largest_error}});
  }
  json["compared"] = std::move(compared);
  return json;
}

Json inputs(const Program& program) {
  Json list = Json::array();
  for (const Step& step : program.plan.steps) {
    const auto* input = std::get_if<InputStep>(&step.action);
    if (input == nullptr || input->kind == InputKind::Coordinate) continue;
    const Copy& copy = program.plan.copies[input->result];
    list.push_back(
        {{"array", copy.name + to_string(copy.layout, copy.dimensions, program.machine.mesh)},
         {"dtype", std::string(name_of(copy.dtype))},
         {"bytes",
          quantity(Formula(local_bytes(copy.shape, copy.dtype, copy.layout, program.machine.mesh)),
                   kBytes)}});
  }
  return list;
}

std::string_view name_of_severity(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

Json diagnostic(const Diagnostic& diagnostic, const SourceMap& sources) {
  const DiagnosticInfo& kind = info(diagnostic.kind);
  Json json{{"kind", std::string(kind.name)},
            {"severity", std::string(name_of_severity(kind.severity))},
            {"message", diagnostic.message}};
  if (diagnostic.span.valid()) {
    const LineColumn place = sources.position(diagnostic.span.file, diagnostic.span.begin);
    json["file"] = sources.name(diagnostic.span.file);
    json["line"] = place.line;
    json["column"] = place.column;
  }
  json["help"] = diagnostic.help;
  return json;
}

// Words and formulas have a text only.
Json table(const PrintedTable& printed, std::size_t index) {
  Json rows = Json::array();
  for (const auto& row : printed.rows) {
    Json cells = Json::array();
    for (const PrintedCell& cell : row) {
      Json one;
      if (cell.number) {
        one["value"] = *cell.number;
        one["unit"] = to_string(cell.unit);
      }
      one["text"] = cell.text;
      cells.push_back(std::move(one));
    }
    rows.push_back(std::move(cells));
  }
  return {{"entry", index}, {"kind", "table"}, {"columns", printed.columns}, {"rows", rows}};
}

Json picture_side(const std::optional<PictureSide>& side) {
  if (!side) return nullptr;
  return {{"dimension", side->name}, {"blocks", side->blocks}, {"count", side->count}};
}

Json picture(const Picture& shown, std::size_t index) {
  Json cells = Json::array();
  for (const auto& row : shown.cells) {
    Json line = Json::array();
    for (const PictureCell& cell : row)
      line.push_back({{"devices", cell.devices}, {"count", cell.count}});
    cells.push_back(std::move(line));
  }
  return {{"entry", index},
          {"kind", "show"},
          {"array", shown.array},
          {"dtype", shown.dtype},
          {"mesh", shown.mesh},
          {"shape", shown.shape},
          {"local_shape", shown.local_shape},
          {"bytes", quantity(Formula(shown.bytes), kBytes)},
          {"devices", shown.devices},
          {"copies", shown.copies},
          {"rows", picture_side(shown.rows)},
          {"columns", picture_side(shown.columns)},
          {"cells", std::move(cells)},
          {"remarks", shown.remarks}};
}

Json entry(const Entry& said, std::size_t index) {
  return match(
      said,
      [&](const PlannedEntry& planned) {
        return Json{{"entry", index},
                    {"kind", "statement"},
                    {"program", planned.program},
                    {"statement", planned.statement}};
      },
      [&](const PrintedEntry& printed) {
        return Json{{"entry", index},
                    {"kind", "print"},
                    {"names", printed.names},
                    {"values", printed.values}};
      },
      [&](const ExpectedEntry& expected) {
        Json json{{"entry", index}, {"kind", "expect"}, {"text", expected.text}};
        json["holds"] = expected.holds ? Json(*expected.holds) : Json();
        if (!expected.left.empty()) json["left"] = expected.left;
        if (!expected.right.empty()) json["right"] = expected.right;
        return json;
      },
      [&](const SavedEntry& saved) {
        return Json{{"entry", index},
                    {"kind", "save"},
                    {"array", saved.array},
                    {"path", saved.path},
                    {"written", saved.written}};
      },
      [&](const WhyEntry& why) {
        return Json{{"entry", index},
                    {"kind", "why"},
                    {"statement", why.statement},
                    {"reference_sizes", why.reference_sizes},
                    {"ways", ways(why.ways)}};
      },
      [&](const PrintedTable& printed) { return table(printed, index); },
      [&](const Picture& shown) { return picture(shown, index); });
}

}  // namespace

std::string json_report(const Outcome& outcome, const RunnerState& state,
                        const SourceMap& sources) {
  Json json{{"schema", 1}, {"status", static_cast<int>(outcome.status)}};
  Json programs = Json::array();
  for (std::size_t i = 0; i < outcome.programs.size(); ++i) {
    const Program& program = state.programs[i];
    Json statements = Json::array();
    for (const StatementRecord& record : program.statements)
      statements.push_back(statement(program, record, sources));
    programs.push_back({{"machine", machine(program.machine)},
                        {"inputs", inputs(program)},
                        {"statements", std::move(statements)},
                        {"totals", totals(outcome.programs[i].figures)},
                        {"execution", execution(outcome.programs[i].execution, state.scope)}});
  }
  json["programs"] = std::move(programs);
  Json entries = Json::array();
  for (std::size_t i = 0; i < outcome.entries.size(); ++i)
    entries.push_back(entry(outcome.entries[i], i));
  json["entries"] = std::move(entries);
  Json diagnostics = Json::array();
  for (const Diagnostic& one : outcome.diagnostics) diagnostics.push_back(diagnostic(one, sources));
  json["diagnostics"] = std::move(diagnostics);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shard

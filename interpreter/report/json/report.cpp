#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "grammar/diagnostics/render.h"
#include "interpreter/estimate/memory_breakdown.h"
#include "interpreter/report/json/machine.h"
#include "interpreter/report/json/plot.h"
#include "interpreter/report/json/printed.h"
#include "interpreter/report/json/statement.h"
#include "interpreter/report/shown_statements.h"
#include "interpreter/report/text_report.h"
#include "runtime/cost/exposed_time.h"

namespace shard {

namespace {

using Json = nlohmann::ordered_json;

Json quantity(const Formula& formula, const Unit& unit) { return json_of(Quantity{formula, unit}); }

Json ways(const std::vector<WeighedWay>& weighed) {
  Json list = Json::array();
  for (const WeighedWay& way : weighed) {
    list.push_back({{"steps", way.steps},
                    {"time", quantity(way.time, kSeconds)},
                    {"cost", json_of(*way.cost)}});
    if (way.by_cheapest) list.back()["plan"] = "cheapest";
  }
  return list;
}

// By figure; empty if nothing is placed.
Json places(const Figures& figures) {
  Json json = Json::object();
  if (figures.totals.comms_by_axis.size() == 1) return json;
  const auto name = [](const std::string& place) { return place.empty() ? Json() : Json(place); };
  const auto all = total_figures();
  for (std::size_t i = 0; i < all.size(); ++i) json[all[i].name] = name(figures.totals.at[i]);
  json["peak_memory"] = name(figures.memory.peak.place);
  return json;
}

Json totals(const Figures& figures) {
  const Totals& most = figures.totals.most;
  Json json = json_of(most);
  json["time"] = quantity(most.time, kSeconds);
  json["lower"] = quantity(most.lower, kSeconds);
  json["upper"] = quantity(most.upper, kSeconds);
  if (!most.math_at_peak.is_zero()) {
    json["math_at_peak"] = quantity(most.math_at_peak, kSeconds);
    json["upper_at_peak"] = quantity(most.math_at_peak + most.comms, kSeconds);
  }
  for (const char* field : {"timeline", "exposed", "critical"}) {
    const auto seconds = figure(figures, field);
    json[field] = seconds ? quantity(seconds->value, kSeconds) : Json();
  }
  if (const auto& failure = figures.faults.failure)
    json["ends"] = {{"at", failure->at}, {"message", failure->message}};
  json["peak_memory"] = quantity(figures.memory.peak.bytes, kBytes);
  json["peak_memory_in_order"] = quantity(figures.memory.in_order, kBytes);
  Json by_axis = Json::object();
  const auto& axes = figures.totals.comms_by_axis.front();
  for (std::size_t i = 0; i < axes.size(); ++i)
    by_axis[axes[i].axis] = quantity(comms_over(figures.totals, {&i, 1}), kSeconds);
  json["comms_by_axis"] = std::move(by_axis);
  if (Json at = places(figures); !at.empty()) json["places"] = std::move(at);
  return json;
}

// Null while sizes are missing.
Json memory(const Program& program, const Figures& figures) {
  const PeakMemory& peak = figures.memory.peak;
  if (peak.event < 0) return {};
  Json held = Json::array();
  for (const HeldCopy& copy : held_at_peak(program, peak))
    held.push_back({{"array", copy.array}, {"bytes", copy.bytes}, {"made_by", copy.maker}});
  Json steps = Json::array();
  for (const StepMemory& step : memory_by_step(program, figures))
    steps.push_back({{"statement", step.statement},
                     {"text", step.step},
                     {"bytes", step.bytes.constant()->to_double()}});
  return {{"peak", std::move(held)}, {"steps", std::move(steps)}};
}

// Null while times are not numbers.
Json streams(const Figures& figures) {
  if (!figures.timeline) return {};
  Json list = Json::array();
  const std::vector<double> busy = busy_seconds(*figures.timeline);
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const Stream& stream = figures.timeline->streams[i];
    Json one{{"name", stream.name}, {"busy", busy[i]}};
    const std::string& place = figures.timeline->places[stream.place];
    if (!place.empty()) one["place"] = place;
    list.push_back(std::move(one));
  }
  return list;
}

Json cut_lengths(const std::vector<CutDimension>& dimensions) {
  Json list = Json::array();
  for (const CutDimension& dimension : dimensions) {
    list.push_back({{"dimension", dimension.name},
                    {"planned", dimension.full ? Json(*dimension.full) : Json()},
                    {"executed", dimension.cut}});
  }
  return list;
}

Json execution(const Execution& execution, const Scope& scope) {
  Json json{{"executed", execution.executed}};
  if (!execution.executed)
    json["reason"] = execution.cancelled          ? "stopped"
                     : execution.is_planned_fault ? execution.fault->message
                                                  : execution.reason;
  if (execution.scale_with_room > 0)
    json["scale_with_room"] = fmt::format("1/{}", execution.scale_with_room);
  if (!execution.kept_lengths.empty()) json["kept_lengths"] = cut_lengths(execution.kept_lengths);
  if (!execution.cut.empty()) json["lengths"] = cut_lengths(execution.cut);
  json["saturated"] = execution.saturated;
  Json compared = Json::array();
  for (const Comparison& comparison : execution.comparisons) {
    const ArrayInfo& array = scope.store.arrays[comparison.array];
    compared.push_back({{"array", array.name},
                        {"dtype", std::string(name_of(array.dtype))},
                        {"within_rounding", comparison.within},
                        {"elements", comparison.elements},
                        {"not_judged", comparison.not_judged},
                        {"not_finite", comparison.not_finite},
                        {"largest_error", comparison.largest_error},
                        {"drift", comparison.drift}});
  }
  json["compared"] = std::move(compared);
  return json;
}

Json inputs(const Program& program, const Arrays& store) {
  Json list = Json::array();
  for (const CopyId input : shown_inputs(program, store)) {
    const Copy& copy = program.plan.copies[input];
    list.push_back(
        {{"array", copy.name + to_string(copy.layout, copy.dimensions, program.machine.mesh)},
         {"dtype", std::string(name_of(copy.dtype))},
         {"bytes",
          quantity(Formula(local_bytes(copy.shape, copy.dtype, copy.layout, program.machine.mesh)),
                   kBytes)}});
  }
  return list;
}

Json diagnostic(const Diagnostic& diagnostic, const SourceMap& sources) {
  const DiagnosticInfo& kind = info(diagnostic.kind);
  Json json{{"kind", std::string(kind.name)},
            {"severity", std::string(name_of(kind.severity))},
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

Json figures_of_block(const FiguresEntry& said, std::size_t index) {
  Json rows = Json::object();
  for (const FiguresEntry::Row& row : said.rows)
    rows[row.name.substr(said.block.size() + 1)] = json_of(row.value);
  return {
      {"entry", index}, {"kind", "figures"}, {"block", said.block}, {"figures", std::move(rows)}};
}

Json steps_of_block(const StepsEntry& said, std::size_t index) {
  Json steps = Json::array();
  for (const StepsEntry::Row& row : said.rows) {
    steps.push_back({{"text", row.text},
                     {"inferred", row.inferred},
                     {"times", row.times},
                     {"time", quantity(row.time, kSeconds)},
                     {"cost", json_of(*row.cost)}});
  }
  return {{"entry", index},
          {"kind", "steps"},
          {"block", said.block},
          {"time", quantity(said.time, kSeconds)},
          {"steps", std::move(steps)}};
}

Json best_row(const BestEntry::Row& row) {
  Json json{{row.is_list ? "arrays" : "lines", row.lines},
            {"time", row.time},
            {"bound", row.bound},
            {"memory", row.memory},
            {"alike", row.alike}};
  if (!row.dearest.empty()) json["dearest"] = {{"text", row.dearest}, {"time", row.dearest_time}};
  return json;
}

Json best_layouts(const BestEntry& said, std::size_t index) {
  Json rows = Json::array();
  for (const BestEntry::Row& row : said.rows) rows.push_back(best_row(row));
  Json strategies = Json::array();
  for (const BestEntry::Strategy& strategy : said.strategies) {
    Json json = best_row(strategy.row);
    json["name"] = strategy.name;
    json["fits"] = strategy.fits;
    strategies.push_back(std::move(json));
  }
  Json json{{"entry", index},
            {"kind", "best"},
            {"layouts", said.candidates},
            {"priced", said.priced},
            {"proven", said.proven},
            {"out_of_work", said.out_of_work},
            {"best", std::move(rows)},
            {"strategies", std::move(strategies)},
            {"too_large", said.too_large_count}};
  if (said.limit > 0) json["limit"] = said.limit;
  if (said.at_least) json["at_least"] = *said.at_least;
  if (!said.proven && said.plan_time_for_all > 0)
    json["plan_time_for_all"] = said.plan_time_for_all;
  if (said.too_large) json["fastest_too_large"] = best_row(*said.too_large);
  return json;
}

Json printed_array(const ArrayEntry& said, std::size_t index) {
  Json json{{"entry", index},
            {"kind", "array"},
            {"program", said.program},
            {"array", said.array},
            {"type", said.type}};
  if (!said.is_there) return json;
  json["shape"] = said.shape;
  json["shown"] = said.shown;
  Json values = Json::array();
  for (const double value : said.values)
    values.push_back(std::isfinite(value) ? Json(value) : Json(format_number(value)));
  json["values"] = std::move(values);
  return json;
}

Json entry(const Entry& said, std::size_t index) {
  return match(
      said,
      [&](const PlannedEntry& planned) {
        Json json{{"entry", index},
                  {"kind", "statement"},
                  {"program", planned.program},
                  {"statement", planned.statement}};
        if (planned.fused) json["fused"] = true;
        return json;
      },
      [&](const Box<PrintedEntry>& printed) { return json_of(*printed, index); },
      [&](const Box<ExpectedEntry>& expected) {
        Json json{{"entry", index}, {"kind", "expect"}, {"text", expected->text}};
        json["holds"] = expected->holds ? Json(*expected->holds) : Json();
        if (!expected->left.empty()) json["left"] = expected->left;
        if (!expected->right.empty()) json["right"] = expected->right;
        return json;
      },
      [&](const Box<SavedEntry>& saved) {
        return Json{{"entry", index},
                    {"kind", "save"},
                    {"array", saved->array},
                    {"path", saved->path},
                    {"written", saved->written}};
      },
      [&](const Box<WhyEntry>& why) {
        return Json{{"entry", index},
                    {"kind", "why"},
                    {"statement", why->statement},
                    {"times", why->times},
                    {"reference_sizes", why->reference_sizes},
                    {"fused", why->fused},
                    {"ways", ways(why->ways)},
                    {"flips", flips(why->flips)}};
      },
      [&](const Box<PrintedTable>& printed) { return json_of(*printed, index); },
      [&](const Box<FiguresEntry>& figures) { return figures_of_block(*figures, index); },
      [&](const Box<StepsEntry>& steps) { return steps_of_block(*steps, index); },
      [&](const Box<BestEntry>& best) { return best_layouts(*best, index); },
      [&](const Box<ArrayEntry>& array) { return printed_array(*array, index); },
      [&](const Box<PlotEntry>& plot) { return json_of(*plot, index); },
      [&](const Box<Picture>& shown) { return picture(*shown, index); });
}

Json trace_file(const TraceReport& trace) {
  Json json{{"path", trace.path}, {"written", trace.written}};
  if (!trace.written) json["reason"] = trace.reason;
  return json;
}

}  // namespace

std::string json_report(const Outcome& outcome, const RunnerState& state, const SourceMap& sources,
                        const std::optional<TraceReport>& trace) {
  JsonText json;
  const auto add = [&](std::string_view key, const Json& value) {
    json.key(key);
    json.add(value);
  };
  json.open('{');
  add("schema", 2);
  add("status", static_cast<int>(outcome.status));
  json.open_key("programs", '[');
  for (std::size_t i = 0; i < outcome.programs.size(); ++i) {
    const Program& program = state.programs[i];
    const Figures& figures = outcome.programs[i].figures;
    json.open_item('{');
    add("machine", json_of(program.machine));
    add("inputs", inputs(program, state.scope.store));
    json.open_key("statements", '[');
    StatementWriter statements(program, figures, state.scope, sources, json);
    for (const StatementRecord& record : program.statements) {
      json.item();
      statements.add(record);
    }
    json.close(']');
    add("totals", totals(figures));
    add("streams", streams(figures));
    add("memory", memory(program, figures));
    add("execution", execution(outcome.programs[i].execution, state.scope));
    json.close('}');
  }
  json.close(']');
  const auto add_list = [&](std::string_view key, std::size_t count, const auto& value_of) {
    json.open_key(key, '[');
    for (std::size_t i = 0; i < count; ++i) {
      json.item();
      json.add(value_of(i));
    }
    json.close(']');
  };
  add_list("entries", outcome.entries.size(),
           [&](std::size_t i) { return entry(outcome.entries[i], i); });
  add_list("diagnostics", outcome.diagnostics.size(),
           [&](std::size_t i) { return diagnostic(outcome.diagnostics[i], sources); });
  if (trace) add("trace", trace_file(*trace));
  json.close('}');
  return json.take() + "\n";
}

}  // namespace shard

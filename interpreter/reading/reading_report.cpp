#include "interpreter/reading/reading_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "grammar/diagnostics/render.h"
#include "grammar/source/visible.h"
#include "interpreter/ir/value.h"
#include "interpreter/report/cost_text.h"
#include "interpreter/report/json/statement.h"
#include "interpreter/report/table.h"
#include "runtime/machine/chip_figure.h"

namespace shard {
namespace {

using Json = JsonText::Json;

std::string_view name_of_verdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::Checked:
      return "checked";
    case Verdict::Skipped:
      return "skipped";
    case Verdict::Error:
      return "error";
  }
  return "";
}

std::size_t count_of(const ReadDocument& document, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(document.statements.begin(), document.statements.end(),
                    [&](const ReadStatement& read) { return read.verdict == verdict; }));
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_integer(static_cast<Rational::Integer>(count)),
                     count == 1 ? one : many);
}

// "notes.md: 12 statements in 40 lines: 10 checked, 1 skipped, 1 error".
std::string summary(const ReadDocument& document) {
  std::string text = fmt::format("{}: {} in {}", document.name,
                                 counted(document.statements.size(), "statement", "statements"),
                                 counted(document.lines, "line", "lines"));
  std::vector<std::string> verdicts;
  const auto add = [&](Verdict verdict, std::string_view one, std::string_view many) {
    const std::size_t count = count_of(document, verdict);
    if (count > 0) verdicts.push_back(counted(count, one, many));
  };
  add(Verdict::Checked, "checked", "checked");
  add(Verdict::Skipped, "skipped", "skipped");
  add(Verdict::Error, "error", "errors");
  return verdicts.empty() ? text : text + ": " + join(verdicts, ", ");
}

bool is_priced(const ReadStatement& read) { return read.cost && is_numeric(*read.cost); }

void add_row(const ReadStatement& read, std::size_t places, Table& table) {
  const std::string number = pad_left(std::to_string(read.line), places);
  std::string first = number + "  " + visible_line(read.text);
  // A block of a script has lines of its own.
  for (std::size_t at = first.find('\n'); at != std::string::npos; at = first.find('\n', at + 1))
    first.insert(at + 1, places + 2, ' ');
  std::vector<std::string> cells = {std::string(name_of_verdict(read.verdict))};
  if (is_priced(read)) {
    const Table::Cells costs = cells_of(*read.cost);
    cells.insert(cells.end(), costs->begin() + 2, costs->end());
  }
  cells.insert(cells.begin(), std::move(first));
  table.add_row(std::move(cells));
  const std::string indent(places + 4, ' ');
  const auto say = [&](const std::string& line) {
    table.add_line(hanging_line(visible_line(indent + line)));
  };
  if (read.verdict == Verdict::Skipped) return say("skipped: " + read.diagnostics.front().message);
  for (const Diagnostic& diagnostic : read.diagnostics) {
    const DiagnosticInfo& kind = info(diagnostic.kind);
    say(fmt::format("{}: {} [{}]", name_of(kind.severity), diagnostic.message, kind.name));
    if (kind.severity == Severity::Error && !diagnostic.help.empty())
      say("help: " + diagnostic.help.front());
  }
}

// What the statements without a price lack. Figures of a chip come with the chip.
std::string missing_text(const ReadDocument& document) {
  std::set<std::string> missing;
  std::size_t unpriced = 0;
  for (const ReadStatement& read : document.statements) {
    if (!read.cost || is_priced(read)) continue;
    ++unpriced;
    missing.insert(read.missing.begin(), read.missing.end());
  }
  if (unpriced == 0) return "";
  std::vector<std::string> lacks;
  // No figure that a length could be called as well tells that a chip is missing.
  const bool chip = missing.contains("T_min") || missing.contains("W_hbm") || missing.contains("W");
  for (const std::string& name : missing) {
    if (!chip || find_chip_figure(name) == nullptr) lacks.push_back(name);
  }
  if (chip) lacks.emplace_back("a chip");
  return hanging_line(fmt::format("no price for {}, as nothing gives {}",
                                  counted(unpriced, "statement", "statements"), join(lacks, ", ")));
}

Json json_of_read(const ReadStatement& read) {
  Json json = {{"line", read.line},        {"column", read.column},
               {"text", read.text},        {"ascii", read.ascii},
               {"script", read.of_script}, {"verdict", std::string(name_of_verdict(read.verdict))}};
  json["cost"] = read.cost ? json_of(*read.cost) : Json();
  json["missing"] = read.missing;
  json["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : read.diagnostics) {
    const DiagnosticInfo& kind = info(diagnostic.kind);
    json["diagnostics"].push_back({{"severity", std::string(name_of(kind.severity))},
                                   {"kind", std::string(kind.name)},
                                   {"message", diagnostic.message},
                                   {"help", diagnostic.help}});
  }
  return json;
}

}  // namespace

std::string text_report(const ReadDocument& document) {
  std::string text = hanging_line(visible_line(summary(document))) + "\n";
  if (document.statements.empty()) return text;
  std::size_t places = 4;
  for (const ReadStatement& read : document.statements)
    places = std::max(places, std::to_string(read.line).size());
  Table table;
  table.add_row(
      {pad_left("line", places) + "  statement", "verdict", "T_math", "T_hbm", "T_comms", "bound"});
  for (const ReadStatement& read : document.statements) add_row(read, places, table);
  text += "\n" + table.to_string();
  const std::string missing = missing_text(document);
  return missing.empty() ? text : text + "\n" + missing + "\n";
}

std::string json_report(const ReadDocument& document) {
  Json json = {{"schema", 1},
               {"status", static_cast<int>(document.status)},
               {"name", document.name},
               {"lines", document.lines},
               {"checked", count_of(document, Verdict::Checked)},
               {"skipped", count_of(document, Verdict::Skipped)},
               {"errors", count_of(document, Verdict::Error)},
               {"statements", Json::array()},
               {"outputs", Json::array()}};
  for (const ReadStatement& read : document.statements)
    json["statements"].push_back(json_of_read(read));
  for (const ReadOutput& output : document.outputs)
    json["outputs"].push_back({{"line", output.line}, {"holds", output.holds}});
  return visible_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace shard

#include "interpreter/driver/colour.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/format.h"
#include "base/line_width.h"
#include "grammar/parse/parser.h"

namespace shard {

namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kUncoloured = "\x1b[0m";

// Of the whole line; empty for none.
std::string_view colour_of(std::string_view line) {
  const auto has = [&](std::string_view part) { return line.find(part) != std::string_view::npos; };
  if (line.starts_with("  + ")) return kYellow;
  if (has("FLOPs ") && has("T_math") && has("bound") && line.ends_with("bound")) return kBold;
  if (line.starts_with("    ") && has("DIFFERS")) return kRed;
  if (line.starts_with("    ") && (has(" within ") && has(" rounding"))) return kGreen;
  return {};
}

bool is_statement(std::string_view text) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  parse(sources, sources.add("help", std::string(text)), names, sink);
  return !sink.has_errors();
}

bool is_prose(std::string_view line) {
  constexpr std::string_view kHelp = "help:";
  const std::size_t help = line.find(kHelp);
  // With colours it stands between them.
  if (help == 0 || (line.starts_with("\x1b") && help != std::string_view::npos)) {
    line.remove_prefix(help + kHelp.size());
    return !is_statement(line.substr(std::min(line.find(' '), line.size())));
  }
  constexpr std::array<std::string_view, 3> kSeverities = {"error:", "warning:", "note:"};
  return !line.starts_with(" ") &&
         std::any_of(kSeverities.begin(), kSeverities.end(), [&](std::string_view severity) {
           return line.find(severity) != std::string_view::npos;
         });
}

}  // namespace

std::string coloured_report(const std::string& report) {
  std::string text;
  for (std::size_t begin = 0; begin < report.size();) {
    const std::size_t end = std::min(report.find('\n', begin), report.size());
    const std::string_view line = std::string_view(report).substr(begin, end - begin);
    const std::string_view colour = colour_of(line);
    text += colour;
    text += line;
    if (!colour.empty()) text += kUncoloured;
    if (end < report.size()) text += '\n';
    begin = end + 1;
  }
  return text;
}

std::string wrapped_diagnostics(std::string_view rendered) {
  constexpr std::size_t kIndent = 4;
  std::string text;
  for (std::size_t begin = 0; begin < rendered.size();) {
    const std::size_t end = std::min(rendered.find('\n', begin), rendered.size());
    const std::string_view line = rendered.substr(begin, end - begin);
    // What goes on is indented, and so is its first line until that is taken away.
    if (coloured_width(line) > line_width() && is_prose(line))
      text += two_columns("", line, kIndent).substr(kIndent);
    else
      text += std::string(line) + "\n";
    begin = end + 1;
  }
  return text;
}

}  // namespace shard

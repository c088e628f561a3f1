#include "interpreter/driver/colour.h"

#include <algorithm>
#include <string_view>

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

}  // namespace shard

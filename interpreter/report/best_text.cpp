#include "interpreter/report/best_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"

namespace shard {

namespace {

std::string count_text(double count) { return format_integer(static_cast<std::int64_t>(count)); }

void add_hanging(const std::string& line, std::vector<std::string>& lines) {
  std::istringstream parts(hanging_line(line));
  for (std::string part; std::getline(parts, part);) lines.push_back(std::move(part));
}

std::string heading(const BestEntry& entry) {
  if (entry.candidates == 1) return "the only layout that these holes can have";
  constexpr double kMostCounted = 1'000'000;  // LayoutSearch counts up to here
  const std::string many = entry.candidates >= kMostCounted
                               ? "of more than a million layouts"
                               : fmt::format("of {} layouts", count_text(entry.candidates));
  std::string text = fmt::format("best {}", many);
  if (entry.limit > 0) text += fmt::format(" in {} of a chip", format_bytes(entry.limit));
  if (entry.proven) return text + ": no other one takes less time";
  text += fmt::format(": found with {} priced", format_integer(entry.priced));
  if (entry.at_least && !entry.rows.empty() && *entry.at_least > 0) {
    constexpr double kPercent = 100;
    text +=
        fmt::format("; none takes less than {}, a gap of {} %", format_seconds(*entry.at_least),
                    format_significant(kPercent * (entry.rows.front().time / *entry.at_least - 1)));
  }
  if (entry.out_of_work) text += "; the search ended with --plan-time";
  // Who waits longer asks about fewer holes.
  constexpr double kLongest = 600;
  if (entry.plan_time_for_all > 0 && entry.plan_time_for_all <= kLongest)
    text += fmt::format("; --plan-time {} prices them all", std::ceil(entry.plan_time_for_all));
  return text;
}

// "337.6 us, memory, 268.4 MB a chip".
std::string figures(const BestEntry::Row& row) {
  std::string text = fmt::format("{}, bound by {}, {} a chip", format_seconds(row.time), row.bound,
                                 format_bytes(row.memory));
  if (!row.dearest.empty())
    text += fmt::format("; {} takes {}", row.dearest, format_seconds(row.dearest_time));
  return text;
}

std::string times_as_long(const BestEntry::Row& row, const BestEntry::Row& best) {
  if (best.time <= 0) return "";
  return fmt::format(" ({} times as long)", format_significant(row.time / best.time));
}

void add_layouts(const BestEntry::Row& row, std::vector<std::string>& lines) {
  const std::string indent(5, ' ');
  if (row.is_list) {
    std::istringstream parts(wrapped_list(indent, row.lines, ", "));
    for (std::string part; std::getline(parts, part);) lines.push_back(std::move(part));
    return;
  }
  for (const std::string& written : row.lines) add_hanging(indent + written, lines);
}

// What is known by a name, beside what was found.
void add_strategies(const BestEntry& entry, std::vector<std::string>& lines) {
  const BestEntry::Row& best = entry.rows.front();
  std::optional<double> least;
  for (const BestEntry::Strategy& strategy : entry.strategies) {
    const bool slower = strategy.row.time > best.time;
    add_hanging(fmt::format("  {}{}: {}{}", strategy.name, strategy.fits ? "" : ", does not fit",
                            figures(strategy.row), slower ? times_as_long(strategy.row, best) : ""),
                lines);
    if (strategy.row.lines != best.lines) add_layouts(strategy.row, lines);
    if (strategy.fits) least = std::min(least.value_or(strategy.row.time), strategy.row.time);
  }
  if (!least || best.time <= 0) return;
  // As it would be printed: "1.000 times as long" says nothing.
  const std::string times = format_significant(*least / best.time);
  add_hanging(fmt::format("  of these strategies the best that fits {}",
                          times == format_significant(1)
                              ? "is as fast as what was found"
                              : fmt::format("takes {} times as long as what was found", times)),
              lines);
}

void add_too_large(const BestEntry& entry, std::vector<std::string>& lines) {
  if (!entry.too_large) return;
  const bool one = entry.too_large_count == 1;
  const bool all = static_cast<double>(entry.priced) == entry.candidates;
  const std::string many =
      fmt::format("  {} of {} layouts{} do{} not fit", format_integer(entry.too_large_count),
                  format_integer(entry.priced), all ? "" : " that were priced", one ? "es" : "");
  if (entry.too_large->time >= entry.rows.front().time)
    return add_hanging(many + (one ? ", and is no faster" : ", and none of them is faster"), lines);
  add_hanging(
      fmt::format("{}; the fastest{}: {}", many, all ? "" : " of them", figures(*entry.too_large)),
      lines);
  add_layouts(*entry.too_large, lines);
}

}  // namespace

std::vector<std::string> text_lines(const BestEntry& entry) {
  std::vector<std::string> lines;
  add_hanging(heading(entry), lines);
  for (std::size_t i = 0; i < entry.rows.size(); ++i) {
    const BestEntry::Row& row = entry.rows[i];
    std::string line = fmt::format("{:>3}. {}", i + 1, figures(row));
    if (i > 0 && row.time > entry.rows.front().time) line += times_as_long(row, entry.rows.front());
    if (row.alike > 0) line += fmt::format("; {} more like it", format_integer(row.alike));
    add_hanging(line, lines);
    add_layouts(row, lines);
  }
  add_strategies(entry, lines);
  add_too_large(entry, lines);
  return lines;
}

}  // namespace shard

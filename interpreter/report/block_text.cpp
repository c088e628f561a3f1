#include "interpreter/report/block_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "base/format.h"
#include "base/line_width.h"
#include "interpreter/report/cost_text.h"
#include "interpreter/report/table.h"

namespace shard {

namespace {

// With its heading and its end a list of this many steps stays on a screen of 24 lines, and what lies below is small.
constexpr std::size_t kMostRowsOfSteps = 20;

void add_lines(const std::string& text, std::vector<std::string>& lines) {
  std::istringstream rows(text);
  for (std::string line; std::getline(rows, line);) lines.push_back(std::move(line));
}

std::string label_of(const StepsEntry::Row& row) {
  constexpr double kPercent = 100;
  std::string label = row.share ? fmt::format("{:5.1f} %", *row.share * kPercent) : "";
  label += row.inferred ? "  + " : "    ";
  label += row.text;
  if (row.times > 1) label += fmt::format("  × {}", format_integer(row.times));
  return label;
}

// What the rows from `first` on come to.
StepsEntry::Row sum_of(const std::vector<StepsEntry::Row>& rows, std::size_t first) {
  StepsEntry::Row sum{
      .text =
          fmt::format("{} more", format_integer(static_cast<std::int64_t>(rows.size() - first))),
      .inferred = false,
      .times = 1,
      .cost = nullptr,
      .time = {},
      .share = std::nullopt};
  Cost cost;
  for (std::size_t i = first; i < rows.size(); ++i) {
    cost += *rows[i].cost;
    if (rows[i].share) sum.share = sum.share.value_or(0) + *rows[i].share;
  }
  sum.cost = std::make_shared<const Cost>(std::move(cost));
  return sum;
}

}  // namespace

std::vector<std::string> text_lines(const FiguresEntry& entry) {
  std::size_t names = 0;
  std::size_t values = 0;
  for (const FiguresEntry::Row& row : entry.rows) {
    names = std::max(names, display_width(row.name));
    // Formulas may be wider than a line, and are no column.
    if (row.value.number || row.value.text.find(' ') == std::string::npos)
      values = std::max(values, display_width(row.value.text));
  }
  std::vector<std::string> lines = {entry.block + ", per device:"};
  for (const FiguresEntry::Row& row : entry.rows) {
    const std::string name = "    " + pad_right(row.name, names) + "  ";
    const std::size_t column = display_width(name) + values + 2;
    // Behind a formula that is wider than the column there is no room even on a line of a report.
    const bool fits = display_width(row.value.text) <= values &&
                      column + display_width(row.meaning) <= std::max(kLineWidth, line_width());
    if (fits)
      add_lines(two_columns(name + row.value.text, row.meaning, column), lines);
    else
      lines.push_back(name + row.value.text);
  }
  return lines;
}

std::vector<std::string> text_lines(const StepsEntry& entry) {
  const auto seconds = entry.time.constant();
  std::vector<std::string> lines = {fmt::format(
      "why {}: {}", entry.block,
      entry.rows.empty() ? std::string("it has no steps")
      : seconds ? format_seconds(seconds->to_double()) + " one after the other, dearest first"
                : std::string("the steps as they come, for sizes or hardware are missing"))};
  if (entry.rows.empty()) return lines;
  const bool cut = entry.rows.size() > kMostRowsOfSteps + 1;
  std::vector<StepsEntry::Row> rows(entry.rows.begin(),
                                    cut ? entry.rows.begin() + kMostRowsOfSteps : entry.rows.end());
  if (cut) rows.push_back(sum_of(entry.rows, kMostRowsOfSteps));
  Table table;
  if (seconds)
    table.add_row({" of time      step", "FLOPs", "moved", "T_math", "T_hbm", "T_comms", "bound"});
  for (const StepsEntry::Row& row : rows) {
    if (Table::Cells cells = cells_of(totals_of(*row.cost)))
      table.add_row(label_of(row), std::move(cells));
    else
      table.add_line(label_of(row) + formula_lines(*row.cost, "        "));
  }
  add_lines(table.to_string(), lines);
  return lines;
}

}  // namespace shard

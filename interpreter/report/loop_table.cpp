#include "interpreter/report/loop_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/format.h"
#include "base/words.h"

namespace shard {

namespace {

constexpr std::size_t kColumnGap = 2;

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

bool is_number(const PrintedCell& cell) { return cell.number.has_value(); }

bool all_numbers(const PrintedTable& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return is_number(row[column]); });
}

// The elements of arrays below each other, in columns of their own.
PrintedTable with_aligned_elements(PrintedTable table) {
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::size_t width = 0;
    for (const auto& row : table.rows) {
      for (const double value : row[column].elements)
        width = std::max(width, format_number(value).size());
    }
    for (auto& row : table.rows) {
      if (row[column].elements.empty()) continue;
      std::vector<std::string> texts;
      for (const double value : row[column].elements)
        texts.push_back(pad_left(format_number(value), width));
      row[column].text = join(texts, "  ");
    }
  }
  return table;
}

std::vector<std::size_t> widths_of(const PrintedTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    widths.push_back(display_width(table.columns[i]));
    for (const auto& row : table.rows)
      widths.back() = std::max(widths.back(), display_width(row[i].text));
  }
  return widths;
}

// Each row as a list, for values that are too long for columns.
std::vector<std::string> listed(const PrintedTable& table) {
  std::vector<std::string> lines;
  std::size_t longest = 0;
  for (const std::string& column : table.columns)
    longest = std::max(longest, display_width(column));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      lines.push_back(fmt::format("{}{}  {}", i == 0 ? "- " : "  ",
                                  pad_right(table.columns[i], longest), row[i].text));
  }
  return lines;
}

// These columns of all rows, under their headings.
void add_band(const PrintedTable& table, const std::vector<std::size_t>& widths,
              const std::vector<std::size_t>& columns, std::vector<std::string>& lines) {
  std::vector<bool> right_aligned;
  for (const std::size_t i : columns) right_aligned.push_back(all_numbers(table, i));
  const auto line = [&](const auto& text_at) {
    std::string text;
    for (std::size_t at = 0; at < columns.size(); ++at) {
      const std::size_t i = columns[at];
      if (at > 0) text += std::string(kColumnGap, ' ');
      text +=
          right_aligned[at] ? pad_left(text_at(i), widths[i]) : pad_right(text_at(i), widths[i]);
    }
    lines.push_back(without_trailing_blanks(std::move(text)));
  };
  line([&](std::size_t i) { return table.columns[i]; });
  for (const auto& row : table.rows) line([&](std::size_t i) { return row[i].text; });
}

// The fewest columns from the left that tell the rows apart, as those of loops' variables do; none if it takes all of them.
std::vector<std::size_t> key_columns(const PrintedTable& table) {
  if (table.rows.size() < 2) return {};
  std::vector<std::string> keys(table.rows.size());
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column + 1 < table.columns.size(); ++column) {
    columns.push_back(column);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] += table.rows[i][column].text + '\n';
    const std::set<std::string_view> distinct(keys.begin(), keys.end());
    if (distinct.size() == keys.size()) return columns;
  }
  return {};
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

bool is_condition(const PrintedCell& cell) {
  return cell.found != nullptr && std::holds_alternative<Condition>(*cell.found);
}

// The unit that all numbers of a column share. What `solve` found in some rows may be a word or several numbers.
std::optional<Unit> common_unit(const PrintedTable& table, std::size_t column) {
  std::optional<Unit> unit;
  for (const auto& row : table.rows) {
    if (row[column].found != nullptr && !is_condition(row[column])) continue;
    if (!row[column].elements.empty()) {
      if (unit && !unit->is_plain()) return std::nullopt;
      unit = kPlain;
      continue;
    }
    if (!row[column].number) return std::nullopt;
    if (unit && *unit != row[column].unit && *row[column].number != 0) return std::nullopt;
    if (!unit || *row[column].number != 0) unit = row[column].unit;
  }
  return unit;
}

// A field of a column of numbers: a word is an empty one, several numbers stand behind each other.
std::string number_field(const PrintedCell& cell) {
  if (cell.number) return fmt::format("{}", *cell.number);
  if (!cell.elements.empty()) return fmt::format("{}", fmt::join(cell.elements, ";"));
  std::string field;
  const auto* list = cell.found == nullptr ? nullptr : std::get_if<List>(&*cell.found);
  if (list == nullptr) return field;
  for (const Quantity& each : list->values) {
    if (const auto number = each.value.constant())
      field += fmt::format("{}{}", field.empty() ? "" : ";", number->to_double());
  }
  return field;
}

}  // namespace

std::vector<std::string> text_lines(const PrintedTable& printed, std::size_t width) {
  const PrintedTable table = with_aligned_elements(printed);
  const std::vector<std::size_t> widths = widths_of(table);
  const auto too_wide = [&](std::size_t one) { return one > width; };
  if (std::any_of(widths.begin(), widths.end(), too_wide)) return listed(table);
  std::vector<std::size_t> keys = key_columns(table);
  std::size_t key_width = 0;
  for (const std::size_t key : keys) key_width += widths[key] + kColumnGap;
  // Where little is left beside them, each band would hold a column, and say the same over and over.
  if (2 * key_width > width) keys.clear();
  std::vector<std::string> lines;
  for (std::size_t next = 0; next < widths.size();) {
    if (next > 0) lines.emplace_back();
    const bool has_keys = next > 0 && !keys.empty() && key_width + widths[next] <= width;
    std::vector<std::size_t> columns = has_keys ? keys : std::vector<std::size_t>();
    std::size_t used = has_keys ? key_width - kColumnGap : 0;
    const std::size_t first = next;
    for (; next < widths.size(); ++next) {
      const std::size_t more = (columns.empty() ? 0 : kColumnGap) + widths[next];
      if (next > first && used + more > width) break;
      used += more;
      columns.push_back(next);
    }
    add_band(table, widths, columns, lines);
  }
  return lines;
}

std::string csv_text(const PrintedTable& table) {
  std::string text;
  std::vector<std::optional<Unit>> units;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    units.push_back(common_unit(table, i));
    const bool named = units.back() && !units.back()->is_plain();
    const std::string heading =
        named ? fmt::format("{} ({})", table.columns[i], to_string(*units.back()))
              : table.columns[i];
    text += (i > 0 ? "," : "") + csv_field(heading);
  }
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string field = units[i] ? number_field(row[i]) : row[i].text;
      text += (i > 0 ? "," : "") + csv_field(field);
    }
    text += "\n";
  }
  return text;
}

}  // namespace shard

#include "interpreter/report/table.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/format.h"
#include "base/line_width.h"

namespace shard {

namespace {

// Between columns; the lower one where a narrow window leaves no room for what stands in the first column.
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowGap = 1;

bool is_narrow() { return line_width() < kLineWidth; }

void drop_trailing_blanks(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

// What stands behind the first column.
struct Tail {
  std::string text;
  std::size_t blank = 0;  // columns at its front that the first cell may have
};

Tail tail_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
             std::size_t gap) {
  Tail tail;
  for (std::size_t i = 0; i < cells.size(); ++i)
    tail.text += std::string(gap, ' ') + pad_left(cells[i], widths[i]);
  const std::size_t figures = std::min(tail.text.find_first_not_of(' '), tail.text.size());
  tail.blank = figures < gap ? 0 : figures - gap;
  return tail;
}

}  // namespace

void Table::add_row(std::vector<std::string> cells) {
  std::string first = std::move(cells.front());
  cells.erase(cells.begin());
  add_row(std::move(first), std::make_shared<const std::vector<std::string>>(std::move(cells)));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  std::unordered_set<const std::vector<std::string>*> seen = {nullptr};
  for (const Row& row : rows_) {
    const auto* cells = row.others.get();
    if (!seen.insert(cells).second) continue;
    widths.resize(std::max(widths.size(), cells->size()));
    for (std::size_t i = 0; i < cells->size(); ++i)
      widths[i] = std::max(widths[i], display_width((*cells)[i]));
  }
  return widths;
}

void Table::write(const Row& row, std::size_t width, std::size_t first, const std::string& tail,
                  std::size_t blank, std::string& text) {
  std::string_view begin = row.first;
  if (width > first + blank) {
    text += hanging_line(begin) + "\n";
    begin = row.below;
    width = display_width(begin);
    if (width > first + blank) begin = {};
    if (begin.empty()) width = 0;
  }
  text += begin;
  text.append(std::max(first, width) - width, ' ');
  text += std::string_view(tail).substr(std::max(first, width) - first);
}

std::string Table::to_string() const {
  bool all_fit = true;
  std::string text = to_string(kGap, all_fit);
  if (all_fit || !is_narrow()) return text;
  return to_string(kNarrowGap, all_fit);
}

std::size_t Table::room_beside(const std::vector<std::size_t>& columns, std::size_t gap) {
  std::size_t others = 0;
  for (const std::size_t width : columns) others += width + gap;
  return line_width() > others ? line_width() - others : 0;
}

std::string Table::to_string(std::size_t gap, bool& all_fit) const {
  const std::vector<std::size_t> columns = widths();
  const std::size_t room = room_beside(columns, gap);
  std::size_t first = 0;
  std::size_t bytes = 0;
  std::vector<std::size_t> width_of(rows_.size(), 0);
  std::unordered_map<const std::vector<std::string>*, Tail> tails;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    bytes += row.first.size() + 1;
    if (row.others == nullptr) continue;
    const auto [tail, is_new] = tails.try_emplace(row.others.get());
    if (is_new) tail->second = tail_of(*row.others, columns, gap);
    width_of[i] = display_width(row.first);
    bytes += line_width();
    // In a narrow window a cell that is empty is room as well.
    const std::size_t blank = is_narrow() ? tail->second.blank : 0;
    const std::size_t needed = std::max(width_of[i], blank) - blank;
    all_fit = all_fit && needed <= room;
    if (needed <= room) first = std::max(first, needed);
  }
  std::string text;
  text.reserve(bytes);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (row.others == nullptr) {
      text += row.first;
    } else {
      const Tail& tail = tails.at(row.others.get());
      write(row, width_of[i], first, tail.text, tail.blank, text);
    }
    drop_trailing_blanks(text);
    text += '\n';
  }
  return text;
}

}  // namespace shard

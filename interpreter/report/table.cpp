#include "interpreter/report/table.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/format.h"
#include "base/line_width.h"

namespace shard {

namespace {

constexpr std::size_t kGap = 2;

void drop_trailing_blanks(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

// What stands behind the first column.
struct Tail {
  std::string text;
  std::size_t blank = 0;  // columns at its front that the first cell may have
};

Tail tail_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  Tail tail;
  for (std::size_t i = 0; i < cells.size(); ++i)
    tail.text += std::string(kGap, ' ') + pad_left(cells[i], widths[i]);
  const std::size_t figures = std::min(tail.text.find_first_not_of(' '), tail.text.size());
  tail.blank = figures < kGap ? 0 : figures - kGap;
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
  const std::vector<std::size_t> columns = widths();
  std::size_t others = 0;
  for (const std::size_t width : columns) others += width + kGap;
  const std::size_t room = line_width() > others ? line_width() - others : 0;
  std::size_t first = 0;
  std::size_t bytes = 0;
  std::vector<std::size_t> width_of(rows_.size(), 0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    bytes += row.first.size() + 1;
    if (row.others == nullptr) continue;
    width_of[i] = display_width(row.first);
    bytes += room + others;
    if (width_of[i] <= room) first = std::max(first, width_of[i]);
  }
  std::string text;
  text.reserve(bytes);
  std::unordered_map<const std::vector<std::string>*, Tail> tails;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (row.others == nullptr) {
      text += row.first;
    } else {
      const auto [tail, is_new] = tails.try_emplace(row.others.get());
      if (is_new) tail->second = tail_of(*row.others, columns);
      write(row, width_of[i], first, tail->second.text, tail->second.blank, text);
    }
    drop_trailing_blanks(text);
    text += '\n';
  }
  return text;
}

}  // namespace shard

#include "interpreter/report/table.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/format.h"
#include "base/line_width.h"

namespace shard {

namespace {

constexpr std::size_t kGap = 2;

void drop_trailing_blanks(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

std::string aligned(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i)
    text += std::string(kGap, ' ') + pad_left(cells[i], widths[i]);
  return text;
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
  std::unordered_map<const std::vector<std::string>*, std::string> tails;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    text += row.first;
    if (row.others != nullptr) {
      const auto [tail, is_new] = tails.try_emplace(row.others.get());
      if (is_new) tail->second = aligned(*row.others, columns);
      std::size_t width = width_of[i];
      if (width > first) {
        drop_trailing_blanks(text);
        text += '\n';
        width = 0;
      }
      text.append(first - width, ' ');
      text += tail->second;
    }
    drop_trailing_blanks(text);
    text += '\n';
  }
  return text;
}

}  // namespace shard

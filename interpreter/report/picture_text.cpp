#include "interpreter/report/picture_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"

namespace shard {

namespace {

// Longest text of a cell; a list of devices that does not fit ends in their number.
constexpr std::size_t kCellWidth = 24;

// "0-3", "0, 4, 8, 12", "0, 4, 8, … (16)".
std::string cell_text(const PictureCell& cell) {
  const auto& devices = cell.devices;
  const auto whole = static_cast<std::int64_t>(devices.size()) == cell.count;
  if (cell.count > 2 && cell.last - devices.front() + 1 == cell.count)
    return fmt::format("{}-{}", devices.front(), cell.last);
  std::string text;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string next = fmt::format("{}{}", i == 0 ? "" : ", ", devices[i]);
    const bool more = i + 1 < devices.size() || !whole;
    // Columns of `, … (64)`.
    constexpr std::size_t kMoreWidth = 8;
    if (more && text.size() + next.size() > kCellWidth - kMoreWidth)
      return fmt::format("{}, … ({})", text, cell.count);
    text += next;
  }
  return text;
}

std::string repeated(std::string_view piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

std::string centred(const std::string& text, std::size_t width) {
  const std::size_t free = width - std::min(width, display_width(text));
  return std::string(free / 2, ' ') + text + std::string(free - free / 2, ' ');
}

// The boxes of the picture.
class Drawing {
 public:
  explicit Drawing(const Picture& picture) : picture_(picture) { measure(); }

  std::vector<std::string> lines() {
    add_headings();
    add_border("┌", "┬", "┐");
    for (std::size_t i = 0; i < picture_.cells.size(); ++i) {
      if (i > 0) add_border("├", "┼", "┤");
      add_row(i);
    }
    add_border("└", "┴", "┘");
    return std::move(lines_);
  }

  std::size_t columns() const { return columns_; }

 private:
  void measure() {
    if (picture_.rows) {
      margin_ = display_width(picture_.rows->name) + 1;
      std::size_t blocks = 0;
      for (const std::string& block : picture_.rows->blocks)
        blocks = std::max(blocks, block.size());
      label_ = blocks;
      margin_ += blocks + 1;
    }
    for (const auto& row : picture_.cells) {
      for (const PictureCell& cell : row)
        width_ = std::max(width_, display_width(cell_text(cell)) + 2);
    }
    if (picture_.columns) {
      for (const std::string& block : picture_.columns->blocks)
        width_ = std::max(width_, block.size() + 1);
    }
    columns_ = picture_.cells.front().size();
    const std::size_t room = (line_width() - std::min(line_width(), margin_ + 1)) / (width_ + 1);
    columns_ = std::max<std::size_t>(1, std::min(columns_, room));
  }

  void add(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    lines_.push_back(std::move(line));
  }

  void add_headings() {
    if (!picture_.columns) return;
    std::string line = std::string(margin_, ' ');
    for (std::size_t i = 0; i < columns_; ++i)
      line += " " + centred(picture_.columns->blocks[i], width_);
    add(std::string(margin_ + 1, ' ') + picture_.columns->name);
    add(std::move(line));
  }

  void add_border(std::string_view left, std::string_view middle, std::string_view right) {
    std::string line = std::string(margin_, ' ') + std::string(left);
    for (std::size_t i = 0; i < columns_; ++i) {
      if (i > 0) line += middle;
      line += repeated("─", width_);
    }
    add(line + std::string(right));
  }

  void add_row(std::size_t i) {
    std::string line(margin_, ' ');
    if (picture_.rows) {
      line = pad_right(i == 0 ? picture_.rows->name : "", margin_ - label_ - 1) +
             pad_left(picture_.rows->blocks[i], label_) + " ";
    }
    line += "│";
    for (std::size_t k = 0; k < columns_; ++k)
      line += centred(cell_text(picture_.cells[i][k]), width_) + "│";
    add(std::move(line));
  }

  const Picture& picture_;
  std::size_t margin_ = 0;
  std::size_t label_ = 0;
  std::size_t width_ = 0;
  std::size_t columns_ = 0;
  std::vector<std::string> lines_;
};

std::string cut_remark(const PictureSide& side, std::size_t shown) {
  return fmt::format("cut: {} of the {} blocks of {} are drawn", shown, format_integer(side.count),
                     side.name);
}

}  // namespace

std::vector<std::string> text_lines(const Picture& picture) {
  std::vector<std::string> lines = {fmt::format(
      "{}: {}[{}] on {} device{}, mesh {}", picture.array, picture.dtype, join(picture.shape, ", "),
      format_integer(picture.devices), picture.devices == 1 ? "" : "s", picture.mesh)};
  Drawing drawing(picture);
  for (std::string& line : drawing.lines()) lines.push_back(std::move(line));
  const auto bytes = picture.bytes.constant();
  lines.push_back(
      fmt::format("each device holds [{}], {}", join(picture.local_shape, ", "),
                  bytes ? format_bytes(bytes->to_double()) : picture.bytes.to_string() + " B"));
  lines.insert(lines.end(), picture.remarks.begin(), picture.remarks.end());
  if (picture.rows && picture.rows->count > static_cast<std::int64_t>(picture.cells.size()))
    lines.push_back(cut_remark(*picture.rows, picture.cells.size()));
  if (picture.columns && picture.columns->count > static_cast<std::int64_t>(drawing.columns()))
    lines.push_back(cut_remark(*picture.columns, drawing.columns()));
  return lines;
}

}  // namespace shard

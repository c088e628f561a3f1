#include "base/line_width.h"

#include <algorithm>

#include "base/format.h"

namespace shard {

namespace {

thread_local std::size_t width_now = kLineWidth;

}  // namespace

LineWidth::LineWidth(std::size_t columns) : before_(width_now) {
  constexpr std::size_t kNarrowest = 60;
  width_now = std::max(columns, kNarrowest);
}

LineWidth::~LineWidth() { width_now = before_; }

std::size_t line_width() { return width_now; }

std::string two_columns(std::string_view heading, std::string_view text, std::size_t column) {
  // A column that is narrower than a few words is none: the text goes below.
  constexpr std::size_t kNarrowest = 24;
  constexpr std::size_t kIndent = 4;
  if (column > kIndent && line_width() < column + kNarrowest && !heading.empty() &&
      column + display_width(text) > line_width())
    column = kIndent;
  const std::string margin(column, ' ');
  std::string result(heading);
  std::size_t used = display_width(heading);
  const bool is_below = used > 0 && used >= column;
  result += is_below ? "\n" + margin : std::string(column - used, ' ');
  used = column;
  bool is_first = true;
  for (std::size_t begin = text.find_first_not_of(' '); begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t width = coloured_width(word);
    const bool breaks = !is_first && used + 1 + width > line_width();
    if (!is_first) result += breaks ? "\n" + margin : " ";
    result += word;
    used = breaks ? column + width : used + (is_first ? 0 : 1) + width;
    is_first = false;
    begin = text.find_first_not_of(' ', end);
  }
  return result + "\n";
}

std::string wrapped_text(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    // Behind a gap stands the last column of a table.
    const std::size_t gap = line.rfind("  ");
    const bool is_table = gap != std::string_view::npos && gap > first;
    const std::size_t split = is_table ? gap + 2 : first;
    const std::string_view heading =
        is_table ? line.substr(0, line.find_last_not_of(' ', gap) + 1) : std::string_view();
    result += display_width(line) <= line_width()
                  ? std::string(line) + "\n"
                  : two_columns(heading, line.substr(split), display_width(line.substr(0, split)));
    begin = end + 1;
  }
  return result;
}

std::string hanging_line(std::string_view line) {
  if (display_width(line) <= line_width()) return std::string(line);
  constexpr std::size_t kFurther = 8;
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::string broken = two_columns("", line.substr(indent), indent + kFurther);
  broken.pop_back();  // the end of the last line
  return std::string(indent, ' ') + broken.substr(indent + kFurther);
}

std::string wrapped_list(const std::string& heading, const std::vector<std::string>& pieces,
                         const std::string& separator) {
  std::string text;
  std::string line = heading;
  bool is_first = true;
  for (const std::string& piece : pieces) {
    const std::size_t wider = display_width(separator) + display_width(piece);
    if (!is_first && display_width(line) + wider > line_width()) {
      text += line + "\n";
      line = std::string(display_width(heading), ' ') + piece;
    } else {
      line += (is_first ? "" : separator) + piece;
    }
    is_first = false;
  }
  return pieces.empty() ? "" : text + line + "\n";
}

}  // namespace shard

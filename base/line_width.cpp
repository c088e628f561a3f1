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

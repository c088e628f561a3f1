// The width, in columns, that text for people is laid out for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

// While one exists, text is laid out for that many columns: those of the terminal that shows it. A table needs some forty for its
// figures, so it is never taken to be narrower than 60. For one thread; they nest.
class LineWidth {
 public:
  explicit LineWidth(std::size_t columns);
  ~LineWidth();
  LineWidth(const LineWidth&) = delete;
  LineWidth& operator=(const LineWidth&) = delete;

 private:
  std::size_t before_;
};

// kLineWidth (base/format.h) where nobody asks for another: reports in files and pipes are the same wherever they are made.
std::size_t line_width();

// Pieces of a list behind a heading, on as many lines as they need; nothing if there are none.
std::string wrapped_list(const std::string& heading, const std::vector<std::string>& pieces,
                         const std::string& separator);

// A heading and its text in a column of its own, broken at blanks; on lines below where the heading does not fit.
std::string two_columns(std::string_view heading, std::string_view text, std::size_t column);

// Lines that are too long, broken at blanks; what goes on begins where the line itself does.
std::string wrapped_text(std::string_view text);

// A line that is too long, broken at blanks; what goes on is indented further than the line itself.
std::string hanging_line(std::string_view line);

}  // namespace shard

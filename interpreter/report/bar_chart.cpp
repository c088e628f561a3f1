#include "interpreter/report/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/line_width.h"

namespace shard {

namespace {

constexpr std::size_t kFrame = 6;  // of a bar

// What is left of a line for what is written after the bar: in a narrow window the longest there is, "* compute (Z=0)".
std::size_t behind() { return line_width() < kLineWidth ? 18 : 10; }
// Of a text and its bar.
std::size_t room() { return line_width() - behind() - kFrame; }
std::size_t text_width() { return room() * 44 / 84; }
std::size_t bar_width() { return room() - text_width(); }

}  // namespace

std::string fitted(const std::string& text) {
  return pad_right(first_columns(text, text_width()), text_width());
}

std::string bar(double from, double to, const char* glyph) {
  const auto column = [](double share) {
    return static_cast<std::size_t>(share * static_cast<double>(bar_width()));
  };
  const std::size_t first = std::min(column(from), bar_width() - 1);
  const std::size_t last = std::clamp<std::size_t>(column(to), first + 1, bar_width());
  std::string text(first, ' ');
  for (std::size_t i = first; i < last; ++i) text += glyph;
  return text + std::string(bar_width() - last, ' ');
}

void DensityBar::add(double from, double to) {
  busy_.resize(bar_width());
  const double width = 1.0 / static_cast<double>(bar_width());
  const auto first = static_cast<std::size_t>(std::max(from, 0.0) / width);
  for (std::size_t i = first; i < bar_width() && static_cast<double>(i) * width < to; ++i) {
    const double begin = static_cast<double>(i) * width;
    busy_[i] += std::max(0.0, std::min(to, begin + width) - std::max(from, begin)) / width;
  }
}

std::string DensityBar::text() const {
  // Anything is seen; a column that is busy for most of its time is full.
  constexpr double kLight = 0.25;
  constexpr double kFull = 0.75;
  std::string text;
  for (std::size_t i = 0; i < bar_width(); ++i) {
    const double busy = at(i);
    text += busy <= 0 ? " " : busy < kLight ? "░" : busy < kFull ? "▒" : "█";
  }
  return text;
}

std::string DensityBar::over(const DensityBar& other) const {
  constexpr double kFull = 0.5;
  std::string text;
  for (std::size_t i = 0; i < bar_width(); ++i)
    text += at(i) >= kFull ? "█" : at(i) > 0 ? "▓" : other.at(i) > 0 ? "░" : " ";
  return text;
}

std::string more_rows(std::size_t rows, const char* option) {
  if (rows <= kMostRows) return "";
  return fmt::format("  and {} more steps, which {} shows\n",
                     format_integer(static_cast<std::int64_t>(rows - kMostRows)), option);
}

}  // namespace shard

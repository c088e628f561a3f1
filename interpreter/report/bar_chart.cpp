#include "interpreter/report/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"

namespace shard {

namespace {

// Together with the frame of the bar 90 columns, which leaves room in a line of 100 for what is written after the bar.
constexpr std::size_t kTextWidth = 44;
constexpr std::size_t kBarWidth = 40;

}  // namespace

std::string fitted(const std::string& text) {
  return pad_right(first_columns(text, kTextWidth), kTextWidth);
}

std::string bar(double from, double to, const char* glyph) {
  const auto column = [](double share) {
    return static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  };
  const std::size_t first = std::min(column(from), kBarWidth - 1);
  const std::size_t last = std::clamp<std::size_t>(column(to), first + 1, kBarWidth);
  std::string text(first, ' ');
  for (std::size_t i = first; i < last; ++i) text += glyph;
  return text + std::string(kBarWidth - last, ' ');
}

void DensityBar::add(double from, double to) {
  busy_.resize(kBarWidth);
  const double width = 1.0 / static_cast<double>(kBarWidth);
  const auto first = static_cast<std::size_t>(std::max(from, 0.0) / width);
  for (std::size_t i = first; i < kBarWidth && static_cast<double>(i) * width < to; ++i) {
    const double begin = static_cast<double>(i) * width;
    busy_[i] += std::max(0.0, std::min(to, begin + width) - std::max(from, begin)) / width;
  }
}

std::string DensityBar::text() const {
  // Anything is seen; a column that is busy for most of its time is full.
  constexpr double kLight = 0.25;
  constexpr double kFull = 0.75;
  std::string text;
  for (std::size_t i = 0; i < kBarWidth; ++i) {
    const double busy = i < busy_.size() ? busy_[i] : 0;
    text += busy <= 0 ? " " : busy < kLight ? "░" : busy < kFull ? "▒" : "█";
  }
  return text;
}

std::string more_rows(std::size_t rows, const char* option) {
  if (rows <= kMostRows) return "";
  return fmt::format("  and {} more steps, which {} shows\n",
                     format_integer(static_cast<std::int64_t>(rows - kMostRows)), option);
}

}  // namespace shard

#include "interpreter/report/plot_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "base/line_width.h"
#include "interpreter/report/plot_scale.h"

namespace shard {

namespace {

constexpr std::size_t kRows = 20;
constexpr std::size_t kMostTicksAcross = 7;
constexpr std::size_t kMostTicksUp = 6;
constexpr std::size_t kMostCrossings = 12;  // that are listed
constexpr char kSigns[kMostCurves + 1] = "*ox+#@%=&~^$";
constexpr char kBoundSign = '-';
constexpr const char* kCrossing = "●";

class TextPlot {
 public:
  explicit TextPlot(const Curves& curves)
      : curves_(curves),
        across_(size_scale(curves, kMostTicksAcross)),
        up_(value_scale(curves, kMostTicksUp)) {
    for (const PlotTick& tick : up_.ticks)
      margin_ = std::max(margin_, display_width(tick.text) + 1);
    const std::size_t room = std::min(line_width(), kLineWidth);
    columns_ = room - margin_ - 2;
    cells_.assign(kRows, std::vector<std::string>(columns_, " "));
  }

  std::vector<std::string> lines() {
    // The first curves are drawn over later ones.
    for (std::size_t i = curves_.curves.size(); i-- > 0;) draw(curves_.curves[i], sign_of(i));
    for (const CurveCrossing& crossing : curves_.crossings) {
      if (across_.holds(crossing.size) && up_.holds(crossing.value))
        cell(crossing.value, column_of(crossing.size)) = kCrossing;
    }
    std::vector<std::string> lines = {value_title(curves_, up_)};
    add_rows(lines);
    add_sizes(lines);
    add_legend(lines);
    return lines;
  }

 private:
  std::string sign_of(std::size_t curve) const {
    return std::string(1, curves_.curves[curve].is_bound ? kBoundSign : kSigns[curve]);
  }

  std::size_t column_of(double size) const {
    const double place = across_.share(size) * static_cast<double>(columns_ - 1);
    return std::min<std::size_t>(static_cast<std::size_t>(std::lround(std::max(place, 0.0))),
                                 columns_ - 1);
  }

  std::size_t row_of(double value) const {
    const double share = std::clamp(up_.share(value), 0.0, 1.0);
    return kRows - 1 - static_cast<std::size_t>(std::lround(share * (kRows - 1)));
  }

  std::string& cell(double value, std::size_t column) { return cells_[row_of(value)][column]; }

  void draw(const Curve& curve, const std::string& sign) {
    std::optional<std::size_t> last;
    const auto draw_to = [&](double value, std::size_t column) {
      const std::size_t row = row_of(value);
      const std::size_t before = last.value_or(row);
      // A steep curve has no gaps between its rows.
      for (std::size_t i = std::min(row, before); i <= std::max(row, before); ++i) {
        if (i != before || i == row) cells_[i][column] = sign;
      }
      last = row;
    };
    if (curves_.sizes.size() <= columns_ / 2) {
      for (std::size_t i = 0; i < curves_.sizes.size(); ++i) {
        last.reset();
        if (curve.values[i])
          draw_to(*curve.values[i], column_of(static_cast<double>(curves_.sizes[i])));
      }
      return;
    }
    for (std::size_t column = 0; column < columns_; ++column) {
      const double size =
          across_.value(static_cast<double>(column) / static_cast<double>(columns_ - 1));
      const auto value = value_near(curves_, curve, size, up_.by_factors);
      if (value) {
        draw_to(*value, column);
      } else {
        last.reset();
      }
    }
  }

  void add_rows(std::vector<std::string>& lines) const {
    std::vector<std::string> labels(kRows);
    for (const PlotTick& tick : up_.ticks) labels[row_of(tick.at)] = tick.text;
    for (std::size_t row = 0; row < kRows; ++row) {
      std::string line = pad_left(labels[row], margin_ - 1) + (labels[row].empty() ? " │" : " ┤");
      for (const std::string& cell : cells_[row]) line += cell;
      line.erase(line.find_last_not_of(' ') + 1);
      lines.push_back(std::move(line));
    }
  }

  void add_sizes(std::vector<std::string>& lines) const {
    std::vector<bool> ticks(columns_);
    std::string labels;
    const std::string title = size_title(curves_, across_);
    for (const PlotTick& tick : across_.ticks) {
      const std::size_t column = column_of(tick.at);
      ticks[column] = true;
      const std::size_t width = display_width(tick.text);
      std::size_t begin = margin_ + 1 + column - std::min(width / 2, margin_ + 1 + column);
      begin = std::min(begin, margin_ + 1 + columns_ - std::min(width, columns_));
      if (!labels.empty() && begin < labels.size() + 1) continue;
      labels = pad_right(labels, begin) + tick.text;
    }
    std::string axis = std::string(margin_, ' ') + "└";
    for (const bool tick : ticks) axis += tick ? "┴" : "─";
    lines.push_back(std::move(axis));
    lines.push_back(std::move(labels));
    const std::size_t middle = margin_ + 1 + (columns_ - std::min(title.size(), columns_)) / 2;
    lines.push_back(std::string(middle, ' ') + title);
  }

  void add_legend(std::vector<std::string>& lines) const {
    for (std::size_t i = 0; i < curves_.curves.size(); ++i)
      lines.push_back(hanging_line(fmt::format("  {} {}", sign_of(i), curves_.curves[i].name)));
    for (std::size_t i = 0; i < curves_.crossings.size(); ++i) {
      if (i == kMostCrossings) {
        lines.push_back(fmt::format("  and {} more crossings", curves_.crossings.size() - i));
        break;
      }
      lines.push_back(hanging_line(
          fmt::format("  {} {}", kCrossing, crossing_text(curves_, curves_.crossings[i]))));
    }
    for (const std::string& remark : curves_.remarks) lines.push_back(hanging_line("  " + remark));
  }

  const Curves& curves_;
  PlotScale across_;
  PlotScale up_;
  std::size_t margin_ = 2;
  std::size_t columns_ = 0;
  std::vector<std::vector<std::string>> cells_;  // by row and column
};

}  // namespace

std::vector<std::string> text_lines(const PlotEntry& plot) {
  auto lines = TextPlot(plot.curves).lines();
  if (plot.written) lines.push_back("  saved to " + plot.path);
  return lines;
}

}  // namespace shard

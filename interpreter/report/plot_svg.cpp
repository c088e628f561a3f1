#include "interpreter/report/plot_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.h"
#include "interpreter/report/plot_scale.h"

namespace shard {

namespace {

// In pixels.
constexpr double kPlotWidth = 620;
constexpr double kPlotHeight = 400;
constexpr double kLeft = 84;
constexpr double kTop = 28;
constexpr double kBelow = 68;
constexpr double kLegendLine = 22;
constexpr double kLetter = 7.1;  // of the legend's text, at most
constexpr double kLegendGap = 20;
constexpr double kLegendMark = 40;
constexpr std::size_t kMostLegendLetters = 46;
constexpr std::size_t kTicksAcrossFile = 11;
constexpr std::size_t kTicksUpFile = 9;

struct Stroke {
  const char* colour;
  const char* dashes;  // empty: none
};
constexpr std::array<Stroke, kMostCurves> kStrokes = {{{"#0072b2", ""},
                                                       {"#d55e00", ""},
                                                       {"#009e73", ""},
                                                       {"#cc79a7", ""},
                                                       {"#56b4e9", ""},
                                                       {"#e69f00", ""},
                                                       {"#0072b2", "8 4"},
                                                       {"#d55e00", "8 4"},
                                                       {"#009e73", "8 4"},
                                                       {"#cc79a7", "8 4"},
                                                       {"#56b4e9", "8 4"},
                                                       {"#e69f00", "8 4"}}};
constexpr Stroke kBoundStroke = {"#111111", "6 5"};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Without digits that nobody sees: two hosts that round the last one differently write the same.
std::string px(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

struct Box2 {
  double left, top, right, bottom;
  bool meets(const Box2& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

class SvgPlot {
 public:
  explicit SvgPlot(const Curves& curves)
      : curves_(curves),
        across_(size_scale(curves, kTicksAcrossFile)),
        up_(value_scale(curves, kTicksUpFile)) {}

  std::string write() {
    std::size_t letters = 8;
    for (const Curve& curve : curves_.curves)
      letters = std::max(letters, std::min(display_width(curve.name), kMostLegendLetters));
    const double legend = kLegendMark + kLetter * static_cast<double>(letters) + 20;
    width_ = kLeft + kPlotWidth + kLegendGap + legend;
    height_ = kTop + kPlotHeight + kBelow;
    header();
    grid();
    for (std::size_t i = curves_.curves.size(); i-- > 0;) curve(i);
    crossings();
    titles();
    legend_of_curves();
    text_ += "</svg>\n";
    return std::move(text_);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  double x(double size) const { return kLeft + across_.share(size) * kPlotWidth; }
  double y(double value) const { return kTop + (1 - up_.share(value)) * kPlotHeight; }

  void header() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" "
        "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" "
        "font-size=\"13\" fill=\"#222222\">\n",
        px(width_), px(height_));
    std::string names;
    for (const Curve& curve : curves_.curves) names += (names.empty() ? "" : ", ") + curve.name;
    add("<title>{} against {}</title>\n", escaped(names), escaped(curves_.size));
    add("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    add("<clipPath id=\"inside\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        px(kLeft), px(kTop), px(kPlotWidth), px(kPlotHeight));
  }

  void grid() {
    add("<g stroke=\"#e2e2e2\" stroke-width=\"1\">\n");
    for (const PlotTick& tick : across_.ticks)
      add("<path d=\"M{} {}V{}\"/>\n", px(x(tick.at)), px(kTop), px(kTop + kPlotHeight));
    for (const PlotTick& tick : up_.ticks)
      add("<path d=\"M{} {}H{}\"/>\n", px(kLeft), px(y(tick.at)), px(kLeft + kPlotWidth));
    add("</g>\n<g fill=\"#444444\">\n");
    for (const PlotTick& tick : across_.ticks)
      add("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", px(x(tick.at)),
          px(kTop + kPlotHeight + 20), escaped(tick.text));
    for (const PlotTick& tick : up_.ticks)
      add("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", px(kLeft - 9),
          px(y(tick.at) + 4.5), escaped(tick.text));
    add("</g>\n<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
        "stroke=\"#888888\"/>\n",
        px(kLeft), px(kTop), px(kPlotWidth), px(kPlotHeight));
  }

  Stroke stroke_of(std::size_t i) const {
    return curves_.curves[i].is_bound ? kBoundStroke : kStrokes[i];
  }

  static std::string attributes(const Stroke& stroke) {
    const std::string dashes =
        *stroke.dashes == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
    return fmt::format(
        "fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"{}",
        stroke.colour, dashes);
  }

  void curve(std::size_t i) {
    const Curve& curve = curves_.curves[i];
    std::string path;
    std::string dots;
    for (std::size_t k = 0; k < curves_.sizes.size(); ++k) {
      if (!curve.values[k]) continue;
      const bool begins = k == 0 || !curve.values[k - 1];
      const bool ends = k + 1 == curves_.sizes.size() || !curve.values[k + 1];
      const std::string at =
          px(x(static_cast<double>(curves_.sizes[k]))) + " " + px(y(*curve.values[k]));
      path += (begins ? "M" : "L") + at;
      // A size alone has no line to a next one.
      if (begins && ends) {
        const std::size_t blank = at.find(' ');
        dots += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/>\n",
                            at.substr(0, blank), at.substr(blank + 1), stroke_of(i).colour);
      }
    }
    if (path.empty()) return;
    add("<g clip-path=\"url(#inside)\"><title>{}</title><path {} d=\"{}\"/></g>\n{}",
        escaped(curve.name), attributes(stroke_of(i)), path, dots);
  }

  void crossings() {
    std::vector<Box2> taken;
    for (const CurveCrossing& crossing : curves_.crossings) {
      if (!across_.holds(crossing.size) || !up_.holds(crossing.value)) continue;
      const double cx = x(crossing.size);
      const double cy = y(crossing.value);
      add("<circle cx=\"{}\" cy=\"{}\" r=\"4.5\" fill=\"#ffffff\" stroke=\"#111111\" "
          "stroke-width=\"1.5\"><title>{}</title></circle>\n",
          px(cx), px(cy), escaped(crossing_text(curves_, crossing)));
      taken.push_back({cx - 5, cy - 5, cx + 5, cy + 5});
    }
    for (const CurveCrossing& crossing : curves_.crossings) {
      if (across_.holds(crossing.size) && up_.holds(crossing.value)) label(crossing, taken);
    }
  }

  // Whether a text in the box is read as that of its own mark, and not of another one.
  bool belongs(const Box2& box, const CurveCrossing& own) const {
    const auto distance = [&](const CurveCrossing& mark) {
      const double dx = std::max({box.left - x(mark.size), x(mark.size) - box.right, 0.0});
      const double dy = std::max({box.top - y(mark.value), y(mark.value) - box.bottom, 0.0});
      return std::hypot(dx, dy);
    };
    return std::all_of(curves_.crossings.begin(), curves_.crossings.end(),
                       [&](const CurveCrossing& other) {
                         return &other == &own || distance(other) > distance(own);
                       });
  }

  // Beside its mark, on the first side where nothing else is said; else it is left to the mark's title.
  void label(const CurveCrossing& crossing, std::vector<Box2>& taken) {
    const std::string said = fmt::format("{} = {}", curves_.size, crossing_size(crossing));
    const double width = 6.8 * static_cast<double>(display_width(said));
    const double cx = x(crossing.size);
    const double cy = y(crossing.value);
    const std::array<std::array<double, 2>, 4> places = {
        {{cx + 9, cy + 18}, {cx - 9 - width, cy - 8}, {cx + 9, cy - 8}, {cx - 9 - width, cy + 18}}};
    for (const auto& [left, base] : places) {
      const Box2 box{left, base - 12, left + width, base + 3};
      const bool inside = box.left > kLeft && box.right < kLeft + kPlotWidth && box.top > kTop &&
                          box.bottom < kTop + kPlotHeight;
      if (!inside || !belongs(box, crossing) ||
          std::any_of(taken.begin(), taken.end(),
                      [&](const Box2& other) { return box.meets(other); }))
        continue;
      add("<text x=\"{}\" y=\"{}\" font-size=\"12\" stroke=\"#ffffff\" stroke-width=\"4\" "
          "paint-order=\"stroke\" stroke-linejoin=\"round\">{}</text>\n",
          px(left), px(base), escaped(said));
      taken.push_back(box);
      return;
    }
  }

  void titles() {
    add("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n",
        px(kLeft + kPlotWidth / 2), px(kTop + kPlotHeight + 48),
        escaped(size_title(curves_, across_)));
    const double middle = kTop + kPlotHeight / 2;
    add("<text x=\"18\" y=\"{0}\" text-anchor=\"middle\" font-size=\"14\" transform=\"rotate(-90 "
        "18 "
        "{0})\">{1}</text>\n",
        px(middle), escaped(value_title(curves_, up_)));
  }

  void legend_of_curves() {
    const double left = kLeft + kPlotWidth + kLegendGap;
    double line = kTop + 10;
    for (std::size_t i = 0; i < curves_.curves.size(); ++i, line += kLegendLine) {
      const std::string& name = curves_.curves[i].name;
      const bool fits = display_width(name) <= kMostLegendLetters;
      const std::string shown =
          fits ? name : std::string(first_columns(name, kMostLegendLetters - 1)) + "…";
      add("<path {} d=\"M{} {}h30\"/>\n", attributes(stroke_of(i)), px(left), px(line));
      add("<text x=\"{}\" y=\"{}\">{}</text>\n", px(left + kLegendMark), px(line + 4.5),
          escaped(shown));
    }
  }

  const Curves& curves_;
  PlotScale across_;
  PlotScale up_;
  double width_ = 0;
  double height_ = 0;
  std::string text_;
};

}  // namespace

std::string svg_of(const PlotEntry& plot) { return SvgPlot(plot.curves).write(); }

}  // namespace shard
